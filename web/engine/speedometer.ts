/** Speed over about the last two seconds of training. */
export class Speedometer {
  #marks: { time: number; step: number; tokens: number }[] = [];
  steps = 0;
  tokens = 0;

  /** Forgets the marks before a pause; the last speed stays visible. */
  restart(): void {
    this.#marks = [];
  }

  note(step: number, tokens: number): void {
    const time = performance.now();
    this.#marks.push({ time, step, tokens });
    while (this.#marks.length > 2 && time - (this.#marks[0]?.time ?? time) > 2000) {
      this.#marks.shift();
    }
    const first = this.#marks[0];
    if (first === undefined || time - first.time < 50) return;
    const seconds = (time - first.time) / 1000;
    this.steps = (step - first.step) / seconds;
    this.tokens = (tokens - first.tokens) / seconds;
  }
}
