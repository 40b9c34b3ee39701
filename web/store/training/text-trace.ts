/**
 * Where what a model writes comes from. Owns an instance of the engine, with the module for
 * questions, beside the one that trains: it holds the text of the run and its index, is made when
 * somebody asks first, and made anew for a run of another text or recipe.
 */
import { failure, ignore } from '../../engine/errors.ts';
import type { Trainer } from '../../engine/trainer.ts';
import type { StartSecond } from '../questions.ts';
import { keptText } from '../text/text-source.ts';
import type { CurrentRun } from './current-run.ts';

/** Bytes of the weights, which come with the vocabulary of a model, that are copied at most. */
const MOST_BYTES = 64 * 2 ** 20;
const WEIGHT_BYTES = 4;

export interface TextTraceOptions {
  readonly trainer: Trainer;
  /** Null where there is no such engine. */
  readonly start: StartSecond | null;
  readonly current: () => CurrentRun | null;
  readonly changed: () => void;
}

interface Made {
  readonly key: string;
  readonly trainer: Promise<Trainer>;
}

export class TextTrace {
  readonly #options: TextTraceOptions;
  #made: Made | null = null;
  /** How far the index is, from 0 to 1; null while none is made. */
  progress: number | null = null;

  constructor(options: TextTraceOptions) {
    this.#options = options;
    void options.trainer.closed.then(() => {
      this.close();
    });
  }

  /** Tells runs apart by what is indexed of them; null without a run. */
  get key(): string | null {
    const run = this.#options.current();
    if (run === null) return null;
    const { text, recipe, model, data } = run;
    return JSON.stringify([text?.key, recipe, model === null ? -1 : data.number]);
  }

  /** What an engine answers that has the index of the run that is shown. */
  async ask<Result>(question: (trainer: Trainer) => Promise<Result>): Promise<Result> {
    const { key } = this;
    const run = this.#options.current();
    if (key === null || run === null) throw failure('state', 'there is no run yet', [], 'trace');
    if (this.#made?.key !== key) {
      this.close();
      const made = { key, trainer: this.#make(run) };
      this.#made = made;
      // The next question tries again.
      made.trainer.catch(() => {
        if (this.#made === made) this.close();
      });
    }
    return question(await this.#made!.trainer);
  }

  /** Gives its memory and its worker back, and ends what is being made. */
  close(): void {
    this.#made?.trainer.then((trainer) => {
      trainer.close();
    }, ignore);
    this.#made = null;
    this.progress = null;
  }

  async #make(run: CurrentRun): Promise<Trainer> {
    const { trainer, start, current, changed } = this.#options;
    if (start === null) throw failure('questions', 'no engine here answers questions on the text');
    if (run.text === null) throw failure('trace-text', 'the text of the run is not known here');
    if (run.plan.parameters * WEIGHT_BYTES > MOST_BYTES) {
      throw failure('trace-large', 'the model is too large to be copied', [MOST_BYTES]);
    }
    const weights = await trainer.save('weights', '');
    const { bytes } = await keptText(run.text);
    if (current()?.data.number !== run.data.number) {
      throw failure('cancelled', 'the run is another one now');
    }
    const started = await start();
    try {
      // On the page's own thread it would be in the reader's way.
      if (started.place !== 'worker') throw failure('worker', 'there is no worker for an index');
      const second = started.trainer;
      await second.setText(bytes);
      await second.prepare(null, { files: { weights }, purpose: 'generate' });
      await second.indexText((share) => {
        this.progress = share;
        changed();
      });
      this.progress = 1;
      changed();
      return second;
    } catch (thrown) {
      started.trainer.close();
      throw thrown;
    }
  }
}
