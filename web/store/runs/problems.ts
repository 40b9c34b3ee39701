/** The last error with saved runs, until the reader dismisses it. */
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

  report(thrown: unknown): void {
    this.#last = asError(thrown);
    this.#changed();
  }

  /** Reports an error only once for each run, because it would repeat at every save. */
  reportOnce(thrown: unknown): void {
    const { code } = asError(thrown);
    if (this.#reported.has(code)) return;
    this.#reported.add(code);
    this.report(thrown);
  }

  /**
   * Forgets reported errors when a run begins or is saved; a refusal by the browser holds for all
   * runs.
   */
  beginRun(): void {
    for (const code of this.#reported) if (code !== 'storage-denied') this.forget(code);
  }

  /** Clears an error that is over, so that it is reported again next time. */
  forget(code: string): void {
    if (this.#reported.delete(code) && this.#last?.code === code) this.#last = null;
  }

  dismiss(): void {
    this.#last = null;
    this.#changed();
  }
}
