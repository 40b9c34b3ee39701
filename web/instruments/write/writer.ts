/**
 * Writes texts token by token. A text and its KV cache live in the engine of the shown model, apart
 * from training and other samples, and survive a change of language.
 */
import { signal } from '@preact/signals-core';
import type { PromptRequest } from '../../base/sampling-limits.ts';
import { asError, failure } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import type { Model } from '../../engine/past-run.ts';
import type { GenerationRequest, GenerationState, Sampling } from '../../engine/trainer.ts';
import { question } from '../../store/ask.ts';
import type { Question } from '../../store/ask.ts';
import type { Session } from '../../store/training/session.ts';
import { begun, following, sameDice } from './written-text.ts';
import type { WrittenText } from './written-text.ts';

/** Key of a text's beginning: run, step, prompt and seed; null without a run. */
export function beginningOf(session: Session | null, request: PromptRequest): string | null {
  const run = session?.run ?? null;
  if (run === null || run.number < 0) return null;
  return JSON.stringify([run.number, session?.lookedAt.pastStep, request.prompt, request.seed]);
}

export function diceOf({ temperature, topK, topP }: PromptRequest): Sampling {
  return { temperature, topK, topP };
}

const askedOf = (request: PromptRequest): GenerationRequest => ({
  prompt: request.prompt,
  ...diceOf(request),
  seed: request.seed,
});

/** The text in one engine: that of the newest model, or that of a viewed past step. */
export class EngineText {
  /** The written text; null until the first call. Has no tokens once all of them were removed. */
  readonly written = signal<WrittenText | null>(null);
  readonly error = signal<GlasshouseError | null>(null);
  /** Whether tokens are drawn automatically, one after the other. */
  readonly isPlaying = signal(false);
  /** Number of pending calls of the engine. */
  readonly calls = signal(0);
  /** Key of the text's beginning; see `beginningOf`. */
  #beginning = '';
  /** Increases when the text is discarded, so that older calls change nothing. */
  #round = 0;

  /**
   * True if no text is written yet, or if the text has this beginning. A text without tokens must
   * also be of this step and have these sampling parameters.
   */
  isOf(beginning: string | null, dice: Sampling, step: number): boolean {
    const written = this.written.peek();
    if (written === null || this.#beginning !== beginning) return written === null;
    return written.tokens.length > 0 || (written.now.step === step && sameDice(written.dice, dice));
  }

  discard(): void {
    this.#round += 1;
    this.written.value = null;
    this.error.value = null;
    this.isPlaying.value = false;
  }

  /**
   * The question for the state before the first token. Rejects while a text is being written,
   * because an engine holds one text.
   */
  preview(request: PromptRequest): Question<GenerationState> {
    const asked = askedOf(request);
    return {
      key: question('beginGeneration', asked).key,
      ask: (model) => {
        if (this.calls.peek() > 0 || this.written.peek() !== null) {
          throw failure('cancelled', 'a text is being written');
        }
        return model.beginGeneration(asked);
      },
    };
  }

  /**
   * Returns a function that begins the text if necessary, sets the sampling parameters and calls
   * `change`. The function does nothing if the text was discarded meanwhile.
   */
  call(
    model: Model,
    request: PromptRequest,
    beginning: string,
    change: ((model: Model) => Promise<GenerationState>) | null,
  ): () => Promise<void> {
    const round = this.#round;
    const isGone = (): boolean => round !== this.#round;
    this.calls.value += 1;
    return async () => {
      try {
        if (isGone()) return;
        const ready = await this.#ready(model, request, beginning);
        const written = change === null ? ready : following(ready, await change(model));
        if (isGone()) return;
        this.#beginning = beginning;
        this.written.value = written;
        this.error.value = null;
        if (written.now.coming === null) this.isPlaying.value = false;
      } catch (thrown) {
        if (isGone()) return;
        const error = asError(thrown);
        this.isPlaying.value = false;
        // The run was restarted or another step is shown, so the text is obsolete.
        if (error.code === 'state' || error.code === 'cancelled') this.discard();
        else this.error.value = error;
      } finally {
        this.calls.value -= 1;
      }
    };
  }

  async #ready(model: Model, request: PromptRequest, beginning: string): Promise<WrittenText> {
    const dice = diceOf(request);
    const written = this.written.peek();
    if (written === null || this.#beginning !== beginning) {
      return begun(await model.beginGeneration(askedOf(request)), dice);
    }
    if (sameDice(written.dice, dice)) return written;
    return { ...written, dice, now: await model.adjustSampling(dice) };
  }
}

export class Writer {
  readonly #now = new EngineText();
  readonly #past = new EngineText();
  /** Runs calls one after the other, in the order of the presses. */
  #queue: Promise<void> = Promise.resolve();

  /** The text of the engine whose model is shown. */
  textOf(session: Session | null): EngineText {
    return session?.lookedAt.past?.model ? this.#past : this.#now;
  }

  pauseOther(text: EngineText): void {
    (text === this.#now ? this.#past : this.#now).isPlaying.value = false;
  }

  /** Queues `change`, which adds or removes a token; null only sets the sampling parameters. */
  write(
    session: Session | null,
    request: PromptRequest,
    change: ((model: Model) => Promise<GenerationState>) | null,
  ): void {
    const beginning = beginningOf(session, request);
    if (session === null || beginning === null) return;
    const call = this.textOf(session).call(session.lookedAt.model, request, beginning, change);
    this.#queue = this.#queue.then(call);
  }
}
