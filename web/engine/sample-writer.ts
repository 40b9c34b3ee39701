/**
 * Writes requested texts, one at a time, in slices. A newer request cancels older ones, unless
 * either is `whole`; a new run cancels all.
 */
import { yieldTask } from '../base/yield-task.ts';
import { isTooLong } from './generation.ts';
import { currentRun } from './run.ts';
import type { Run, RunSlot } from './run.ts';
import { sampleRequest } from './sampling.ts';
import type { SampleRequest, SampleResult, WantedSample } from './trainer.ts';

/** Tokens after which the text is told, and a newer request can cancel it. */
const PIECE = 16;

export class SampleWriter {
  readonly #slot: RunSlot;
  readonly #slice: number;
  #tickets = 0;
  #run: Run | null = null;
  #ended: Promise<unknown> = Promise.resolve();

  /** `slice`: milliseconds of work before other calls get a turn. */
  constructor(slot: RunSlot, slice: number) {
    this.#slot = slot;
    this.#slice = slice;
  }

  /** The run whose KV cache is in use; null while no text is written. */
  get run(): Run | null {
    return this.#run;
  }

  /** Settles when the last request has ended. */
  get ended(): Promise<unknown> {
    return this.#ended;
  }

  /** Writes a text; `onText` receives it as it grows. */
  sample(wanted: WantedSample, onText?: (text: string) => void): Promise<SampleResult> {
    const request = sampleRequest(wanted);
    const ticket = wanted.whole === true ? null : ++this.#tickets;
    const turn = this.#ended.then(() => this.#write(ticket, request, onText));
    // The next request waits until this one settles.
    this.#ended = turn.catch(() => undefined);
    return turn;
  }

  cancel(): void {
    this.#tickets += 1;
  }

  async #write(
    ticket: number | null,
    request: SampleRequest,
    onText: ((text: string) => void) | undefined,
  ): Promise<SampleResult> {
    const run = currentRun(this.#slot);
    const { model } = run;
    const cancelled = (): boolean =>
      (ticket !== null && ticket !== this.#tickets) || run !== this.#slot.run;
    const result = (text: string, tokens: number, limitReached = false): SampleResult => ({
      step: run.step,
      text,
      tokens,
      ended: !cancelled() && model.sampler.isEnded(),
      full: !cancelled() && model.sampler.isFull(),
      refills: cancelled() ? 0 : model.sampler.refills(),
      cancelled: cancelled(),
      limitReached,
    });
    if (cancelled()) return result('', 0);
    this.#run = run;
    try {
      const { prompt, temperature, topK, topP, seed, maxTokens } = request;
      model.sampler.begin(prompt, temperature, topK, topP, seed);
      let drawn = 0;
      let text = '';
      while (drawn < maxTokens && !cancelled() && !model.sampler.isEnded()) {
        const end = performance.now() + this.#slice;
        const most = Math.min(maxTokens, drawn + PIECE);
        do {
          try {
            model.sampler.next();
          } catch (thrown) {
            // Returns the text up to the engine's limit.
            if (isTooLong(thrown)) return result(model.sampler.text(), drawn, true);
            throw thrown;
          }
          drawn += 1;
        } while (drawn < most && !model.sampler.isEnded() && performance.now() < end);
        text = model.sampler.text();
        onText?.(text);
        await yieldTask();
      }
      return result(text, drawn);
    } finally {
      this.#run = null;
    }
  }
}
