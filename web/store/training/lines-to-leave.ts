/** Lines that a reader wants to train a twin without, chosen where they were seen. */
export class LinesToLeave {
  #asked: string | null = null;

  /** `lines` as numbers from 1, such as "3" or "3, 8–10". */
  ask(lines: string): void {
    this.#asked = lines;
  }

  /** What was asked for since, once; null for nothing. */
  take(): string | null {
    const asked = this.#asked;
    this.#asked = null;
    return asked;
  }
}
