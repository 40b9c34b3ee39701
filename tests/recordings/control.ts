/** Controls all trainers of a page from a test. */
export class Control {
  /** Runs stay where they are until `Trainers.advance`. */
  stepwise = false;
  /**
   * A snapshot is kept of every step that this divides; the way to another repeats the steps since.
   */
  stride = 1;
  /** Methods whose answers wait until they are released. */
  readonly held = new Set<string>();
  /** Methods that fail, with the code of their error. */
  readonly failing = new Map<string, string>();
  /** Calls of `fit`, and of methods that a recording has no use for, such as `pace` and `rest`. */
  readonly calls: (readonly [method: string, ...args: unknown[]])[] = [];
  #released: (() => void)[] = [];

  /** Waits while answers of `method` are held. */
  async waitFor(method: string): Promise<void> {
    while (this.held.has(method)) {
      await new Promise<void>((resolve) => this.#released.push(resolve));
    }
  }

  release(method: string): void {
    this.held.delete(method);
    for (const resolve of this.#released.splice(0)) resolve();
  }
}
