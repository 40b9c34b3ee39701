/** What the model writes when it is asked: one answer at a time, the newest request's. */
import { asError } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import type { SampleRequest, SampleResult } from '../../engine/trainer.ts';
import type { Questions } from '../questions.ts';

/** An answer that is being written, or was. */
export interface Answer {
  readonly request: SampleRequest;
  readonly text: string;
  readonly busy: boolean;
  readonly error: GlasshouseError | null;
  readonly result: Omit<SampleResult, 'text'> | null;
  /** It is the text before it once more: for the same request, or whatever the seed; or neither. */
  readonly again: 'request' | 'seed' | null;
}

const NOTHING_WRITTEN = { step: 0, tokens: 0, ended: false, full: false, refills: 0 };

export interface AnswersOptions {
  readonly questions: Pick<Questions, 'model' | 'cancelSample'>;
  /** Makes sure that there is a model, in its turn among the commands. */
  readonly whenReady: (then: (failed: unknown) => void) => void;
  readonly changed: () => void;
}

export class Answers {
  readonly #options: AnswersOptions;
  #tickets = 0;
  /** The answer that was stopped, perhaps before its writing began. */
  #cancelled = 0;
  #last: Answer | null = null;
  /** Whole answers that another one took the place of, the newest last. */
  readonly #passed: Answer[] = [];

  constructor(options: AnswersOptions) {
    this.#options = options;
  }

  /** The newest one; null before anything was asked of this model. */
  get last(): Answer | null {
    return this.#last;
  }

  /** Whether `back` has somewhere to lead. */
  get hasPassed(): boolean {
    return this.#passed.length > 0;
  }

  /** Another model has come: what the last one wrote is not its answer. */
  forget(): void {
    this.#last = null;
    this.#passed.length = 0;
  }

  /** Writes another text, with a way back to the one that is there. */
  another(request: SampleRequest): void {
    const before = this.#last;
    if (before?.busy === false && before.error === null) this.#passed.push(before);
    this.ask(request, before);
  }

  /** Shows the text before this one as it was: asked again, a model that trains writes another. */
  back(): Answer | null {
    const before = this.#passed.pop() ?? null;
    if (before === null) return null;
    if (this.#last?.busy === true) this.#options.questions.cancelSample();
    // What is still being written for another request is nobody's any more.
    this.#tickets++;
    this.#last = before;
    this.#options.changed();
    return before;
  }

  /**
   * Writes one text; a newer request takes the place of an older one. `than`: the text that it is
   * to be another one than.
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
    // The text of before stays until the new one begins: what follows a slider does not flicker.
    show({ text: last?.request.prompt === request.prompt ? last.text : '' });
    this.#options.whenReady((failed) => {
      if (failed !== null) show({ busy: false, error: asError(failed) });
      // Not awaited: buttons must not wait until a long text is written.
      else void this.#write(request, ticket, before, show);
    });
  }

  /** The model that is shown is that of another step: what would it write? */
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
      // Another step is looked at, and asked.
      show({ busy: false, error: error.code === 'cancelled' ? null : error });
    }
  }
}

function isSame(one: SampleRequest, other: SampleRequest): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
