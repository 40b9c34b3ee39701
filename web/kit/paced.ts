/**
 * Questions to the engine that repeat while a model learns: one at a time, and with so much time
 * between them that the answers cost training only a small share of its time.
 */

/** Milliseconds from one beginning to the next, at least. */
const SHORTEST = 300;
/** The time to the next in parts of what the last one took. */
const SHARE = 6;

export class Paced {
  readonly #ask: () => Promise<void>;
  #busy = false;
  #again = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #next = 0;
  #destroyed = false;

  constructor(ask: () => Promise<void>) {
    this.#ask = ask;
  }

  /** Asks as soon as it is time to; requests meanwhile become one. */
  request(): void {
    if (this.#busy) this.#again = true;
    if (this.#busy || this.#timer !== undefined || this.#destroyed) return;
    const wait = this.#next - performance.now();
    if (wait <= 0) this.#run();
    else this.#timer = setTimeout(() => this.#run(), wait);
  }

  /** What is asked now is another question: without waiting. */
  hurry(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#next = 0;
    this.request();
  }

  destroy(): void {
    this.#destroyed = true;
    clearTimeout(this.#timer);
  }

  #run(): void {
    this.#timer = undefined;
    this.#busy = true;
    const begun = performance.now();
    // A failure is reported, and the next question is asked all the same.
    void this.#ask()
      .catch(reportError)
      .finally(() => {
        const took = performance.now() - begun;
        // Someone in a hurry meanwhile has set the time back.
        this.#next = begun + Math.max(SHORTEST, SHARE * took);
        this.#busy = false;
        if (!this.#again) return;
        this.#again = false;
        this.request();
      });
  }
}
