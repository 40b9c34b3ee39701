/** Another panel's request to train a twin without some lines of the text. */
export class LinesToLeave {
  #asked: string | null = null;

  /** Requests `lines`, numbered from 1, such as "3" or "3, 8–10". */
  ask(lines: string): void {
    this.#asked = lines;
  }

  /** Returns the request once; null if none was made since. */
  take(): string | null {
    const asked = this.#asked;
    this.#asked = null;
    return asked;
  }
}
