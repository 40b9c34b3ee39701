/**
 * The step of a run that is looked at, with what its model shows there. Owns an engine beside the
 * one that trains, which goes to steps and answers questions about them: made when somebody looks
 * back first, and made anew for another run.
 */
import { asError, failure, ignore } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import { PastRun, secondOf } from '../../engine/past-run.ts';
import type { PastModel, VisitOptions } from '../../engine/past-run.ts';
import type { Trainer, Watch } from '../../engine/trainer.ts';
import type { StartSecond } from '../questions.ts';
import { keptText } from '../text/text-source.ts';
import type { CurrentRun } from '../training/current-run.ts';
import { RunData } from '../training/run-data.ts';
import { wayTo } from './way.ts';
import type { Going } from './way.ts';

export interface LookingBackOptions {
  readonly trainer: Trainer;
  readonly start: StartSecond;
  readonly changed: () => void;
  /** A step of the run that is shown cannot be come back to any more. */
  readonly lost: () => void;
}

interface PastEngine {
  readonly run: CurrentRun;
  readonly past: PastRun;
}

export class LookingBack {
  readonly #options: LookingBackOptions;
  #watch: Watch = { attention: null, samples: null };
  /** What the engine was asked to show, and what it had been asked when it told `#snapshot`. */
  #requestedWatch: Watch | null = null;
  #snapshotWatch: Watch | null = null;
  #engine: PastEngine | null = null;
  /** Ends the look at the step of now. */
  #abort = new AbortController();
  #model: PastModel | null = null;
  #snapshot: RunData | null = null;
  /** What is said of the way, if it is long. */
  going: Going | null = null;
  error: GlasshouseError | null = null;

  constructor(options: LookingBackOptions) {
    this.#options = options;
    void options.trainer.closed.then(() => {
      this.#close();
    });
  }

  /** The model of the step that is looked at; null where that is the newest. */
  get model(): PastModel | null {
    return this.#model;
  }

  /** What that model shows; null until it is there. */
  get seen(): RunData | null {
    return this.#snapshot?.step === this.#model?.step ? this.#snapshot : null;
  }

  /** The model of any step of `run`, whichever is looked at. */
  at(run: CurrentRun, step: number, options?: VisitOptions): PastModel {
    return this.#pastOf(run).at(step, options);
  }

  /** Another run is shown, or none. */
  follow(run: CurrentRun | null): void {
    const before = this.#engine?.run.data.number ?? null;
    if (before !== null && before !== run?.data.number) this.#close();
  }

  /** Goes to `step` of `run`; null back to now. */
  look(run: CurrentRun, step: number | null): void {
    this.follow(run);
    if (step === (this.#model?.step ?? null) && this.error === null) return;
    this.#leave();
    if (step !== null) void this.#go(run, step, this.#abort.signal);
  }

  /** What is to be shown of the step, as of the run that trains. */
  watch(watch: Watch): void {
    this.#watch = watch;
    if (this.#model === null) return;
    const { signal } = this.#abort;
    const show = (second: Trainer): Promise<void> => this.#show(second);
    this.#engine?.past.visit(this.#model.step, show, { signal }).catch(ignore);
  }

  /** An engine that was at the step before, for a question, tells of it only if it is asked. */
  async #show(second: Trainer): Promise<void> {
    const watch = this.#watch;
    if (this.seen !== null && this.#snapshotWatch === watch) return;
    await second.watch(watch);
    this.#requestedWatch = watch;
  }

  /** Ends the text that is being written. */
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

  /** Gives engine and memory back. */
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
    const { bytes } = await keptText(text);
    const start = async (): Promise<Trainer> => {
      const { trainer, place } = await this.#options.start();
      if (place === 'worker') return trainer;
      // On the page's own thread it would be in the reader's way.
      trainer.close();
      throw failure('worker', 'there is no worker to look back with');
    };
    const check = (): void => {
      if (engine !== this.#engine) throw failure('cancelled', 'the run is another one now');
    };
    const second = await secondOf(this.#options.trainer, bytes, start, check);
    second.subscribe((snapshot) => {
      // At other steps somebody asks what is not shown here.
      if (engine !== this.#engine || snapshot.step !== this.#model?.step) return;
      // Each step that it comes to is a run to the engine.
      if (this.#snapshot?.number !== snapshot.run) this.#snapshot = new RunData(snapshot.run);
      this.#snapshot.take(snapshot);
      this.#snapshotWatch = this.#requestedWatch;
      this.#options.changed();
    });
    await this.#show(second);
    return second;
  }
}
