/**
 * Traces generated text to the training text. Owns a second engine with the index of the training
 * text; started at the first question, and again for a run with another text or recipe.
 */
import { signal } from '@preact/signals-core';
import { failure } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import { findOption } from '../../engine/options.ts';
import type { OptionTable } from '../../engine/options.ts';
import { MOST_TRACED } from '../../engine/schedule.ts';
import type { Trainer } from '../../engine/trainer.ts';
import type { StartSecond } from '../questions.ts';
import { bytesOfText } from '../text/text-source.ts';
import type { CurrentRun } from './current-run.ts';

/** Maximum bytes of a training text that is indexed without being asked to. */
export const LARGEST_TRACED_TEXT = 20_000_000;

/** Maximum bytes of weights to copy; the vocabulary is copied with them. */
const MOST_BYTES = 4 * MOST_TRACED;

export interface TextTraceOptions {
  readonly trainer: Trainer;
  /** Starts the second engine; null if this form has no engine for questions. */
  readonly start: StartSecond | null;
  readonly current: () => CurrentRun | null;
  readonly table: OptionTable;
}

/** A second engine, from the moment it is requested. */
interface Second {
  readonly key: string;
  /** The engine; null until its worker has started. */
  worker: Trainer | null;
  isClosed: boolean;
}

interface Made extends Second {
  readonly ready: Promise<Trainer>;
}

export class TextTrace {
  readonly #options: TextTraceOptions;
  #made: Made | null = null;
  /** Progress of indexing, from 0 to 1; null if no index is made. */
  readonly progress = signal<number | null>(null);

  constructor(options: TextTraceOptions) {
    this.#options = options;
    void options.trainer.closed.then(() => {
      this.close();
    });
  }

  /**
   * Identifies text and recipe of the shown run: another key needs another index. Null without a
   * run.
   */
  get key(): string | null {
    const run = this.#options.current();
    if (run === null) return null;
    const { text, model, data } = run;
    // Options that may change during a run do not affect the index.
    const { preset, changes, leftOut } = run.recipe;
    const isFixed = (name: string): boolean =>
      !(findOption(this.#options.table, name)?.live ?? false);
    const fixed = Object.entries(changes).filter(([name]) => isFixed(name));
    return JSON.stringify([text?.key, preset, fixed, leftOut, model === null ? -1 : data.number]);
  }

  /** Why the shown run cannot be traced; null if it can. */
  get refusal(): GlasshouseError | null {
    const run = this.#options.current();
    if (run === null) return null;
    if (this.#options.start === null) {
      return failure('questions', 'no engine here answers questions on the text');
    }
    // A model that only generates learned another text than the page's.
    if (run.text === null || !run.info.trains) {
      return failure('trace-text', 'the text of the run is not known here');
    }
    const isLarge = run.plan.parameters > MOST_TRACED;
    const message = 'the model is too large to be copied';
    return isLarge ? failure('trace-large', message, [MOST_BYTES]) : null;
  }

  /** Asks an engine that has the index of the shown run. */
  async ask<Result>(question: (trainer: Trainer) => Promise<Result>): Promise<Result> {
    const { key } = this;
    const run = this.#options.current();
    if (key === null || run === null) throw failure('state', 'there is no run yet', [], 'trace');
    if (this.#made?.key !== key) {
      this.close();
      const second: Second = { key, worker: null, isClosed: false };
      const fresh = Object.assign(second, { ready: this.#make(run, second) });
      this.#made = fresh;
      // The next question tries again.
      fresh.ready.catch(() => {
        if (this.#made === fresh) this.#made = null;
      });
    }
    const made = this.#made;
    try {
      return await question(await made.ready);
    } catch (thrown) {
      if (made.isClosed) throw failure('cancelled', 'the run is another one now');
      throw thrown;
    }
  }

  /** Closes the second engine, which also cancels indexing. */
  close(): void {
    const made = this.#made;
    this.#made = null;
    this.progress.value = null;
    if (made === null) return;
    made.isClosed = true;
    made.worker?.close();
  }

  async #make(run: CurrentRun, second: Second): Promise<Trainer> {
    const { trainer, start, current } = this.#options;
    const { refusal } = this;
    if (refusal !== null) throw refusal;
    if (start === null || run.text === null) throw failure('state', 'nothing can be asked');
    const weights = await trainer.save('weights', '');
    const bytes = await bytesOfText(run.text);
    if (current()?.data.number !== run.data.number) {
      throw failure('cancelled', 'the run is another one now');
    }
    const { trainer: worker, place } = await start();
    second.worker = worker;
    try {
      // An engine on the page's own thread would block the page.
      if (place !== 'worker') throw failure('no-worker', 'there is no worker for an index');
      if (second.isClosed) throw failure('cancelled', 'the run is another one now');
      await worker.setText(bytes);
      await worker.prepare(null, { files: { weights }, purpose: 'generate' });
      const tell = (share: number): void => {
        this.progress.value = share;
      };
      await worker.indexText(tell);
      tell(1);
      return worker;
    } catch (thrown) {
      worker.close();
      throw thrown;
    }
  }
}
