/**
 * Texts that the model writes at the reader's request, one at a time: a new request replaces the
 * previous one.
 */
import { asError } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import type { SampleRequest, SampleResult } from '../../engine/trainer.ts';
import type { Questions } from '../questions.ts';

/** A text that is being written, or is finished. */
export interface Answer {
  readonly request: SampleRequest;
  readonly text: string;
  readonly busy: boolean;
  readonly error: GlasshouseError | null;
  readonly result: Omit<SampleResult, 'text'> | null;
  /**
   * `request` if the text repeats the previous one with the same seed, `seed` if it repeats it with
   * another seed; null if it differs.
   */
  readonly again: 'request' | 'seed' | null;
}

const NOTHING_WRITTEN = { step: 0, tokens: 0, ended: false, full: false, refills: 0 };

export interface AnswersOptions {
  readonly questions: Pick<Questions, 'model' | 'cancelSample'>;
  /** Resolves once a model exists, in the order of commands; rejects if none can be made. */
  readonly whenReady: () => Promise<void>;
  readonly changed: () => void;
}

export class Answers {
  readonly #options: AnswersOptions;
  #tickets = 0;
  /** Ticket of the last cancelled request, which may not have begun to write. */
  #cancelled = 0;
  #last: Answer | null = null;
  /** Finished answers replaced by `another`, newest last. */
  readonly #passed: Answer[] = [];

  constructor(options: AnswersOptions) {
    this.#options = options;
  }

  /** The newest answer; null before the first request to this model. */
  get last(): Answer | null {
    return this.#last;
  }

  /** Whether `back` can restore an answer. */
  get hasPassed(): boolean {
    return this.#passed.length > 0;
  }

  /** Deletes the answers of the previous model. */
  forget(): void {
    this.#last = null;
    this.#passed.length = 0;
  }

  /** Writes another text; `back` restores the present one. */
  another(request: SampleRequest): void {
    const before = this.#last;
    if (before?.busy === false && before.error === null) this.#passed.push(before);
    this.ask(request, before);
  }

  /**
   * Restores the previous answer; null if none. Repeating its request would not restore it, because
   * a model that has trained since writes another text.
   */
  back(): Answer | null {
    const before = this.#passed.pop() ?? null;
    if (before === null) return null;
    if (this.#last?.busy === true) this.#options.questions.cancelSample();
    // Invalidates a request that is still being written.
    this.#tickets++;
    this.#last = before;
    this.#options.changed();
    return before;
  }

  /**
   * Writes one text; replaces an older request. `than`: the answer to compare the text with; if
   * null, the last answer, provided that its request is equal.
   */
  ask(request: SampleRequest, than: Answer | null = null): void {
    const ticket = ++this.#tickets;
    const last = this.#last;
    const before = than ?? (last !== null && isSame(last.request, request) ? last : null);
    const show = (answer: Partial<Answer>): void => {
      if (ticket !== this.#tickets) return;
      const blank = { text: '', busy: true, error: null, result: null, again: null };
      this.#last = { request, ...blank, ...answer };
      this.#options.changed();
    };
    // The previous text stays until the new one begins, so that it does not flicker while a slider
    // moves.
    show({ text: last?.request.prompt === request.prompt ? last.text : '' });
    this.#options.whenReady().then(
      // Runs outside the queue, because buttons must not wait for a long text.
      () => this.#write(request, ticket, before, show),
      (failed: unknown) => {
        show({ busy: false, error: asError(failed) });
      },
    );
  }

  /** Repeats the last request, for the model of another step. */
  askAgain(): void {
    if (this.#last !== null && this.#last.error === null) this.ask(this.#last.request);
  }

  cancel(): void {
    this.#cancelled = this.#tickets;
    this.#options.questions.cancelSample();
  }

  async #write(
    request: SampleRequest,
    ticket: number,
    before: Answer | null,
    show: (answer: Partial<Answer>) => void,
  ): Promise<void> {
    try {
      const model = await this.#options.questions.model();
      // A newer request may have gone to the same model meanwhile, which this one would cancel.
      if (ticket !== this.#tickets) return;
      if (this.#cancelled === ticket) {
        show({ busy: false, result: { ...NOTHING_WRITTEN, limitReached: false, cancelled: true } });
        return;
      }
      const result = await model.sample(request, (text) => {
        show({ text });
      });
      const isAgain = before?.result?.step === result.step && before.text === result.text;
      const again = before?.request.seed === request.seed ? 'request' : 'seed';
      show({ text: result.text, busy: false, result, again: isAgain ? again : null });
    } catch (thrown) {
      const error = asError(thrown);
      // Another step is viewed, and the request is repeated there.
      show({ busy: false, error: error.code === 'cancelled' ? null : error });
    }
  }
}

function isSame(one: SampleRequest, other: SampleRequest): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
