/** Controls all trainers of a page from a test. */
export class Control {
  /** Whether runs stay at their step until `Trainers.advance`. */
  stepwise = false;
  /** A snapshot is stored at every multiple of this step; other steps are recomputed from there. */
  stride = 1;
  /** Methods whose answers are held back. */
  readonly held = new Set<string>();
  /** Failing methods, with their error codes. */
  readonly failing = new Map<string, string>();
  /** Calls of `fit`, and of methods without an effect in a recording, such as `pace` and `rest`. */
  readonly calls: (readonly [method: string, ...args: unknown[]])[] = [];
  #released: (() => void)[] = [];

  /** Waits while answers of `method` are held back. */
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
