/**
 * Chooses the engine that answers questions about the model. During training that is a second
 * engine with a copy of the weights, so that training continues; the answer names the step of the
 * copy. The trainer itself answers if it is not training, and, between two steps, if there is no
 * second engine or the model is too large to copy. Owns the second engine.
 */
import type { CreatedTrainer } from '../engine/create.ts';
import { ignore } from '../engine/errors.ts';
import type { Model } from '../engine/past-run.ts';
import type { Trainer } from '../engine/trainer.ts';
import type { LookingBack } from './past/looking-back.ts';
import type { CurrentRun } from './training/current-run.ts';

/** Maximum bytes of weights to copy; the second engine needs more than twice as much memory. */
const MOST_BYTES = 64 * 2 ** 20;
const WEIGHT_BYTES = 4;

/** Starts a second, single-threaded engine. */
export type StartSecond = () => Promise<CreatedTrainer>;

/** The runs that questions are about. */
export interface AskedRuns {
  readonly current: () => CurrentRun | null;
  /** Whether a text is being written, or a question answered. */
  readonly isAnswering: () => boolean;
  /** The view of the past; null before first use. */
  readonly past: () => LookingBack | null;
}

export class Questions {
  readonly #trainer: Trainer;
  readonly #start: StartSecond | null;
  readonly #runs: AskedRuns;
  #second: Promise<Trainer | null> | null = null;
  /** Number of calls of `hold` under way. */
  #held = 0;
  /** The last copy; copies run one after the other. */
  #copied: Promise<unknown> = Promise.resolve();
  /** The queued copy, shared by all questions asked before it begins; null if none is queued. */
  #waiting: Promise<Trainer | null> | null = null;

  constructor(trainer: Trainer, start: StartSecond | null, runs: AskedRuns) {
    this.#trainer = trainer;
    this.#start = start;
    this.#runs = runs;
    void trainer.closed.then(() => {
      this.#close();
    });
  }

  /** The model of the viewed step, or of the newest step. */
  async model(): Promise<Model> {
    return this.#runs.past()?.model ?? this.newest();
  }

  /** The model of the newest step. */
  async newest(): Promise<Model> {
    const current = this.#runs.current();
    if (current?.data.state !== 'running') this.settle();
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

  /** Closes the second engine when the run has stopped and nothing is being answered. */
  settle(): void {
    const { current, isAnswering } = this.#runs;
    const isNeeded = this.#held > 0 || isAnswering();
    if (current()?.data.state !== 'running' && !isNeeded) this.#close();
  }

  /** Keeps the second engine while `ask` waits for an answer. */
  async hold<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    this.#held += 1;
    try {
      return await ask();
    } finally {
      this.#held -= 1;
      this.settle();
    }
  }

  /** Cancels the text being written. */
  cancelSample(): void {
    this.#trainer.cancelSample().catch(ignore);
    this.#second?.then((second) => second?.cancelSample()).catch(ignore);
    this.#runs.past()?.cancelSample();
  }

  /**
   * Copies the current weights to the second engine; null if unavailable, or if the run has
   * changed.
   */
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
    // An engine on the page's own thread would block the page.
    started?.trainer.close();
    return null;
  }

  #close(): void {
    this.#second?.then((second) => second?.close()).catch(ignore);
    this.#second = null;
  }
}
