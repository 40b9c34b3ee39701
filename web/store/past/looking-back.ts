/**
 * Views a past step of the shown run. Owns a second engine that recomputes past steps and answers
 * questions about them; started at the first view, and again for another run.
 */
import { asError, failure, ignore } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import { PastRun, secondOf } from '../../engine/past-run.ts';
import type { PastModel, VisitOptions } from '../../engine/past-run.ts';
import type { Trainer, Watch } from '../../engine/trainer.ts';
import type { StartSecond } from '../questions.ts';
import { bytesOfText } from '../text/text-source.ts';
import type { CurrentRun } from '../training/current-run.ts';
import { RunData } from '../training/run-data.ts';
import { wayTo } from './way.ts';
import type { Going } from './way.ts';

export interface LookingBackOptions {
  readonly trainer: Trainer;
  readonly start: StartSecond;
  readonly changed: () => void;
  /** Called when a step of the shown run can no longer be recomputed. */
  readonly lost: () => void;
}

interface PastEngine {
  readonly run: CurrentRun;
  readonly past: PastRun;
}

export class LookingBack {
  readonly #options: LookingBackOptions;
  #watch: Watch = { attention: null, samples: null };
  /**
   * The watch last sent to the engine, and the watch for which `#snapshot` was computed; null
   * before the first.
   */
  #requestedWatch: Watch | null = null;
  #snapshotWatch: Watch | null = null;
  #engine: PastEngine | null = null;
  /** Cancels the recomputation of the viewed step. */
  #abort = new AbortController();
  #model: PastModel | null = null;
  #snapshot: RunData | null = null;
  /** Progress of the recomputation; null if it is short or done. */
  going: Going | null = null;
  error: GlasshouseError | null = null;

  constructor(options: LookingBackOptions) {
    this.#options = options;
    void options.trainer.closed.then(() => {
      this.#close();
    });
  }

  /** The model of the viewed step; null if that is the newest step. */
  get model(): PastModel | null {
    return this.#model;
  }

  /** Snapshot data of the viewed step; null until it is computed. */
  get seen(): RunData | null {
    return this.#snapshot?.step === this.#model?.step ? this.#snapshot : null;
  }

  /** The model of any step of `run`, independent of the viewed step. */
  at(run: CurrentRun, step: number, options?: VisitOptions): PastModel {
    return this.#pastOf(run).at(step, options);
  }

  /** Closes the second engine if another run is shown, or none. */
  follow(run: CurrentRun | null): void {
    const before = this.#engine?.run.data.number ?? null;
    if (before !== null && before !== run?.data.number) this.#close();
  }

  /** Views `step` of `run`; null for the newest. */
  look(run: CurrentRun, step: number | null): void {
    this.follow(run);
    if (step === (this.#model?.step ?? null) && this.error === null) return;
    this.#leave();
    if (step !== null) void this.#go(run, step, this.#abort.signal);
  }

  /** Sets the attention and samples to compute at the viewed step; same form as in the trainer. */
  watch(watch: Watch): void {
    this.#watch = watch;
    if (this.#model === null) return;
    const { signal } = this.#abort;
    const show = (second: Trainer): Promise<void> => this.#show(second);
    this.#engine?.past.visit(this.#model.step, show, { signal }).catch(ignore);
  }

  /**
   * Requests a snapshot unless `seen` is up to date. An engine that a question has already moved to
   * this step sends a snapshot only on request.
   */
  async #show(second: Trainer): Promise<void> {
    const watch = this.#watch;
    if (this.seen !== null && this.#snapshotWatch === watch) return;
    await second.watch(watch);
    this.#requestedWatch = watch;
  }

  /** Cancels the text being written. */
  cancelSample(): void {
    this.#engine?.past.engine?.then((second) => second.cancelSample()).catch(ignore);
  }

  #leave(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#model = null;
    this.going = null;
    this.error = null;
  }

  /** Closes the second engine, which frees its memory. */
  #close(): void {
    this.#leave();
    this.#engine?.past.close();
    this.#engine = null;
    this.#snapshot = null;
  }

  async #go(run: CurrentRun, step: number, signal: AbortSignal): Promise<void> {
    const past = this.#pastOf(run);
    this.#model = past.at(step, { signal });
    const onWay = wayTo(step, (going) => {
      if (signal.aborted) return;
      this.going = going;
      this.#options.changed();
    });
    const arrived = past.visit(step, (second) => this.#show(second), { signal, onWay });
    const error = await arrived.then(() => null, asError);
    if (signal.aborted) return;
    this.going = null;
    this.error = error;
    if (error?.code === 'past') this.#options.lost();
    this.#options.changed();
  }

  #pastOf(run: CurrentRun): PastRun {
    this.follow(run);
    if (this.#engine === null) {
      const past = new PastRun(this.#options.trainer, () => this.#start(run, engine));
      const engine: PastEngine = { run, past };
      this.#engine = engine;
    }
    return this.#engine.past;
  }

  async #start(run: CurrentRun, engine: PastEngine): Promise<Trainer> {
    const { text } = run;
    if (text === null) throw failure('state', 'nothing can be asked');
    const bytes = await bytesOfText(text);
    const start = async (): Promise<Trainer> => {
      const { trainer, place } = await this.#options.start();
      if (place === 'worker') return trainer;
      // An engine on the page's own thread would block the page.
      trainer.close();
      throw failure('no-worker', 'there is no worker to look back with');
    };
    const check = (): void => {
      if (engine !== this.#engine) throw failure('cancelled', 'the run is another one now');
    };
    const second = await secondOf(this.#options.trainer, bytes, start, check);
    second.subscribe((snapshot) => {
      // Questions move the engine to other steps; their snapshots are not shown.
      if (engine !== this.#engine || snapshot.step !== this.#model?.step) return;
      // The engine counts each visited step as a run.
      if (this.#snapshot?.number !== snapshot.run) this.#snapshot = new RunData(snapshot.run);
      this.#snapshot.take(snapshot);
      this.#snapshotWatch = this.#requestedWatch;
      this.#options.changed();
    });
    return second;
  }
}
