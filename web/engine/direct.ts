/**
 * The trainer on the engine itself: works in Node, in a worker, and on the page's own thread where
 * workers are refused. Owns the run of now, which its parts share: how it is made (making.ts),
 * trained (training-loop.ts), written with (sample-writer.ts) and told of (telling.ts).
 */
import { TRACES } from '../base/form.ts';
import { Engine } from './binding/engine.ts';
import type { EngineSource } from './compile.ts';
import { factsOf, failure, GlasshouseError, ignore } from './errors.ts';
import type { HeadStatistics } from './head-statistics.ts';
import type { Helpers } from './help.ts';
import { Inside } from './inside.ts';
import { ModelMaker } from './making.ts';
import type { MadeModel } from './making.ts';
import type { OptionTable, WantedRecipe } from './options.ts';
import { PastPart } from './past-part.ts';
import type { Finding, RunReceipt } from './receipt.ts';
import { currentRun, fileOf, historyOf, infoOf, newRun, NO_HISTORY } from './run.ts';
import type { Run, RunBase, RunSlot } from './run.ts';
import { sampleRequest } from './sampling.ts';
import { Teller } from './telling.ts';
import { TrainingLoop } from './training-loop.ts';
import type {
  Fit,
  Analysis,
  Attention,
  Checkpoint,
  ExportForm,
  FileSource,
  GenerationRequest,
  GenerationState,
  KeptMoment,
  Merge,
  ModelArchitecture,
  ModelFacts,
  ModelFiles,
  Origin,
  Plan,
  RunHistory,
  RunInfo,
  SampleResult,
  Said,
  Sampling,
  SaveForm,
  Snapshot,
  WantedSample,
  TensorSlice,
  TensorValues,
  Token,
  Tensors,
  TracedText,
  Trainer,
  ValidationPoint,
  Watch,
  WayBack,
  Yardsticks,
  Pace,
} from './trainer.ts';
import { SampleWriter } from './sample-writer.ts';
import { TracePart } from './trace-part.ts';
import type { Tracing } from './tracing.ts';

/** The choice of `sequences` that makes each line a document. */
const DOCUMENTS = 1;
/** Below this, an old model may live until the new one is made; above, memory comes first. */
const KEEP_BOTH_BYTES = 256 * 2 ** 20;
/** Of attention on a text, unless others are asked for: as many as a picture can show. */
const PROBE_TOKENS = 64;

export interface DirectOptions {
  /** Milliseconds of training between two chances for other calls; shorter on the page's thread. */
  readonly slice?: number;
  /**
   * Threads that help this one, with the threaded module. This thread must be one that may wait.
   */
  readonly helpers?: Helpers;
}

/** Fulfils Trainer on the module in this thread. Takes the module's bytes, its URL, or itself. */
export class DirectTrainer implements Trainer {
  #loading: Promise<Engine>;
  /** Ends with the last call of `prepare`. */
  #preparing: Promise<unknown> = Promise.resolve();
  readonly #source: EngineSource;
  readonly #slot: RunSlot = { run: null, snapshots: null };
  readonly #maker: ModelMaker;
  readonly #teller: Teller;
  readonly #writing: SampleWriter;
  readonly #loop: TrainingLoop;
  readonly #tracing: TracePart;
  #verifying: AbortController | null = null;
  readonly #past = new PastPart(this.#slot);
  #runs = 0;
  readonly #endHelpers: (() => void)[] = [];
  readonly closed: Promise<void>;
  #tellClosed: () => void = () => undefined;
  #closed = false;

  constructor(source: EngineSource, { slice = 25, helpers }: DirectOptions = {}) {
    this.#source = source;
    this.closed = new Promise((resolve) => {
      this.#tellClosed = resolve;
    });
    this.#loading = Engine.load(source).then((engine) => {
      if (!this.#closed && helpers !== undefined) this.#callHelpers(engine, helpers);
      return engine;
    });
    // The first call reports a failed load. This catch only keeps Node from exiting on an unhandled
    // rejection.
    this.#loading.catch(() => undefined);
    this.#maker = new ModelMaker(() => this.#loading);
    this.#tracing = new TracePart(() => this.#maker.text);
    this.#teller = new Teller(this.#slot);
    this.#writing = new SampleWriter(this.#slot, slice);
    this.#loop = new TrainingLoop(this.#slot, this.#teller, this.#writing, slice);
  }

  // ---- Recipes and models -----------------------------------------------------------------------

  options(): Promise<OptionTable> {
    return this.#maker.options();
  }

  setText(text: Uint8Array<ArrayBuffer> | string): Promise<void> {
    // It reads from the text before.
    this.#tracing.forget();
    return this.#maker.setText(text);
  }

  inspect(files: ModelFiles): Promise<ModelFacts> {
    return this.#maker.inspect(files);
  }

  plan(recipe: WantedRecipe | null, origin?: Origin): Promise<Plan> {
    return this.#maker.plan(recipe, origin);
  }

  architecture(recipe: WantedRecipe, vocab: number): Promise<ModelArchitecture> {
    return this.#maker.architecture(recipe, vocab);
  }

  async parameterCounts(
    recipes: readonly WantedRecipe[],
    vocab: number,
  ): Promise<readonly number[]> {
    await this.options();
    const counts = recipes.map((recipe) =>
      this.architecture(recipe, vocab).then(
        ({ weights }) => weights,
        () => NaN,
      ),
    );
    return Promise.all(counts);
  }

  fit(): Promise<Fit> {
    return this.#maker.fit();
  }

  /** One after the other: files take a while, and the last call decides which model stays. */
  prepare(recipe: WantedRecipe | null, origin?: Origin): Promise<RunInfo> {
    const prepared = this.#preparing.then(() => this.#prepare(recipe, origin));
    this.#preparing = prepared.then(ignore, ignore);
    return prepared;
  }

  async #prepare(recipe: WantedRecipe | null, origin: Origin | undefined): Promise<RunInfo> {
    const before = this.#slot.run;
    try {
      const made = await this.#maker.make(recipe, origin, (plan) => {
        this.#makeRoom(plan);
      });
      this.#drop();
      return this.#adopt(made);
    } catch (thrown) {
      if (before === null || this.#slot.run !== null) throw thrown;
      throw new GlasshouseError({ ...factsOf(thrown), dropped: true });
    }
  }

  /** Two models at once only where there is room for both. */
  #makeRoom(plan: Plan): void {
    const held = this.#slot.run?.model.get('memory_bytes') ?? 0;
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
    if (run.shown.samples.length === 0) this.#loop.writeSample(run);
    // Old files have neither: those of the step at which it was saved can be measured.
    if (run.step > 0 && run.shown.validations.length === 0) this.#loop.validate(run);
    if (run.step > 0 && run.shown.memorised.length === 0) this.#loop.memorise(run);
    return run;
  }

  #show(run: Run): void {
    this.#slot.run = run;
    this.#slot.snapshots?.note(run);
    this.#teller.look(true);
    this.#teller.publish(true);
  }

  #drop(): void {
    this.#tracing.forget();
    this.#slot.run?.inside.free();
    this.#slot.run?.model.free();
    this.#slot.run = null;
  }

  // ---- Files and receipts -----------------------------------------------------------------------

  save(form: SaveForm, note: string): Promise<Blob> {
    return this.#ask((run) => fileOf(run, form, note));
  }

  async convert(weights: FileSource, form: ExportForm, said?: Said): Promise<Blob> {
    const [formats, engine] = await this.#formats();
    return formats.exportAs(engine.exports, weights, form, said);
  }

  async measure(weights: FileSource, form: ExportForm): Promise<number> {
    const [formats, engine] = await this.#formats();
    return formats.sizeAs(engine.exports, weights, form);
  }

  async translate(file: FileSource): Promise<ModelFiles> {
    const [formats, engine] = await this.#formats();
    return formats.importFile(engine.exports, file);
  }

  #formats() {
    if (!TRACES) throw failure('questions', 'this form of the page has no other formats');
    return Promise.all([import('./formats.ts'), this.#loading]);
  }

  checkpoint(note: string): Promise<Checkpoint> {
    return this.#ask((run) => {
      const begun = performance.now();
      const file = fileOf(run, 'checkpoint', note);
      const { number, state, step, steps } = run;
      const history = historyOf(run);
      const cost = performance.now() - begun;
      this.#teller.catchUp();
      return { file, history, run: number, state, step, steps, cost };
    });
  }

  receipt(): Promise<RunReceipt> {
    return this.#ask(({ model }) => ({ line: model.receiptLine(), json: model.receiptJson() }));
  }

  async verify(
    json: string,
    text: Uint8Array<ArrayBuffer> | readonly Uint8Array<ArrayBuffer>[],
    onProgress?: (finding: Finding) => void,
  ): Promise<Finding> {
    this.#endVerify();
    const { signal } = (this.#verifying = new AbortController());
    const options = onProgress === undefined ? { signal } : { signal, onProgress };
    const { verifyReceipt } = await import('./verify.ts');
    return verifyReceipt(this.#source, json, text, options);
  }

  cancelVerify(): Promise<void> {
    this.#endVerify();
    return Promise.resolve();
  }

  #endVerify(): void {
    this.#verifying?.abort(failure('cancelled', 'it was cancelled'));
  }

  // ---- Training ---------------------------------------------------------------------------------

  start(until?: number): Promise<void> {
    return this.#ask((run) => {
      this.#loop.start(run, until);
    });
  }

  pause(): Promise<void> {
    return this.#ask((run) => {
      this.#loop.pause(run);
    });
  }

  step(): Promise<void> {
    return this.#ask((run) => this.#loop.step(run));
  }

  rewind(): Promise<number> {
    return this.#ask((run) => {
      this.#writing.cancel();
      run.model.rewind();
      const fresh = this.#fresh(run);
      this.#show(fresh);
      return fresh.number;
    });
  }

  async pace(pace: Pace): Promise<void> {
    await this.#loading;
    this.#loop.pace(pace);
  }

  async rest(milliseconds: number): Promise<void> {
    await this.#loading;
    this.#loop.rest(milliseconds);
  }

  set(option: string, value: number): Promise<void> {
    return this.#ask((run) => {
      run.model.set(option, value);
      this.#slot.snapshots?.change(run, option, value);
      run.steps = run.model.get('steps');
      if (run.state === 'finished' && run.step < run.steps) run.state = 'paused';
      this.#teller.publish(true);
    });
  }

  /** Training stands still, between two steps, until `work` has ended. */
  hold<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#loop.hold(work);
  }

  /** Where the run is; null without a run. */
  get place(): Pick<Checkpoint, 'run' | 'step' | 'state'> | null {
    if (this.#slot.run === null) return null;
    const { number, step, state } = this.#slot.run;
    return { run: number, step, state };
  }

  // ---- Snapshots --------------------------------------------------------------------------------

  async watch(watch: Watch): Promise<void> {
    await this.#loading;
    const before = this.#teller.watch;
    this.#teller.watch = watch;
    const { run } = this.#slot;
    if (run === null) return;
    if (before.samples === null && watch.samples !== null) this.#loop.writeSample(run);
    if (run.state !== 'running') this.#teller.look(true);
    this.#teller.publish(true);
  }

  subscribe(listener: (snapshot: Snapshot) => void): () => void {
    return this.#teller.subscribe(listener);
  }

  /** Whether the listener is ready for another snapshot; the worker holds it back until told. */
  set ready(ready: () => boolean) {
    this.#teller.ready = ready;
  }

  /** Sends what is new, if it was held back. The worker calls it when its page is ready again. */
  flush(): void {
    this.#teller.flush();
  }

  // ---- Writing ----------------------------------------------------------------------------------

  sample(wanted: WantedSample, onText?: (text: string) => void): Promise<SampleResult> {
    return this.#ask(() => this.#writing.sample(wanted, onText));
  }

  async cancelSample(): Promise<void> {
    this.#writing.cancel();
    await this.#writing.ended;
  }

  beginGeneration(wanted: Partial<GenerationRequest>): Promise<GenerationState> {
    return this.#ask(({ inside }) => inside.generation.begin(sampleRequest(wanted)));
  }

  nextToken(): Promise<GenerationState> {
    return this.#ask(({ inside }) => inside.generation.next(null));
  }

  takeToken(id: number): Promise<GenerationState> {
    return this.#ask(({ inside }) => inside.generation.next(id));
  }

  undoToken(): Promise<GenerationState> {
    return this.#ask(({ inside }) => inside.generation.undo());
  }

  adjustSampling(sampling: Sampling): Promise<GenerationState> {
    return this.#ask(({ inside }) => inside.generation.adjust(sampling));
  }

  async endGeneration(): Promise<void> {
    await this.#loading;
    this.#slot.run?.inside.generation.end();
  }

  // ---- Looking inside ---------------------------------------------------------------------------

  probe(text: string, maxTokens = PROBE_TOKENS): Promise<Attention> {
    return this.#ask(({ inside }) => inside.look(text, maxTokens));
  }

  untrainedHeads(text: string, maxTokens: number): Promise<readonly HeadStatistics[] | null> {
    return this.#ask(({ inside }) =>
      inside.untrainedHeads(text, maxTokens, this.#maker.text, KEEP_BOTH_BYTES),
    );
  }

  analyse(text: string, maxTokens: number, isCut = false): Promise<Analysis> {
    return this.#ask(({ inside }) => inside.analyse(text, maxTokens, isCut));
  }

  tensors(text: string, gradients: boolean): Promise<Tensors> {
    return this.#ask(({ inside }) => inside.tensors.list(text, gradients));
  }

  tensor(index: number, slice: TensorSlice): Promise<TensorValues> {
    return this.#ask(({ inside }) => inside.tensors.read(index, slice));
  }

  vocabulary(first: number, count: number): Promise<readonly Token[]> {
    return this.#ask(({ inside }) => inside.vocabulary(first, count));
  }

  merges(first: number, count: number): Promise<readonly Merge[]> {
    return this.#ask(({ inside }) => inside.merges(first, count));
  }

  // ---- The past of the run ----------------------------------------------------------------------

  keepMoments(bytes: number, fileBytes = 0): Promise<void> {
    // Of a run that is prepared next, the first one too.
    const kept = Promise.all([this.#loading, this.#preparing]).then(() =>
      this.#past.keep(bytes, fileBytes),
    );
    this.#preparing = kept.then(ignore, ignore);
    return kept;
  }

  giveMoments(moments: readonly KeptMoment[]): Promise<number> {
    return this.#ask((run) => this.#slot.snapshots?.give(run, moments) ?? run.step);
  }

  moments(): Promise<readonly number[]> {
    return this.#ask(() => this.#slot.snapshots?.steps ?? []);
  }

  wayBack(step: number, have?: number): Promise<WayBack> {
    return this.#ask((run) => {
      const way = this.#slot.snapshots?.wayBack(run, step, have);
      if (way === undefined) throw failure('past', 'no moments are kept', [step, run.step]);
      return way;
    });
  }

  giveUpWay(): Promise<void> {
    this.#past.giveUp();
    return Promise.resolve();
  }

  async goBack(way: WayBack, onProgress?: (step: number) => void): Promise<void> {
    await this.#loading;
    const rest = (run: Run): void => {
      this.#writing.cancel();
      this.#loop.pause(run);
    };
    const show = (run: Run): void => {
      // Its losses are those of the run that trains, which has told them: of a million steps they
      // would be tens of megabytes at each visit.
      const past = newRun(++this.#runs, run, NO_HISTORY);
      this.#loop.writeSample(past);
      this.#show(past);
    };
    await this.#past.goBack(way, { rest, show }, onProgress);
  }

  // ---- Questions about the text -----------------------------------------------------------------

  async indexText(onProgress?: (share: number) => void): Promise<void> {
    const tracing = await this.#traced();
    await tracing.build(onProgress);
  }

  async trace(text: string): Promise<TracedText> {
    const tracing = await this.#traced();
    return tracing.trace(text);
  }

  async yardsticks(): Promise<Yardsticks> {
    const tracing = await this.#traced();
    return tracing.yardsticks();
  }

  async scoreByTable(order: number, ids: readonly number[]): Promise<readonly number[]> {
    const tracing = await this.#traced();
    return tracing.score(order, ids);
  }

  async writeByTable(
    order: number,
    prompt: string,
    maxTokens: number,
    seed: number,
  ): Promise<string> {
    const tracing = await this.#traced();
    return tracing.write(order, prompt, maxTokens, seed);
  }

  #traced(): Promise<Tracing> {
    return this.#ask(({ model }) => this.#tracing.of(model));
  }

  // ---- Engine -----------------------------------------------------------------------------------

  close(): void {
    this.#tellClosed();
    this.#teller.close();
    this.#writing.cancel();
    this.#endVerify();
    this.#drop();
    this.#maker.forgetText();
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
      const slot = engine.slot();
      if (slot === null) return;
      this.#endHelpers.push(start(slot));
    }
  }

  /** What `action` answers of the run of now. */
  async #ask<Result>(action: (run: Run) => Result | Promise<Result>): Promise<Result> {
    await this.#loading;
    return action(currentRun(this.#slot));
  }
}
