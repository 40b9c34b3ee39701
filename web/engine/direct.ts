/**
 * The trainer on the engine itself: works in Node, in a worker, and on the page's own thread where
 * workers are refused. It trains in short slices and lets other calls in between them, so that a
 * caller never waits longer than one slice (or one step, when a step takes longer).
 */
import { factsOf, failure, GlasshouseError, ignore } from './errors.ts';
import { isOutOfRoom } from './generation.ts';
import type { HeadStatistics } from './head-statistics.ts';
import { Inside } from './inside.ts';
import type { Helpers } from './help.ts';
import { checkRecipe, findOption, parseOptionTable, wholeRecipe } from './options.ts';
import type { OptionTable, WantedRecipe } from './options.ts';
import { pointsOfNote } from './note-points.ts';
import { openModel } from './model-file.ts';
import type { OpenedFile } from './model-file.ts';
import { isSampleStep, validationInterval, validationWindows } from './schedule.ts';
import { verifyReceipt } from './receipt.ts';
import { sampleRequest } from './sampling.ts';
import type { Finding, RunReceipt } from './receipt.ts';
import {
  addAttention,
  addSample,
  addValidation,
  fileOf,
  historyOf,
  newRun,
  noteStep,
  readFit,
  readPlan,
  refuseToTrain,
  takeSnapshot,
} from './run.ts';
import type { Run, RunBase } from './run.ts';
import type {
  Fit,
  Analysis,
  Attention,
  Checkpoint,
  GenerationRequest,
  GenerationState,
  Merge,
  ModelArchitecture,
  ModelFacts,
  ModelFiles,
  Origin,
  Plan,
  RunHistory,
  RunInfo,
  RunState,
  SampleRequest,
  SampleResult,
  Sampling,
  SaveForm,
  Snapshot,
  WantedSample,
  TensorSlice,
  TensorValues,
  Tensors,
  Trainer,
  ValidationPoint,
  Watch,
} from './trainer.ts';
import type { EngineSource } from './compile.ts';
import { Engine } from './binding/engine.ts';
import { FINISHED } from './binding/exports.ts';
import type { EngineModel } from './binding/model.ts';
import type { EngineRecipe } from './binding/recipe.ts';
import type { EngineText } from './binding/text.ts';
import { bytesOf } from './text-bytes.ts';
import { Untrained } from './untrained.ts';
import { yieldTask } from '../base/yield-task.ts';

/** Milliseconds between two snapshots, and between two attention pictures. */
const SNAPSHOT_INTERVAL = 100;
const ATTENTION_INTERVAL = 250;
/**
 * A picture may take at most this fraction (1 / PART) of the time, so that looking hardly slows
 * training.
 */
const ATTENTION_PARTS = 100;
/** The same while training is held back to be watched: there is time enough. */
const ATTENTION_PARTS_HELD = 5;

/**
 * Milliseconds that training rests at a time, at most; and between two looks whether it still
 * should wait.
 */
const LONGEST_REST = 500;
const LONGEST_WAIT = 50;

/** Bytes of the held-out text that a caller gets to see. */
const HELD_OUT_BYTES = 4096;
/** Characters after which one step's sample is long enough, however many texts it has. */
const ENOUGH_TEXT = 72;
/** The choice of `sequences` that makes each line a document. */
const DOCUMENTS = 1;
/** Below this, an old model may live until the new one is made; above, memory comes first. */
const KEEP_BOTH_BYTES = 256 * 2 ** 20;

export interface DirectOptions {
  /** Milliseconds of training between two chances for other calls; shorter on the page's thread. */
  readonly slice?: number;
  /**
   * Threads that help this one, with the threaded module. This thread must be one that may wait.
   */
  readonly helpers?: Helpers;
}

/** Waits `milliseconds`, but at most LONGEST_WAIT, so that a change of pace is noticed. */
function moment(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.min(milliseconds, LONGEST_WAIT)));
}

/** Of attention on a text, unless others are asked for: as many as a picture can show. */
const PROBE_TOKENS = 64;

/** Fulfils Trainer on the module in this thread. Takes the module's bytes, its URL, or itself. */
export class DirectTrainer implements Trainer {
  #loading: Promise<Engine>;
  /** Ends with the last call of `prepare`. */
  #preparing: Promise<unknown> = Promise.resolve();
  readonly #source: EngineSource;
  #verifying: AbortController | null = null;
  readonly #slice: number;
  readonly #listeners = new Set<(snapshot: Snapshot) => void>();
  #table: OptionTable | null = null;
  #text: EngineText | null = null;
  #run: Run | null = null;
  #runs = 0;
  #looping = false;
  #watch: Watch = { attention: null, samples: null };
  #lastSnapshot = -Infinity;
  #lastAttention = -Infinity;
  #attentionCost = 0;
  #snapshotTimer: ReturnType<typeof setTimeout> | undefined;
  #sampling: Promise<unknown> = Promise.resolve();
  /** What training waits for; see `hold`. */
  #held: Promise<unknown> = Promise.resolve();
  #samplings = 0;
  /** Steps a second, or 0 for as many as possible; and when the next one is due. */
  #pace = 0;
  /** Until then training rests. */
  #restEnd = 0;
  #due = 0;
  /** The run that a request is being written with, if any: its cache is in use. */
  #writing: Run | null = null;
  readonly #endHelpers: (() => void)[] = [];
  readonly closed: Promise<void>;
  #tellClosed: () => void = () => undefined;
  #closed = false;
  /** Something is new that no snapshot has told yet. */
  #pending = false;
  /** What training waits for where nobody has heard yet that it begins; and what ends that wait. */
  #announcement: Promise<void> = Promise.resolve();
  #announced: (() => void) | null = null;
  /** Whether the listener is ready for another snapshot; the worker holds it back until told. */
  ready: () => boolean = () => true;

  constructor(source: EngineSource, options: DirectOptions = {}) {
    this.#source = source;
    this.closed = new Promise((resolve) => {
      this.#tellClosed = resolve;
    });
    this.#loading = Engine.load(source).then((engine) => {
      if (!this.#closed && options.helpers !== undefined)
        this.#callHelpers(engine, options.helpers);
      return engine;
    });
    // The first call reports a failed load. This catch only keeps Node from exiting on an unhandled
    // rejection.
    this.#loading.catch(() => undefined);
    this.#slice = options.slice ?? 25;
  }

  async options(): Promise<OptionTable> {
    const engine = await this.#loading;
    this.#table ??= parseOptionTable(engine.optionsJson());
    return this.#table;
  }

  async setText(text: Uint8Array<ArrayBuffer> | string): Promise<void> {
    const engine = await this.#loading;
    const bytes = bytesOf(text);
    this.#text?.free();
    this.#text = null;
    this.#text = engine.text(bytes);
  }

  async inspect(files: ModelFiles): Promise<ModelFacts> {
    const opened = await this.#open(files);
    try {
      return opened.facts((await this.options()).options.map(({ name }) => name));
    } finally {
      opened.free();
    }
  }

  async plan(recipe: WantedRecipe | null, origin?: Origin): Promise<Plan> {
    if (origin !== undefined) {
      const opened = await this.#open(origin.files, recipe);
      try {
        return readPlan(opened.loader.planJson(origin.purpose, this.#textFor(origin)));
      } finally {
        opened.free();
      }
    }
    const engineRecipe = await this.#recipe(recipe);
    try {
      return this.#plan(engineRecipe);
    } finally {
      engineRecipe.free();
    }
  }

  async architecture(recipe: WantedRecipe, vocab: number): Promise<ModelArchitecture> {
    const engineRecipe = await this.#recipe(recipe);
    try {
      return JSON.parse(engineRecipe.architectureJson(vocab)) as ModelArchitecture;
    } finally {
      engineRecipe.free();
    }
  }

  async parameterCounts(
    recipes: readonly WantedRecipe[],
    vocab: number,
  ): Promise<readonly number[]> {
    await this.options();
    const models = recipes.map((recipe) => this.architecture(recipe, vocab));
    return Promise.all(
      models.map((model) =>
        model.then(
          ({ weights }) => weights,
          () => NaN,
        ),
      ),
    );
  }

  async fit(): Promise<Fit> {
    const { presets } = await this.options();
    const recipe = await this.#recipe({ preset: presets[0]!, changes: {} });
    try {
      return readFit(recipe.fitJson(this.#heldText()));
    } finally {
      recipe.free();
    }
  }

  /** One after the other: files take a while, and the last call decides which model stays. */
  prepare(recipe: WantedRecipe | null, origin?: Origin): Promise<RunInfo> {
    const prepared = this.#preparing.then(() => this.#prepare(recipe, origin));
    this.#preparing = prepared.then(ignore, ignore);
    return prepared;
  }

  async #prepare(recipe: WantedRecipe | null, origin: Origin | undefined): Promise<RunInfo> {
    const before = this.#run;
    try {
      return await (origin === undefined ? this.#begin(recipe) : this.#load(recipe, origin));
    } catch (thrown) {
      if (before === null || this.#run !== null) throw thrown;
      throw new GlasshouseError({ ...factsOf(thrown), dropped: true });
    }
  }

  async #begin(recipe: WantedRecipe | null): Promise<RunInfo> {
    const engineRecipe = await this.#recipe(recipe);
    let untrained: Untrained | null = null;
    try {
      // The plan finds all that is wrong with text and recipe while the old model still stands.
      const plan = this.#plan(engineRecipe);
      const text = this.#heldText();
      this.#makeRoom(plan);
      const model = engineRecipe.train(text);
      untrained = new Untrained(engineRecipe, text);
      this.#drop();
      return this.#adopt(model, plan, untrained);
    } finally {
      if (untrained === null) engineRecipe.free();
    }
  }

  async save(form: SaveForm, note: string): Promise<Blob> {
    await this.#loading;
    return fileOf(this.#current(), form, note);
  }

  async checkpoint(note: string): Promise<Checkpoint> {
    await this.#loading;
    const begun = performance.now();
    const run = this.#current();
    const file = fileOf(run, 'checkpoint', note);
    const { number, state, step, steps } = run;
    const history = historyOf(run);
    const cost = performance.now() - begun;
    return { file, history, run: number, state, step, steps, cost };
  }

  async receipt(): Promise<RunReceipt> {
    await this.#loading;
    const { model } = this.#current();
    return { line: model.receiptLine(), json: model.receiptJson() };
  }

  async verify(
    json: string,
    text: Uint8Array<ArrayBuffer>,
    onProgress?: (finding: Finding) => void,
  ): Promise<Finding> {
    this.#verifying?.abort(failure('cancelled', 'it was cancelled'));
    const controller = new AbortController();
    this.#verifying = controller;
    const { signal } = controller;
    return verifyReceipt(
      this.#source,
      json,
      text,
      onProgress === undefined ? { signal } : { signal, onProgress },
    );
  }

  cancelVerify(): Promise<void> {
    this.#verifying?.abort(failure('cancelled', 'it was cancelled'));
    return Promise.resolve();
  }

  start(): Promise<void> {
    return this.#guard((run) => {
      refuseToTrain(run);
      if (run.state === 'running' || run.state === 'diverged') return;
      if (run.step >= run.steps) {
        run.state = 'finished';
        this.#publish(true);
        return;
      }
      run.state = 'running';
      run.speed.restart();
      this.#announce();
      void this.#loop();
    });
  }

  pause(): Promise<void> {
    return this.#guard((run) => {
      if (run.state !== 'running') return;
      run.state = 'paused';
      this.#publish(true);
    });
  }

  step(): Promise<void> {
    return this.#guard(async (run) => {
      refuseToTrain(run);
      if (run.state === 'diverged') return;
      await this.#sampling;
      if (run !== this.#run) return;
      run.state = 'paused';
      this.#advance(run);
      this.#publish(true);
    });
  }

  async rewind(): Promise<number> {
    let number = NaN;
    await this.#guard((run) => {
      this.#samplings += 1;
      run.model.rewind();
      this.#run = this.#fresh(run);
      ({ number } = this.#run);
      this.#look(true);
      this.#publish(true);
    });
    return number;
  }

  async pace(stepsPerSecond: number): Promise<void> {
    await this.#loading;
    this.#pace = Math.max(0, stepsPerSecond);
    this.#due = performance.now();
  }

  async rest(milliseconds: number): Promise<void> {
    await this.#loading;
    this.#restEnd = performance.now() + Math.min(milliseconds, LONGEST_REST);
  }

  set(option: string, value: number): Promise<void> {
    return this.#guard((run) => {
      run.model.set(option, value);
      run.steps = run.model.get('steps');
      if (run.state === 'finished' && run.step < run.steps) run.state = 'paused';
      this.#publish(true);
    });
  }

  async watch(watch: Watch): Promise<void> {
    await this.#loading;
    const before = this.#watch;
    this.#watch = watch;
    const run = this.#run;
    if (run === null) return;
    if (before.samples === null && watch.samples !== null) this.#writeSample(run);
    if (run.state !== 'running') this.#look(true);
    this.#publish(true);
  }

  async sample(wanted: WantedSample, onText?: (text: string) => void): Promise<SampleResult> {
    await this.#loading;
    this.#current();
    const request = sampleRequest(wanted);
    const ticket = ++this.#samplings;
    const turn = this.#sampling.then(() => this.#write(ticket, request, onText));
    // The next request waits for this one to end, however it ends.
    this.#sampling = turn.catch(() => undefined);
    return turn;
  }

  async cancelSample(): Promise<void> {
    this.#samplings += 1;
    await this.#sampling;
  }

  async probe(text: string, maxTokens = PROBE_TOKENS): Promise<Attention> {
    await this.#loading;
    return this.#current().inside.look(text, maxTokens);
  }

  async untrainedHeads(text: string, maxTokens: number): Promise<readonly HeadStatistics[] | null> {
    await this.#loading;
    const { inside } = this.#current();
    return inside.untrainedHeads(text, maxTokens, this.#text, KEEP_BOTH_BYTES);
  }

  async analyse(text: string, maxTokens: number, isCut = false): Promise<Analysis> {
    await this.#loading;
    return this.#current().inside.analyse(text, maxTokens, isCut);
  }

  async beginGeneration(wanted: Partial<GenerationRequest>): Promise<GenerationState> {
    await this.#loading;
    return this.#current().inside.generation.begin(sampleRequest(wanted));
  }

  async nextToken(): Promise<GenerationState> {
    await this.#loading;
    return this.#current().inside.generation.next(null);
  }

  async takeToken(id: number): Promise<GenerationState> {
    await this.#loading;
    return this.#current().inside.generation.next(id);
  }

  async undoToken(): Promise<GenerationState> {
    await this.#loading;
    return this.#current().inside.generation.undo();
  }

  async adjustSampling(sampling: Sampling): Promise<GenerationState> {
    await this.#loading;
    return this.#current().inside.generation.adjust(sampling);
  }

  async endGeneration(): Promise<void> {
    await this.#loading;
    this.#run?.inside.generation.end();
  }

  async tensors(text: string, gradients: boolean): Promise<Tensors> {
    await this.#loading;
    return this.#current().inside.tensors.list(text, gradients);
  }

  async tensor(index: number, slice: TensorSlice): Promise<TensorValues> {
    await this.#loading;
    return this.#current().inside.tensors.read(index, slice);
  }

  async merges(first: number, count: number): Promise<readonly Merge[]> {
    await this.#loading;
    return this.#current().inside.merges(first, count);
  }

  subscribe(listener: (snapshot: Snapshot) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#tellClosed();
    this.#listeners.clear();
    clearTimeout(this.#snapshotTimer);
    this.#samplings += 1;
    this.#verifying?.abort(failure('cancelled', 'it was cancelled'));
    this.#drop();
    this.#text?.free();
    this.#text = null;
    this.#closed = true;
    const loading = this.#loading;
    // Whatever is asked from here on is answered as by a worker that is gone.
    this.#loading = Promise.reject(failure('worker', 'the trainer was closed'));
    this.#loading.catch(ignore);
    void loading.then(
      (engine) => {
        engine.stopThreads();
        for (const end of this.#endHelpers.splice(0)) end();
      },
      () => undefined,
    );
  }

  /** They come when they can: nothing waits for them. */
  #callHelpers(engine: Engine, { count, start }: Helpers): void {
    while (this.#endHelpers.length < count) {
      const seat = engine.seat();
      if (seat === null) return;
      this.#endHelpers.push(start(seat));
    }
  }

  /** Where the run is; null without a run. */
  get place(): Pick<Checkpoint, 'run' | 'step' | 'state'> | null {
    if (this.#run === null) return null;
    const { number, step, state } = this.#run;
    return { run: number, step, state };
  }

  /**
   * Training stands still, between two steps, until `work` has ended; its state does not change.
   */
  async hold<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = work();
    this.#held = Promise.allSettled([this.#held, result]);
    return result;
  }

  /** Sends what is new, if it was held back. The worker calls it when its page is ready again. */
  flush(): void {
    if (this.#pending) this.#publish(this.#announced !== null);
  }

  // ---- Recipes and models -----------------------------------------------------------------------

  async #recipe(wanted: WantedRecipe | null): Promise<EngineRecipe> {
    const recipe = wholeRecipe(wanted);
    const engine = await this.#loading;
    const error = checkRecipe(await this.options(), recipe);
    if (error !== null) throw error;
    const made = engine.recipe(recipe.preset);
    try {
      for (const [option, value] of Object.entries(recipe.changes)) made.set(option, value);
      made.check();
      return made;
    } catch (thrown) {
      made.free();
      throw thrown;
    }
  }

  #plan(recipe: EngineRecipe): Plan {
    return readPlan(recipe.planJson(this.#heldText()));
  }

  #heldText(): EngineText {
    if (this.#text === null || this.#text.length === 0) {
      throw failure('empty', 'the text is empty: paste or choose some text to learn from');
    }
    return this.#text;
  }

  // ---- Models from files ------------------------------------------------------------------------

  /** Reads the header of the files; with a recipe, changes what it wants otherwise. */
  async #open(files: ModelFiles, wanted?: WantedRecipe | null): Promise<OpenedFile> {
    const engine = await this.#loading;
    const table = await this.options();
    const changes = wanted?.changes ?? {};
    const error = checkRecipe(table, { preset: wanted?.preset ?? table.presets[0]!, changes });
    if (error !== null) throw error;
    const opened = await openModel(engine, files);
    try {
      for (const [name, value] of Object.entries(changes)) {
        opened.want(findOption(table, name)!, value);
      }
      if (wanted) opened.check();
      return opened;
    } catch (thrown) {
      opened.free();
      throw thrown;
    }
  }

  #textFor(origin: Origin): EngineText | null {
    return origin.purpose === 'generate' ? null : this.#heldText();
  }

  async #load(recipe: WantedRecipe | null, origin: Origin): Promise<RunInfo> {
    const opened = await this.#open(origin.files, recipe);
    let untrained: Untrained | null = null;
    try {
      // One text for all of it: another may come while the files are read.
      const text = this.#textFor(origin);
      const plan = readPlan(opened.loader.planJson(origin.purpose, text));
      // What may change in mid-run leaves the first weights as they were.
      if (origin.purpose === 'resume' && text !== null) {
        const { presets, options } = await this.options();
        const { values } = opened.facts(options.map(({ name }) => name));
        const first = await this.#recipe({ preset: presets[0]!, changes: values });
        untrained = new Untrained(first, text);
      }
      this.#makeRoom(plan);
      const { note } = opened.facts([]);
      opened.loader.begin(origin.purpose, text);
      const model = await opened.finish();
      this.#drop();
      const [first, { history }] = [untrained, origin];
      untrained = null;
      if (origin.purpose !== 'resume') return this.#adopt(model, plan, null);
      const points = history?.validations ?? pointsOfNote(note, model.get('step'));
      return this.#adopt(model, plan, first, history, points);
    } finally {
      untrained?.free();
      opened.free();
    }
  }

  /** Two models at once only where there is room for both. */
  #makeRoom(plan: Plan): void {
    const held = this.#run?.model.get('memory_bytes') ?? 0;
    if (plan.totalBytes + held > KEEP_BOTH_BYTES) this.#drop();
  }

  #adopt(
    model: EngineModel,
    plan: Plan,
    untrained: Untrained | null,
    history?: RunHistory,
    points?: readonly ValidationPoint[],
  ): RunInfo {
    const base = {
      model,
      inside: new Inside(model, untrained),
      context: model.get('context'),
      documents: model.get('sequences') === DOCUMENTS,
      hasValidation: plan.hasValidation,
    };
    const run = this.#fresh(base, history, points);
    this.#run = run;
    this.#look(true);
    this.#publish(true);
    return {
      run: run.number,
      step: run.step,
      steps: run.steps,
      context: run.context,
      documents: run.documents,
      hasValidation: run.hasValidation,
      memoryBytes: model.get('memory_bytes'),
      trains: model.get('generates_only') !== 1,
      merges: model.get('merges'),
      trainTokensPerCharacter: model.get('train_tokens_per_character'),
      validationTokensPerCharacter: model.get('validation_tokens_per_character'),
      heldOutText: model.heldOutText(HELD_OUT_BYTES),
    };
  }

  #fresh(base: RunBase, history?: RunHistory, points?: readonly ValidationPoint[]): Run {
    const run = newRun(++this.#runs, base, history, points);
    if (run.shown.samples.length === 0) this.#writeSample(run);
    // An old file has no validation losses: that of the step at which it was saved can be measured.
    if (run.step > 0 && run.shown.validations.length === 0) this.#validate(run);
    return run;
  }

  #drop(): void {
    this.#run?.inside.free();
    this.#run?.model.free();
    this.#run = null;
  }

  #current(): Run {
    if (this.#run === null) throw failure('state', 'there is no model yet', [], 'prepare');
    return this.#run;
  }

  async #guard(action: (run: Run) => void | Promise<void>): Promise<void> {
    await this.#loading;
    await action(this.#current());
  }

  // ---- Training ---------------------------------------------------------------------------------

  /** Trains while the current run is running, whichever run that is. At most one loop exists. */
  async #loop(): Promise<void> {
    if (this.#looping) return;
    this.#looping = true;
    try {
      for (;;) {
        await yieldTask();
        // A text being written uses the cache of the model: training waits for its end.
        if (this.#writing !== null) await this.#sampling;
        await this.#held;
        await this.#announcement;
        const run = this.#run;
        if (run?.state !== 'running') return;
        const rest = this.#restEnd - performance.now();
        if (rest > 0) {
          await moment(rest);
          // The speed is that of training.
          run.speed.restart();
          continue;
        }
        if (this.#pace > 0) await this.#advancePaced(run);
        else this.#advanceSlice(run);
        run.speed.note(run.step, run.model.get('tokens_seen'));
        // The last step of a run may not wait for its turn.
        this.#publish((run.state as RunState) !== 'running');
      }
    } finally {
      this.#looping = false;
    }
  }

  #advanceSlice(run: Run): void {
    const end = performance.now() + this.#slice;
    while (performance.now() < end && this.#advance(run));
  }

  /** One step if it is due, or a moment's wait. */
  async #advancePaced(run: Run): Promise<void> {
    const wait = this.#due - performance.now();
    if (wait > 0) {
      await moment(wait);
      return;
    }
    // What was missed by more than a moment is not made up for.
    this.#due = Math.max(this.#due, performance.now() - 50) + 1000 / this.#pace;
    this.#advance(run);
  }

  /** One step with all that belongs to it. Returns whether there may be another. */
  #advance(run: Run): boolean {
    try {
      if (run.model.step() === FINISHED) {
        run.state = 'finished';
        return false;
      }
    } catch (thrown) {
      run.state = 'diverged';
      run.error = factsOf(thrown);
      return false;
    }
    noteStep(run);
    const due = run.step === 1 || run.step % validationInterval(run.steps) === 0;
    if (due) this.#validate(run);
    if (run.step >= run.steps) run.state = 'finished';
    if (isSampleStep(run.step) || run.state === 'finished') {
      this.#writeSample(run);
      // Seen by nobody now, perhaps, but to look back at later.
      this.#look(true);
    }
    return run.state === 'running';
  }

  /** Notes the validation loss of the current step, where a part of the text is held out. */
  #validate(run: Run): void {
    if (!run.hasValidation) return;
    const loss = run.model.validate(validationWindows(run.context));
    if (Number.isFinite(loss)) addValidation(run, { step: run.step, loss });
  }

  // ---- Writing ----------------------------------------------------------------------------------

  /** The sample of the current step, always with the same seeds: what changes is the model. */
  #writeSample(run: Run): void {
    const wanted = this.#watch.samples;
    if (wanted === null || this.#writing === run) return;
    const count = run.documents ? wanted.count : 1;
    const texts: string[] = [];
    const cut: number[] = [];
    try {
      let length = 0;
      for (let seed = 1; seed <= count && length < ENOUGH_TEXT; seed++) {
        run.model.sampleBegin('', 0.8, 0, 1, seed);
        for (let drawn = 0; drawn < wanted.maxTokens && !run.model.sampleEnded(); drawn++) {
          run.model.sampleNext();
        }
        const text = run.model.sampleText();
        length += text.length;
        const isWhole = run.model.sampleEnded() && !run.model.sampleFull();
        if (run.documents && !isWhole) cut.push(texts.length);
        texts.push(text);
      }
      addSample(run, { step: run.step, texts, cut });
    } catch (thrown) {
      run.error ??= factsOf(thrown);
    }
  }

  /** Writes the text of one request in slices; a newer ticket, or a new run, cancels it. */
  async #write(
    ticket: number,
    request: SampleRequest,
    onText: ((text: string) => void) | undefined,
  ): Promise<SampleResult> {
    const run = this.#current();
    const { model } = run;
    const cancelled = (): boolean => ticket !== this.#samplings || run !== this.#run;
    const result = (text: string, tokens: number, limitReached = false): SampleResult => ({
      step: run.step,
      text,
      tokens,
      ended: !cancelled() && model.sampleEnded(),
      full: !cancelled() && model.sampleFull(),
      refills: cancelled() ? 0 : model.sampleRefills(),
      cancelled: cancelled(),
      limitReached,
    });
    if (cancelled()) return result('', 0);
    this.#writing = run;
    try {
      const { prompt, temperature, topK, topP, seed, maxTokens } = request;
      model.sampleBegin(prompt, temperature, topK, topP, seed);
      let drawn = 0;
      let text = '';
      while (drawn < maxTokens && !cancelled() && !model.sampleEnded()) {
        const end = performance.now() + this.#slice;
        do {
          try {
            model.sampleNext();
          } catch (thrown) {
            // What has been written is worth keeping.
            if (isOutOfRoom(thrown)) return result(model.sampleText(), drawn, true);
            throw thrown;
          }
          drawn += 1;
        } while (drawn < maxTokens && !model.sampleEnded() && performance.now() < end);
        text = model.sampleText();
        onText?.(text);
        await yieldTask();
      }
      return result(text, drawn);
    } finally {
      this.#writing = null;
    }
  }

  // ---- Telling ----------------------------------------------------------------------------------

  /** Makes an attention picture when one is wanted, would be new, and is due (or `now`). */
  #look(now: boolean): void {
    const run = this.#run;
    const wanted = this.#watch.attention;
    if (run === null || wanted === null || this.#listeners.size === 0) return;
    const key = `${String(run.step)} ${String(wanted.maxTokens)} ${wanted.text}`;
    if (key === run.attentionKey || !(now || wanted.live)) return;
    const parts = this.#pace > 0 ? ATTENTION_PARTS_HELD : ATTENTION_PARTS;
    const interval = Math.max(ATTENTION_INTERVAL, (parts - 1) * this.#attentionCost);
    const start = performance.now();
    if (!now && start - this.#lastAttention < interval) return;
    run.attentionKey = key;
    try {
      addAttention(run, run.inside.look(wanted.text, wanted.maxTokens));
      run.attentionError = null;
    } catch (thrown) {
      run.attentionError = factsOf(thrown);
    }
    this.#lastAttention = performance.now();
    this.#attentionCost = this.#lastAttention - start;
  }

  /** Tells that training begins. A short run could end before a listener is ready. */
  #announce(): void {
    this.#publish(true);
    if (this.ready() || !this.#pending || this.#announced !== null) return;
    this.#announcement = new Promise((resolve) => {
      this.#announced = resolve;
    });
  }

  /** Sends a snapshot: at once if `now`, else when the last one is long enough ago. */
  #publish(now: boolean): void {
    const run = this.#run;
    if (run === null || this.#listeners.size === 0) return;
    this.#pending = true;
    const wait = this.#lastSnapshot + SNAPSHOT_INTERVAL - performance.now();
    if (!this.ready() || (!now && wait > 0)) {
      // While training, the next slice asks again; otherwise a timer (or `flush`) must.
      if (run.state !== 'running' && this.ready()) {
        clearTimeout(this.#snapshotTimer);
        this.#snapshotTimer = setTimeout(() => {
          this.#publish(true);
        }, wait);
      }
      return;
    }
    this.#look(run.state !== 'running');
    this.#lastSnapshot = performance.now();
    this.#pending = false;
    clearTimeout(this.#snapshotTimer);
    const snapshot = takeSnapshot(run);
    for (const listener of this.#listeners) listener(snapshot);
    this.#announced?.();
    this.#announced = null;
  }
}
