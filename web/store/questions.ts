/**
 * Who answers what is asked of the model. While it trains, a second instance of the engine does,
 * with a copy of the weights: training goes on meanwhile, and the answer names the step of the
 * copy. Owns that instance. The trainer itself answers if nothing trains, between two steps where
 * there is no second instance, and for models too large to copy.
 */
import type { CreatedTrainer } from '../engine/create.ts';
import { ignore } from '../engine/errors.ts';
import type { Model } from '../engine/past-run.ts';
import type { Trainer } from '../engine/trainer.ts';
import type { LookingBack } from './past/looking-back.ts';
import type { CurrentRun } from './training/current-run.ts';

/** Bytes of the weights that are copied at most; a larger model would hold more than twice that. */
const MOST_BYTES = 64 * 2 ** 20;
const WEIGHT_BYTES = 4;

/** Starts another engine beside the one that trains, on one thread. */
export type StartSecond = () => Promise<CreatedTrainer>;

/** What is asked about. */
export interface AskedRuns {
  readonly current: () => CurrentRun | null;
  /** Whether a text is being written. */
  readonly isWriting: () => boolean;
  /** What is seen of the past; null before somebody looks back. */
  readonly past: () => LookingBack | null;
}

export class Questions {
  readonly #trainer: Trainer;
  readonly #start: StartSecond | null;
  readonly #runs: AskedRuns;
  #second: Promise<Trainer | null> | null = null;
  /** Copies are made one after the other. */
  #copied: Promise<unknown> = Promise.resolve();
  /** The one that has not begun: it serves all who ask until it does. */
  #waiting: Promise<Trainer | null> | null = null;

  constructor(trainer: Trainer, start: StartSecond | null, runs: AskedRuns) {
    this.#trainer = trainer;
    this.#start = start;
    this.#runs = runs;
    void trainer.closed.then(() => {
      this.#close();
    });
  }

  /** The model of the step that is looked at; without one, of the newest. */
  async model(): Promise<Model> {
    return this.#runs.past()?.model ?? this.newest();
  }

  /** The model of the newest step. */
  async newest(): Promise<Model> {
    const current = this.#runs.current();
    if (current?.data.state !== 'running') this.#close();
    else if (this.#start !== null && current.plan.parameters * WEIGHT_BYTES <= MOST_BYTES) {
      const copy = (this.#waiting ??= this.#copied.then(() => {
        this.#waiting = null;
        return this.#copy().catch(() => null);
      }));
      this.#copied = copy;
      return (await copy) ?? this.#trainer;
    }
    return this.#trainer;
  }

  /** Closes the second instance once the run stands still and no text is being written. */
  settle(): void {
    const { current, isWriting } = this.#runs;
    if (current()?.data.state !== 'running' && !isWriting()) this.#close();
  }

  /** Ends the text that is being written. */
  cancelSample(): void {
    this.#trainer.cancelSample().catch(ignore);
    this.#second?.then((second) => second?.cancelSample()).catch(ignore);
    this.#runs.past()?.cancelSample();
  }

  /** The second instance with the weights of now; null if it cannot have those of this run. */
  async #copy(): Promise<Trainer | null> {
    const run = this.#runs.current()?.data.number;
    this.#second ??= this.#startSecond();
    const second = await this.#second;
    if (second === null) return null;
    const weights = await this.#trainer.save('weights', '');
    if (this.#runs.current()?.data.number !== run) return null;
    await second.prepare(null, { files: { weights }, purpose: 'generate' });
    return second;
  }

  async #startSecond(): Promise<Trainer | null> {
    const started = await this.#start?.().catch(() => null);
    if (started?.place === 'worker') return started.trainer;
    // On the page's own thread it would be in the reader's way.
    started?.trainer.close();
    return null;
  }

  #close(): void {
    this.#second?.then((second) => second?.close()).catch(ignore);
    this.#second = null;
  }
}
