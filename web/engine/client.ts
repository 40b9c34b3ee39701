/** The page's side of the wire: a Trainer whose work is done by a worker. */
import { factsOf, failure, GlasshouseError } from './errors.ts';
import type { HeadStatistics } from './head-statistics.ts';
import type { StartHelper } from './help.ts';
import type { OptionTable, WantedRecipe } from './options.ts';
import type { Method, ToPage, ToWorker, Wire } from './protocol.ts';
import { bytesOf, listOf } from './text-bytes.ts';
import type { Finding, RunReceipt } from './receipt.ts';
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
  RunInfo,
  SampleResult,
  Said,
  Sampling,
  SaveForm,
  Snapshot,
  TensorSlice,
  TensorValues,
  Token,
  Tensors,
  TracedText,
  Trainer,
  Watch,
  WayBack,
  WantedSample,
  Yardsticks,
  Pace,
} from './trainer.ts';

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: GlasshouseError) => void;
  readonly onPartial: ((value: never) => void) | undefined;
}

export interface WorkerOptions {
  /** Threads that help the worker, when the module can have some. */
  readonly helpers?: number;
  /** Starts a helper here, for over there. */
  readonly startHelper?: StartHelper;
}

/** Fulfils Trainer by calls to `serve` at the other end of a wire. */
export class WorkerTrainer implements Trainer {
  readonly #wire: Wire;
  readonly #close: () => void;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Set<(snapshot: Snapshot) => void>();
  readonly #ready: Promise<void>;
  readonly #startHelper: StartHelper | undefined;
  readonly #ends: (() => void)[] = [];
  #lastId = 0;
  /** Why nothing can be asked any more. */
  #failed: GlasshouseError | null = null;
  readonly closed: Promise<void>;
  #tellClosed: () => void = () => undefined;
  #run = 0;

  /** `module` may still be on its way; `close` ends the other side. */
  constructor(
    wire: Wire,
    module: Promise<WebAssembly.Module>,
    close: () => void,
    { helpers = 0, startHelper }: WorkerOptions = {},
  ) {
    this.closed = new Promise((resolve) => {
      this.#tellClosed = resolve;
    });
    this.#wire = wire;
    this.#close = close;
    this.#startHelper = startHelper;
    wire.addEventListener('message', (event: MessageEvent) => {
      this.#receive(event.data as ToPage);
    });
    this.#ready = module.then(
      (loaded) => {
        this.#post({ kind: 'load', module: loaded, helpers });
      },
      (thrown: unknown) => {
        this.#post({ kind: 'load-failed', error: factsOf(thrown) });
      },
    );
  }

  options(): Promise<OptionTable> {
    return this.#call('options', []);
  }

  setText(text: Uint8Array<ArrayBuffer> | string): Promise<void> {
    // The page hands its text over: a copy of fifty million bytes would take a fifth of a second.
    const given = bytesOf(text);
    const bytes = given.length === given.buffer.byteLength ? given : given.slice();
    return this.#call('setText', [bytes], [bytes.buffer]);
  }

  // Files cross the wire as handles: their bytes are read on the other side.
  inspect(files: ModelFiles): Promise<ModelFacts> {
    return this.#call('inspect', [files]);
  }

  plan(recipe: WantedRecipe | null, origin?: Origin): Promise<Plan> {
    return this.#call('plan', [recipe, origin]);
  }

  architecture(recipe: WantedRecipe, vocab: number): Promise<ModelArchitecture> {
    return this.#call('architecture', [recipe, vocab]);
  }

  parameterCounts(recipes: readonly WantedRecipe[], vocab: number): Promise<readonly number[]> {
    return this.#call('parameterCounts', [recipes, vocab]);
  }

  fit(): Promise<Fit> {
    return this.#call('fit', []);
  }

  prepare(recipe: WantedRecipe | null, origin?: Origin): Promise<RunInfo> {
    return this.#call('prepare', [recipe, origin]);
  }

  save(form: SaveForm, note: string): Promise<Blob> {
    return this.#call('save', [form, note]);
  }

  convert(weights: FileSource, form: ExportForm, said?: Said): Promise<Blob> {
    return this.#call('convert', [weights, form, said]);
  }

  measure(weights: FileSource, form: ExportForm): Promise<number> {
    return this.#call('measure', [weights, form]);
  }

  translate(file: FileSource): Promise<ModelFiles> {
    return this.#call('translate', [file]);
  }

  checkpoint(note: string): Promise<Checkpoint> {
    return this.#call('checkpoint', [note]);
  }

  receipt(): Promise<RunReceipt> {
    return this.#call('receipt', []);
  }

  verify(
    json: string,
    text: Uint8Array<ArrayBuffer> | readonly Uint8Array<ArrayBuffer>[],
    onProgress?: (finding: Finding) => void,
  ): Promise<Finding> {
    const texts = listOf(text).map((one) => one.slice());
    const buffers = texts.map(({ buffer }) => buffer);
    return this.#call('verify', [json, texts], buffers, onProgress);
  }

  cancelVerify(): Promise<void> {
    return this.#call('cancelVerify', []);
  }

  start(until?: number): Promise<void> {
    return this.#call('start', [until]);
  }

  pause(): Promise<void> {
    return this.#call('pause', []);
  }

  step(): Promise<void> {
    return this.#call('step', []);
  }

  rewind(): Promise<number> {
    return this.#call('rewind', []);
  }

  pace(pace: Pace): Promise<void> {
    return this.#call('pace', [pace]);
  }

  rest(milliseconds: number): Promise<void> {
    return this.#call('rest', [milliseconds]);
  }

  set(option: string, value: number): Promise<void> {
    return this.#call('set', [option, value]);
  }

  watch(watch: Watch): Promise<void> {
    return this.#call('watch', [watch]);
  }

  sample(request: WantedSample, onText?: (text: string) => void): Promise<SampleResult> {
    return this.#call('sample', [request], [], onText);
  }

  cancelSample(): Promise<void> {
    return this.#call('cancelSample', []);
  }

  probe(text: string, maxTokens?: number): Promise<Attention> {
    return this.#call('probe', [text, maxTokens]);
  }

  untrainedHeads(text: string, maxTokens: number): Promise<readonly HeadStatistics[] | null> {
    return this.#call('untrainedHeads', [text, maxTokens]);
  }

  analyse(text: string, maxTokens: number, isCut = false): Promise<Analysis> {
    return this.#call('analyse', [text, maxTokens, isCut]);
  }

  beginGeneration(request: Partial<GenerationRequest>): Promise<GenerationState> {
    return this.#call('beginGeneration', [request]);
  }

  nextToken(): Promise<GenerationState> {
    return this.#call('nextToken', []);
  }

  takeToken(id: number): Promise<GenerationState> {
    return this.#call('takeToken', [id]);
  }

  undoToken(): Promise<GenerationState> {
    return this.#call('undoToken', []);
  }

  adjustSampling(sampling: Sampling): Promise<GenerationState> {
    return this.#call('adjustSampling', [sampling]);
  }

  endGeneration(): Promise<void> {
    return this.#call('endGeneration', []);
  }

  tensors(text: string, gradients: boolean): Promise<Tensors> {
    return this.#call('tensors', [text, gradients]);
  }

  tensor(index: number, slice: TensorSlice): Promise<TensorValues> {
    return this.#call('tensor', [index, slice]);
  }

  vocabulary(first: number, count: number): Promise<readonly Token[]> {
    return this.#call('vocabulary', [first, count]);
  }

  merges(first: number, count: number): Promise<readonly Merge[]> {
    return this.#call('merges', [first, count]);
  }

  keepMoments(bytes: number, fileBytes?: number): Promise<void> {
    return this.#call('keepMoments', [bytes, fileBytes]);
  }

  giveMoments(moments: readonly KeptMoment[]): Promise<number> {
    return this.#call('giveMoments', [moments]);
  }

  moments(): Promise<readonly number[]> {
    return this.#call('moments', []);
  }

  wayBack(step: number, have?: number): Promise<WayBack> {
    return this.#call('wayBack', [step, have]);
  }

  giveUpWay(): Promise<void> {
    return this.#call('giveUpWay', []);
  }

  goBack(way: WayBack, onProgress?: (step: number) => void): Promise<void> {
    const bytes = way.moment === null ? [] : [way.moment.buffer];
    return this.#call('goBack', [way], bytes, onProgress);
  }

  indexText(onProgress?: (share: number) => void): Promise<void> {
    return this.#call('indexText', [], [], onProgress);
  }

  trace(text: string): Promise<TracedText> {
    return this.#call('trace', [text]);
  }

  yardsticks(): Promise<Yardsticks> {
    return this.#call('yardsticks', []);
  }

  scoreByTable(order: number, ids: readonly number[]): Promise<readonly number[]> {
    return this.#call('scoreByTable', [order, ids]);
  }

  writeByTable(order: number, prompt: string, maxTokens: number, seed: number): Promise<string> {
    return this.#call('writeByTable', [order, prompt, maxTokens, seed]);
  }

  subscribe(listener: (snapshot: Snapshot) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#listeners.clear();
    this.fail(failure('worker', 'the worker was closed'));
    this.#close();
    for (const end of this.#ends.splice(0)) end();
  }

  /**
   * To what runs beside the trainer over there. Sent at once: it is on its way when this returns.
   */
  tellBeside(message: unknown): void {
    this.#post({ kind: 'beside', message });
  }

  /** Rejects every call that still waits, and those to come: the other side is gone. */
  fail(error: GlasshouseError): void {
    this.#failed ??= error;
    this.#tellClosed();
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }

  async #call<Result>(
    method: Method,
    args: readonly unknown[],
    transfer: Transferable[] = [],
    onPartial?: (value: never) => void,
  ): Promise<Result> {
    if (this.#failed === null) await this.#ready;
    // It may have gone while the module was on its way.
    if (this.#failed !== null) throw this.#failed;
    const id = ++this.#lastId;
    return new Promise<Result>((resolve, reject) => {
      // First, because it throws for what cannot be cloned.
      this.#post({ kind: 'call', id, method, args }, transfer);
      this.#waiting.set(id, { resolve, reject, onPartial });
    });
  }

  #post(message: ToWorker, transfer: Transferable[] = []): void {
    this.#wire.postMessage(message, transfer);
  }

  #receive(message: ToPage): void {
    if (message.kind === 'hello') return;
    if (message.kind === 'help') {
      if (this.#startHelper !== undefined) this.#ends.push(this.#startHelper(message.task));
      return;
    }
    if (message.kind === 'snapshot') {
      this.#post({ kind: 'seen' });
      // A snapshot that was on its way when a newer run began has nothing to say any more.
      if (message.snapshot.run < this.#run) return;
      this.#run = message.snapshot.run;
      for (const listener of this.#listeners) listener(message.snapshot);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    if (message.kind === 'partial') {
      waiting?.onPartial?.(message.value as never);
      return;
    }
    this.#waiting.delete(message.id);
    if (message.kind === 'result') waiting?.resolve(message.value as never);
    else waiting?.reject(new GlasshouseError(message.error));
  }
}
