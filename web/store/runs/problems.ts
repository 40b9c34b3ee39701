/** What went wrong with the kept runs last, until the reader has read it. */
import { asError } from '../../engine/errors.ts';
import type { ErrorFacts } from '../../engine/errors.ts';

export class Problems {
  readonly #changed: () => void;
  readonly #reported = new Set<string>();
  #last: ErrorFacts | null = null;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get last(): ErrorFacts | null {
    return this.#last;
  }

  tell(thrown: unknown): void {
    this.#last = asError(thrown);
    this.#changed();
  }

  /** Says what hinders every save once, not at every save. */
  tellOnce(thrown: unknown): void {
    const { code } = asError(thrown);
    if (this.#reported.has(code)) return;
    this.#reported.add(code);
    this.tell(thrown);
  }

  /** What was told with this code is over: the next time it is told again. */
  forget(code: string): void {
    if (this.#reported.delete(code) && this.#last?.code === code) this.#last = null;
  }

  dismiss(): void {
    this.#last = null;
    this.#changed();
  }
}
