/**
 * State of a direct trainer: the current run, and the parts that share it. Owns the text and the
 * model of the run; a newer run frees the previous model.
 */
import { TRACES } from '../base/form.ts';
import type { Engine } from './binding/engine.ts';
import type { EngineSource } from './engine-source.ts';
import { factsOf, failure, GlasshouseError, ignore } from './errors.ts';
import { Inside } from './inside.ts';
import type { KeptSnapshots } from './kept-snapshots.ts';
import { ModelMaker } from './making.ts';
import type { MadeModel } from './making.ts';
import type { WantedRecipe } from './options.ts';
import { currentRun, infoOf, newRun, NO_HISTORY } from './run.ts';
import type { Run, RunBase, RunSlot } from './run.ts';
import { SampleWriter } from './sample-writer.ts';
import { Reporter } from './reporter.ts';
import { TracePart } from './trace-part.ts';
import type { Origin, Plan, RunHistory, RunInfo, ValidationPoint, WayBack } from './trainer.ts';
import type { Tracing } from './tracing.ts';
import { TrainingLoop } from './training-loop.ts';

/** The choice of `sequences` that makes each line a document. */
const DOCUMENTS = 1;
/** If both models together fit into this, the old one lives until the new one is made. */
export const KEEP_BOTH_BYTES = 256 * 2 ** 20;

export class EngineState {
  readonly source: EngineSource;
  readonly engine: () => Promise<Engine>;
  readonly slot: RunSlot = { run: null, snapshots: null };
  readonly maker: ModelMaker;
  readonly reporter: Reporter;
  readonly writing: SampleWriter;
  readonly loop: TrainingLoop;
  readonly tracing: TracePart;
  #runs = 0;
  /** Number of `goBack` calls; an older call stops. */
  #moves = 0;
  /** Settles with the last action of `inTurn`. */
  #queue: Promise<unknown> = Promise.resolve();
  #replay: AbortController | null = null;

  /** `slice`: milliseconds of work before other calls get a turn. */
  constructor(source: EngineSource, engine: () => Promise<Engine>, slice: number) {
    this.source = source;
    this.engine = engine;
    this.maker = new ModelMaker(engine);
    this.reporter = new Reporter(this.slot);
    this.writing = new SampleWriter(this.slot, slice);
    this.loop = new TrainingLoop(this.slot, this.reporter, this.writing, slice);
    this.tracing = new TracePart(() => this.maker.text);
  }

  /** The current run; throws `state` before a model is made. */
  get run(): Run {
    return currentRun(this.slot);
  }

  get inside(): Inside {
    return this.run.inside;
  }

  /** The snapshots of the current run; null if none are kept. */
  get snapshots(): KeptSnapshots | null {
    currentRun(this.slot);
    return this.slot.snapshots;
  }

  /** The index of the text of the current run. */
  get index(): Promise<Tracing> {
    return this.tracing.of(this.run.model);
  }

  /** Runs one action at a time. Reading files takes time, and the last call must win. */
  inTurn<Result>(action: () => Promise<Result>): Promise<Result> {
    const done = this.#queue.then(action);
    this.#queue = done.then(ignore, ignore);
    return done;
  }

  /** Replaces the current run by one at step 0, or by that of a file. */
  async prepare(recipe: WantedRecipe | null, origin?: Origin): Promise<RunInfo> {
    const before = this.slot.run;
    try {
      const made = await this.maker.make(recipe, origin, (plan) => {
        this.#makeRoom(plan);
      });
      this.#drop();
      return this.#adopt(made);
    } catch (thrown) {
      if (before === null || this.slot.run !== null) throw thrown;
      throw new GlasshouseError({ ...factsOf(thrown), dropped: true });
    }
  }

  /** Returns to step 0; returns the number of the new run. */
  rewind(): number {
    const { run } = this;
    this.writing.cancel();
    run.model.rewind();
    const fresh = this.#fresh(run);
    this.#show(fresh);
    return fresh.number;
  }

  /** Keeps snapshots from now on, in memory and in a file; 0 bytes keeps none. */
  async keepMoments(bytes: number, fileBytes: number): Promise<void> {
    if (!TRACES) throw failure('questions', 'this form of the page does not look back');
    this.slot.snapshots = null;
    if (bytes === 0) return;
    const { KeptSnapshots } = await import('./kept-snapshots.ts');
    const snapshots = new KeptSnapshots(bytes);
    this.slot.snapshots = snapshots;
    if (this.slot.run !== null) snapshots.note(this.slot.run);
    if (fileBytes === 0) return;
    // Opens the file in the background: training does not wait for the disk.
    void import('./snapshot-file.ts')
      .then(({ SnapshotFile }) => SnapshotFile.open(fileBytes))
      .then((file) => {
        if (file !== null) snapshots.addFile(file);
      }, ignore);
  }

  /** Moves the current run to the step of `way`. */
  async goBack(way: WayBack, onProgress?: (step: number) => void): Promise<void> {
    if (!TRACES) throw failure('questions', 'this form of the page does not look back');
    const count = ++this.#moves;
    const { goBack } = await import('./going-back.ts');
    const { run } = this;
    const isWanted = (): boolean => count === this.#moves && run === this.slot.run;
    const check = (): void => {
      if (!isWanted()) throw failure('cancelled', 'another step is looked at now');
    };
    this.writing.cancel();
    this.loop.pause(run);
    check();
    try {
      await goBack(run.model, way, check, onProgress);
    } finally {
      // After a failure the model may be at any step of the way.
      if (isWanted()) {
        // Without a history: the training run has already sent its losses, and a million of them
        // would take tens of megabytes per visit.
        const past = newRun(++this.#runs, run, NO_HISTORY);
        this.loop.writeSample(past);
        this.#show(past);
      }
    }
  }

  /** Cancels `goBack`. */
  giveUpWay(): void {
    this.#moves++;
  }

  /** Cancels the replay of a receipt; returns the signal of the next one. */
  endReplay(): AbortSignal {
    this.#replay?.abort(failure('cancelled', 'it was cancelled'));
    this.#replay = new AbortController();
    return this.#replay.signal;
  }

  /** Frees everything but the engine. */
  close(): void {
    this.reporter.close();
    this.writing.cancel();
    this.endReplay();
    this.#drop();
    this.maker.forgetText();
  }

  /** Frees the old model unless both fit. */
  #makeRoom(plan: Plan): void {
    const held = this.slot.run?.model.get('memory_bytes') ?? 0;
    if (plan.totalBytes + held > KEEP_BOTH_BYTES) this.#drop();
  }

  #adopt({ model, plan, untrained, history, points }: MadeModel): RunInfo {
    const base = {
      model,
      inside: new Inside(model, untrained),
      context: model.get('context'),
      documents: model.get('sequences') === DOCUMENTS,
      hasValidation: plan.hasValidation,
      tokensPerStep: plan.tokensPerStep,
    };
    const run = this.#fresh(base, history, points);
    this.#show(run);
    return infoOf(run);
  }

  #fresh(base: RunBase, history?: RunHistory, points?: readonly ValidationPoint[]): Run {
    const run = newRun(++this.#runs, base, history, points);
    if (history === NO_HISTORY) return run;
    if (run.shown.samples.length === 0) this.loop.writeSample(run);
    // Measures the validation loss and the memorised share at the step of a file that lacks them.
    const isAsked = this.reporter.watch.validations !== 0;
    if (isAsked && run.step > 0 && run.shown.validations.length === 0) this.loop.validate(run);
    if (run.step > 0 && run.shown.memorised.length === 0) this.loop.memorise(run);
    return run;
  }

  #show(run: Run): void {
    this.slot.run = run;
    this.slot.snapshots?.note(run);
    this.reporter.probe(true);
    this.reporter.publish(true);
  }

  #drop(): void {
    this.tracing.forget();
    this.slot.run?.inside.free();
    this.slot.run?.model.free();
    this.slot.run = null;
  }
}
