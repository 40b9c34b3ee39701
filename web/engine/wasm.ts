/**
 * The binding of c/api/gpt.h, and the only file that knows pointers. A pointer that comes back is
 * made unsigned (`>>> 0`); a view of the memory is taken by the call that needs it and dropped,
 * because growth of the memory empties older views. What leaves this file is a plain value or an
 * array of its own: memory may be shared with helping threads, and browsers refuse shared bytes where
 * they decode text, make files or hash.
 */
import { compileEngine, importsFor, wantsMemory } from './compile.ts';
import type { EngineSource } from './compile.ts';
import { failure, GlasshouseError } from './errors.ts';
import type { ErrorFacts } from './errors.ts';
import type { HelperTask } from './help.ts';
import { sharedMemory } from './shared-memory.ts';

export type { EngineSource };

/** Answers of gpt.h that are no failures. */
export const OK = 0;
export const FINISHED = 1;
export const END = 2;
const E_CAPACITY = -14;
/** The longest text that is sampled. */
const SAMPLE_BYTES = 65_536;
/** Bytes of a file that is written, at a time. */
const SAVE_PIECE = 4 << 20;

type Call = (...args: number[]) => number;
type Release = (pointer: number) => void;

interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly malloc: Call;
  readonly free: Release;
  readonly gpt_config_create: Call;
  readonly gpt_config_free: Release;
  readonly gpt_config_set: Call;
  readonly gpt_config_get: Call;
  readonly gpt_config_check: Call;
  readonly gpt_config_error: Call;
  readonly gpt_options_json: Call;
  readonly gpt_config_set_memory_limit: Call;
  readonly gpt_config_set_bpe: Call;
  readonly gpt_config_import: Call;
  readonly gpt_load_open: Call;
  readonly gpt_load_feed: Call;
  readonly gpt_load_state: Call;
  readonly gpt_load_file: Call;
  readonly gpt_load_next: Call;
  readonly gpt_load_json: Call;
  readonly gpt_load_plan_json: Call;
  readonly gpt_load_begin: Call;
  readonly gpt_load_finish: Call;
  readonly gpt_load_free: Release;
  readonly gpt_save_open: Call;
  readonly gpt_save_bytes: Call;
  readonly gpt_save_read: Call;
  readonly gpt_save_free: Release;
  readonly gpt_losses: Call;
  readonly gpt_weights_hash: Call;
  readonly gpt_receipt_json: Call;
  readonly gpt_receipt_line: Call;
  readonly gpt_verify_open: Call;
  readonly gpt_verify_free: Release;
  readonly gpt_verify_step: Call;
  readonly gpt_verify_json: Call;
  readonly gpt_plan_json: Call;
  readonly gpt_trainer_create: Call;
  readonly gpt_trainer_free: Release;
  readonly gpt_step: Call;
  readonly gpt_loss: Call;
  readonly gpt_validate: Call;
  readonly gpt_held_out_text: Call;
  readonly gpt_rewind: Call;
  readonly gpt_trainer_set: Call;
  readonly gpt_trainer_get: Call;
  readonly gpt_trainer_error: Call;
  readonly gpt_sample: Call;
  readonly gpt_sample_begin: Call;
  readonly gpt_sample_next: Call;
  readonly gpt_sample_ended: Call;
  readonly gpt_sample_text: Call;
  readonly gpt_sample_refills: Call;
  readonly gpt_sample_voice: Call;
  readonly gpt_sample_release: Call;
  readonly gpt_sample_take: Call;
  readonly gpt_sample_uniform: Call;
  readonly gpt_sample_skip: Call;
  readonly gpt_sample_reread: Call;
  readonly gpt_sample_rows: Call;
  readonly gpt_sample_context: Call;
  readonly gpt_sample_bytes: Call;
  readonly gpt_sample_probabilities: Call;
  readonly gpt_learning_rate: Call;
  readonly gpt_gradient_norm: Call;
  readonly gpt_encode: Call;
  readonly gpt_token_bytes: Call;
  readonly gpt_probe: Call;
  readonly gpt_probe_tokens: Call;
  readonly gpt_probe_json: Call;
  readonly gpt_probe_data: Call;
  readonly gpt_probe_grad: Call;
  readonly gpt_probe_ids: Call;
  readonly gpt_parameters_json: Call;
  readonly gpt_parameter_data: Call;
  readonly gpt_parameter_grad: Call;
  readonly gpt_merges_json: Call;
  readonly gpt_thread_create: Call;
  readonly gpt_threads_count: Call;
  readonly gpt_threads_stop: () => void;
}

/** One node of a probe, as the engine lists it. */
export interface ProbeNode {
  readonly name: string;
  readonly op: string;
  readonly function: string;
  readonly shape: readonly number[];
  readonly inputs: readonly string[];
}

/** One tensor of weights, as the engine lists it. */
export interface Parameter {
  readonly name: string;
  readonly shape: readonly number[];
}

/** Numbers that can be read: those of a node of the last probe, or of a parameter. */
export interface TensorAddress {
  readonly kind: 'node' | 'parameter';
  readonly index: number;
  readonly gradient: boolean;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The engine in memory: options, recipes and texts are made here. */
export class Engine {
  readonly #exports: Exports;
  readonly #module: WebAssembly.Module;

  private constructor(exports: Exports, module: WebAssembly.Module) {
    this.#exports = exports;
    this.#module = module;
  }

  /** Compiles and starts the engine. */
  static async load(source: EngineSource): Promise<Engine> {
    const module = await compileEngine(source);
    const shared = wantsMemory(module) ? sharedMemory() : undefined;
    const instance = await WebAssembly.instantiate(module, importsFor(module, shared));
    const initialize = instance.exports._initialize;
    if (typeof initialize === 'function') (initialize as () => void)();
    const exports = instance.exports as unknown as Exports;
    return new Engine(shared === undefined ? exports : { ...exports, memory: shared }, module);
  }

  /** A place for one helping thread more; null in the module without threads, or when all are given. */
  seat(): HelperTask | null {
    const thread = this.#exports.gpt_thread_create() >>> 0;
    if (thread === 0) return null;
    return { module: this.#module, memory: this.#exports.memory, thread };
  }

  /** Sends all helpers home and waits until they have left what they were at. */
  stopThreads(): void {
    this.#exports.gpt_threads_stop();
  }

  /** The table of options as JSON. */
  optionsJson(): string {
    return readString(this.#exports, (out, capacity) =>
      this.#exports.gpt_options_json(out, capacity),
    );
  }

  /** A recipe with the values of `preset`. Free it. */
  recipe(preset: string): EngineRecipe {
    return new EngineRecipe(this.#exports, preset);
  }

  /** Copies `bytes` into the engine's memory. Free it. */
  text(bytes: Uint8Array): EngineText {
    return new EngineText(this.#exports, bytes);
  }

  /** Bytes that the engine's memory has now; it never shrinks. */
  memoryBytes(): number {
    return this.#exports.memory.buffer.byteLength;
  }
}

/** A run that is replayed to see whether its receipt is true. Free it. */
export class EngineVerifier {
  readonly #exports: Exports;
  readonly #pointer: number;

  constructor(exports: Exports, pointer: number) {
    this.#exports = exports;
    this.#pointer = pointer;
  }

  /** Replays one step; false when there is nothing more to find. */
  step(): boolean {
    const status = this.#exports.gpt_verify_step(this.#pointer);
    if (status < 0) throw plainError(status);
    return status === OK;
  }

  /** What has been found so far, as JSON. */
  findingJson(): string {
    return readString(this.#exports, (out, capacity) =>
      this.#exports.gpt_verify_json(this.#pointer, out, capacity),
    );
  }

  free(): void {
    this.#exports.gpt_verify_free(this.#pointer);
  }
}

/** A text held in the engine's memory, so that planning again does not copy it again. */
export class EngineText {
  readonly #exports: Exports;
  #pointer: number;
  readonly length: number;

  constructor(exports: Exports, bytes: Uint8Array) {
    this.#exports = exports;
    this.#pointer = place(exports, bytes);
    this.length = bytes.length;
  }

  get pointer(): number {
    return this.#pointer;
  }

  free(): void {
    this.#exports.free(this.#pointer);
    this.#pointer = 0;
  }
}

/** A recipe in the engine's memory. */
export class EngineRecipe {
  readonly #exports: Exports;
  #pointer: number;

  constructor(exports: Exports, preset: string) {
    this.#exports = exports;
    this.#pointer = withString(exports, preset, (name) => exports.gpt_config_create(name) >>> 0);
    if (this.#pointer === 0) {
      throw failure('preset', `there is no preset called ${preset}`, [], preset);
    }
  }

  /** Sets an option; throws what the engine says about its range. */
  set(option: string, value: number): void {
    const status = withString(this.#exports, option, (name) =>
      this.#exports.gpt_config_set(this.#pointer, name, value),
    );
    if (status < 0) throw this.#error(status);
  }

  get(option: string): number {
    return withString(this.#exports, option, (name) =>
      this.#exports.gpt_config_get(this.#pointer, name),
    );
  }

  /** Throws when the options do not fit together. */
  check(): void {
    const status = this.#exports.gpt_config_check(this.#pointer);
    if (status < 0) throw this.#error(status);
  }

  setMemoryLimit(bytes: number): void {
    const status = this.#exports.gpt_config_set_memory_limit(this.#pointer, bytes);
    if (status < 0) throw this.#error(status);
  }

  /** The plan for `text` as JSON. */
  planJson(text: EngineText): string {
    return readString(
      this.#exports,
      (out, capacity) =>
        this.#exports.gpt_plan_json(this.#pointer, text.pointer, text.length, out, capacity),
      (status) => this.#error(status),
    );
  }

  /** The run of a receipt, at its step 0. Free it; the recipe is then that of the receipt. */
  verify(receipt: Uint8Array, text: EngineText): EngineVerifier {
    const pointer = withBytes(
      this.#exports,
      receipt,
      (json, length) =>
        this.#exports.gpt_verify_open(this.#pointer, json, length, text.pointer, text.length) >>> 0,
    );
    if (pointer === 0) throw this.#error(-3);
    return new EngineVerifier(this.#exports, pointer);
  }

  /** A model at step 0. Free it. */
  train(text: EngineText): EngineModel {
    const pointer =
      this.#exports.gpt_trainer_create(this.#pointer, text.pointer, text.length) >>> 0;
    if (pointer === 0) throw this.#error(-3);
    return new EngineModel(this.#exports, pointer);
  }

  /** Gives it a BPE vocabulary: the bytes of vocab.json and merges.txt. */
  setBpe(vocab: Uint8Array, merges: Uint8Array): void {
    const status = withBytes(this.#exports, vocab, (json, jsonBytes) =>
      withBytes(this.#exports, merges, (text, textBytes) =>
        this.#exports.gpt_config_set_bpe(this.#pointer, json, jsonBytes, text, textBytes),
      ),
    );
    if (status < 0) throw this.#error(status);
  }

  /** Makes it the recipe of a Hugging Face config.json. */
  importConfig(json: Uint8Array): void {
    const status = withBytes(this.#exports, json, (pointer, length) =>
      this.#exports.gpt_config_import(this.#pointer, pointer, length),
    );
    if (status < 0) throw this.#error(status);
  }

  /** Begins to read a file of so many bytes, as "safetensors", "index" or "raw". Free it before the recipe. */
  load(form: string, bytes: number): EngineLoader {
    const pointer =
      withString(this.#exports, form, (name) =>
        this.#exports.gpt_load_open(this.#pointer, name, bytes),
      ) >>> 0;
    if (pointer === 0) throw this.#error(-3);
    return new EngineLoader(this.#exports, pointer, (status) => this.#error(status));
  }

  free(): void {
    this.#exports.gpt_config_free(this.#pointer);
    this.#pointer = 0;
  }

  #error(status: number): GlasshouseError {
    return readError(this.#exports, status, (out, capacity) =>
      this.#exports.gpt_config_error(this.#pointer, out, capacity),
    );
  }
}

/** A file on its way into a model. What fails is told by the recipe that it was opened with. */
export class EngineLoader {
  readonly #exports: Exports;
  readonly #explain: (status: number) => GlasshouseError;
  #pointer: number;

  constructor(exports: Exports, pointer: number, explain: (status: number) => GlasshouseError) {
    this.#exports = exports;
    this.#pointer = pointer;
    this.#explain = explain;
  }

  /** Takes the next piece; returns how much of it was taken: none beyond the header before begin. */
  feed(piece: Uint8Array): number {
    return withBytes(this.#exports, piece, (pointer, length) =>
      this.#checked(this.#exports.gpt_load_feed(this.#pointer, pointer, length)),
    );
  }

  /** Whether a header is being read that has not ended yet. */
  readsHeader(): boolean {
    return this.#exports.gpt_load_state(this.#pointer) === 0;
  }

  /** Name of file `index` of those that a JSON of weights names; null past the last. */
  fileName(index: number): string | null {
    const name = readString(
      this.#exports,
      (out, capacity) => this.#exports.gpt_load_file(this.#pointer, index, out, capacity),
      this.#explain,
    );
    return name === '' ? null : name;
  }

  /** Announces the next of those files, of so many bytes. */
  next(bytes: number): void {
    this.#checked(this.#exports.gpt_load_next(this.#pointer, bytes));
  }

  /** What the header tells, as JSON. */
  factsJson(): string {
    return readString(
      this.#exports,
      (out, capacity) => this.#exports.gpt_load_json(this.#pointer, out, capacity),
      this.#explain,
    );
  }

  /** What `begin` would need, as JSON; `text` is null for a model that only writes. */
  planJson(purpose: string, text: EngineText | null): string {
    const [at, length] = [text?.pointer ?? 0, text?.length ?? 0];
    return withString(this.#exports, purpose, (name) =>
      readString(
        this.#exports,
        (out, capacity) =>
          this.#exports.gpt_load_plan_json(this.#pointer, name, at, length, out, capacity),
        this.#explain,
      ),
    );
  }

  /** Takes the memory of the model. */
  begin(purpose: string, text: EngineText | null): void {
    withString(this.#exports, purpose, (name) =>
      this.#checked(
        this.#exports.gpt_load_begin(this.#pointer, name, text?.pointer ?? 0, text?.length ?? 0),
      ),
    );
  }

  /** The model, once all has come. Free it. */
  finish(): EngineModel {
    const pointer = this.#exports.gpt_load_finish(this.#pointer) >>> 0;
    if (pointer === 0) throw this.#explain(-15);
    return new EngineModel(this.#exports, pointer);
  }

  free(): void {
    this.#exports.gpt_load_free(this.#pointer);
    this.#pointer = 0;
  }

  #checked(status: number): number {
    if (status < 0) throw this.#explain(status);
    return status;
  }
}

/** A model in training in the engine's memory. */
export class EngineModel {
  readonly #exports: Exports;
  #pointer: number;
  /** Counts the changes of the weights, and the probes: what was computed earlier is then old. */
  #changes = 0;
  #probes = 0;

  constructor(exports: Exports, pointer: number) {
    this.#exports = exports;
    this.#pointer = pointer;
  }

  get changes(): number {
    return this.#changes;
  }

  get probes(): number {
    return this.#probes;
  }

  /** Trains one step: OK or FINISHED; throws when the loss diverged. */
  step(): number {
    this.#changes += 1;
    return this.#checked(this.#exports.gpt_step(this.#pointer));
  }

  /** Loss of the last step; NaN before the first. */
  loss(): number {
    return this.#exports.gpt_loss(this.#pointer);
  }

  /** Threads that compute now, this one included. */
  threads(): number {
    return this.#exports.gpt_threads_count();
  }

  /** Of the last step; NaN before the first. */
  learningRate(): number {
    return this.#exports.gpt_learning_rate(this.#pointer);
  }

  /** Of the last step, before clipping; NaN before the first. */
  gradientNorm(): number {
    return this.#exports.gpt_gradient_norm(this.#pointer);
  }

  /** Mean loss over `windows` sequences of the held-out text; NaN when there is none. */
  validate(windows: number): number {
    return this.#exports.gpt_validate(this.#pointer, windows);
  }

  /** The held-out text from its beginning, at most so many bytes of it; empty when there is none. */
  heldOutText(bytes: number): string {
    return withRoom(this.#exports, bytes, (out) => {
      const count = this.#checked(this.#exports.gpt_held_out_text(this.#pointer, out, bytes));
      return decoder.decode(new Uint8Array(this.#exports.memory.buffer, out, count).slice());
    });
  }

  rewind(): void {
    this.#changes += 1;
    this.#checked(this.#exports.gpt_rewind(this.#pointer));
  }

  set(option: string, value: number): void {
    this.#checked(
      withString(this.#exports, option, (name) =>
        this.#exports.gpt_trainer_set(this.#pointer, name, value),
      ),
    );
  }

  /** An option or a fact such as "step"; NaN for other names. */
  get(name: string): number {
    return withString(this.#exports, name, (pointer) =>
      this.#exports.gpt_trainer_get(this.#pointer, pointer),
    );
  }

  /**
   * Reads the prompt; the tokens then come from sampleNext. Returns the tokens of the prompt. `seed` is
   * that of a stream of its own: the engine takes a negative one for the run's, which would change it.
   */
  sampleBegin(
    prompt: string,
    temperature: number,
    topK: number,
    topP: number,
    seed: number,
  ): number {
    if (!Number.isSafeInteger(seed) || seed < 0) {
      const limits = [seed, 0, Number.MAX_SAFE_INTEGER];
      throw failure(
        'range',
        `the seed ${String(seed)} is no whole number from 0 on`,
        limits,
        'seed',
      );
    }
    return withBytes(this.#exports, encoder.encode(prompt), (pointer, length) =>
      this.#checked(
        this.#exports.gpt_sample_begin(
          this.#pointer,
          pointer,
          length,
          temperature,
          topK,
          topP,
          seed,
        ),
      ),
    );
  }

  /** Draws one token and returns it; what was drawn is in sampleText. */
  sampleNext(): number {
    return this.#checked(this.#exports.gpt_sample_next(this.#pointer));
  }

  sampleEnded(): boolean {
    return this.#exports.gpt_sample_ended(this.#pointer) === 1;
  }

  sampleRefills(): number {
    return this.#exports.gpt_sample_refills(this.#pointer);
  }

  /** What was drawn since sampleBegin. */
  sampleText(): string {
    return readString(
      this.#exports,
      (out, capacity) => this.#exports.gpt_sample_text(this.#pointer, out, capacity),
      (status) => this.#error(status),
    );
  }

  /** Everything drawn since sampleBegin, as bytes. */
  sampleBytes(): Uint8Array {
    const capacity = SAMPLE_BYTES + 1;
    return withRoom(this.#exports, capacity, (out) => {
      const count = this.#checked(this.#exports.gpt_sample_bytes(this.#pointer, out, capacity));
      return new Uint8Array(this.#exports.memory.buffer, out, count).slice();
    });
  }

  /** Puts token `id` there instead of drawing one. */
  sampleTake(id: number): void {
    this.#checked(this.#exports.gpt_sample_take(this.#pointer, id));
  }

  /** The number in [0, 1) that the last token was drawn with; NaN when nothing was drawn. */
  sampleUniform(): number {
    return this.#exports.gpt_sample_uniform(this.#pointer);
  }

  /** Moves the random stream on as `draws` draws would. */
  sampleSkip(draws: number): void {
    this.#checked(this.#exports.gpt_sample_skip(this.#pointer, draws));
  }

  /** Reads the context anew with the weights of now; returns how many tokens that were. */
  sampleReread(): number {
    return this.#checked(this.#exports.gpt_sample_reread(this.#pointer));
  }

  /** The tokens in the cache. */
  sampleContext(): Int32Array {
    const count = this.#exports.gpt_sample_rows(this.#pointer);
    const ids = this.#exports.gpt_sample_context(this.#pointer) >>> 0;
    if (ids === 0) return new Int32Array(0);
    return new Int32Array(this.#exports.memory.buffer, ids, count).slice();
  }

  /** Probabilities of the coming token: of the model, or as drawn from. */
  sampleProbabilities(adjusted: boolean): Float32Array {
    const at = this.#exports.gpt_sample_probabilities(this.#pointer, adjusted ? 1 : 0) >>> 0;
    if (at === 0) throw failure('state', 'no text has been begun', [], 'sample');
    return new Float32Array(this.#exports.memory.buffer, at, this.get('vocab')).slice();
  }

  /** Lets `use` speak with the second voice, which has a cache and a text of its own. */
  withSecondVoice<Result>(use: () => Result): Result {
    this.#checked(this.#exports.gpt_sample_voice(this.#pointer, 1));
    try {
      return use();
    } finally {
      this.#exports.gpt_sample_voice(this.#pointer, 0);
    }
  }

  /** Gives the memory of the second voice back. */
  releaseSecondVoice(): void {
    this.#exports.gpt_sample_release(this.#pointer);
  }

  /** Merges of a BPE: rows of left, right, result and occurrences. */
  merges(first: number, count: number): readonly (readonly [number, number, number, number])[] {
    const json = readString(
      this.#exports,
      (out, capacity) => this.#exports.gpt_merges_json(this.#pointer, first, count, out, capacity),
      (status) => this.#error(status),
    );
    return JSON.parse(json) as [number, number, number, number][];
  }

  /** Ids of `text`. */
  encode(text: Uint8Array): Int32Array {
    // A token is never less than one byte, so this always has room.
    const capacity = text.length + 1;
    return withBytes(this.#exports, text, (pointer, length) =>
      withRoom(this.#exports, capacity * 4, (ids) => {
        const count = this.#checked(
          this.#exports.gpt_encode(this.#pointer, pointer, length, ids, capacity),
        );
        return new Int32Array(this.#exports.memory.buffer, ids, count).slice();
      }),
    );
  }

  /** The raw bytes of token `id`; none for BOS. */
  tokenBytes(id: number): Uint8Array {
    const capacity = 512;
    return withRoom(this.#exports, capacity, (out) => {
      const count = this.#checked(this.#exports.gpt_token_bytes(this.#pointer, id, out, capacity));
      return new Uint8Array(this.#exports.memory.buffer, out, count).slice();
    });
  }

  /** Runs `text` with every node kept; returns the ids that it ran on. */
  probe(text: Uint8Array, gradients = false): Int32Array {
    this.#probes += 1;
    const count = withBytes(this.#exports, text, (pointer, length) =>
      this.#checked(this.#exports.gpt_probe(this.#pointer, pointer, length, gradients ? 1 : 0)),
    );
    const ids = this.#exports.gpt_probe_tokens(this.#pointer) >>> 0;
    return new Int32Array(this.#exports.memory.buffer, ids, count).slice();
  }

  /** Runs all of `ids` but the last, each of which has the next as its target. */
  probeIds(ids: Int32Array): void {
    this.#probes += 1;
    withBytes(this.#exports, new Uint8Array(ids.buffer, ids.byteOffset, ids.byteLength), (at) =>
      this.#checked(this.#exports.gpt_probe_ids(this.#pointer, at, ids.length, 0)),
    );
  }

  /** The nodes of the last probe. */
  probeNodes(): readonly ProbeNode[] {
    const json = readString(
      this.#exports,
      (out, capacity) => this.#exports.gpt_probe_json(this.#pointer, out, capacity),
      (status) => this.#error(status),
    );
    return JSON.parse(json) as ProbeNode[];
  }

  /** SHA-256 of all weights, in hexadecimal digits. */
  weightsHash(): string {
    return this.#text((out, capacity) =>
      this.#exports.gpt_weights_hash(this.#pointer, out, capacity),
    );
  }

  /** The receipt of the run so far: JSON that it can be replayed from, and one line to compare. */
  receiptJson(): string {
    return this.#text((out, capacity) =>
      this.#exports.gpt_receipt_json(this.#pointer, out, capacity),
    );
  }

  receiptLine(): string {
    return this.#text((out, capacity) =>
      this.#exports.gpt_receipt_line(this.#pointer, out, capacity),
    );
  }

  /** The losses of the run, of every `loss_stride`-th step from the first on. */
  losses(): Float32Array {
    const at = this.#exports.gpt_losses(this.#pointer) >>> 0;
    const count = this.get('loss_count');
    if (at === 0 || !(count > 0)) return new Float32Array(0);
    return new Float32Array(this.#exports.memory.buffer, at, count).slice();
  }

  /** Writes a file of the given form, piece by piece; `take` keeps what it wants of each. */
  save(form: string, note: string, take: (piece: Uint8Array<ArrayBuffer>) => void): void {
    const saver =
      withString(this.#exports, form, (name) =>
        withBytes(this.#exports, encoder.encode(note), (text, length) =>
          this.#exports.gpt_save_open(this.#pointer, name, text, length),
        ),
      ) >>> 0;
    if (saver === 0) throw this.#error(-3);
    try {
      const room = Math.min(this.#exports.gpt_save_bytes(saver) + 1, SAVE_PIECE);
      withRoom(this.#exports, room, (out) => {
        for (;;) {
          const count = this.#checked(this.#exports.gpt_save_read(saver, out, room));
          if (count === 0) return;
          take(new Uint8Array(this.#exports.memory.buffer, out, count).slice());
        }
      });
    } finally {
      this.#exports.gpt_save_free(saver);
    }
  }

  /** The table of weights. */
  parameters(): readonly Parameter[] {
    const json = readString(
      this.#exports,
      (out, capacity) => this.#exports.gpt_parameters_json(this.#pointer, out, capacity),
      (status) => this.#error(status),
    );
    return JSON.parse(json) as Parameter[];
  }

  /**
   * Copies numbers of a tensor from number `first` on into `target`, which must not reach beyond its
   * end. Returns whether it has such numbers: not every tensor has gradients.
   */
  copyTensor(
    { kind, index, gradient }: TensorAddress,
    first: number,
    target: Float32Array,
  ): boolean {
    const { gpt_probe_data, gpt_probe_grad, gpt_parameter_data, gpt_parameter_grad } =
      this.#exports;
    const [data, grad] =
      kind === 'node' ? [gpt_probe_data, gpt_probe_grad] : [gpt_parameter_data, gpt_parameter_grad];
    const at = (gradient ? grad : data)(this.#pointer, index) >>> 0;
    if (at === 0) return false;
    target.set(new Float32Array(this.#exports.memory.buffer, at + 4 * first, target.length));
    return true;
  }

  /** Copies the values of node `index` of the last probe, from number `first` on, into `target`. */
  copyProbeData(index: number, target: Float32Array, first = 0): void {
    if (!this.copyTensor({ kind: 'node', index, gradient: false }, first, target)) {
      throw failure('state', 'the probe has no such node', [], 'gpt_probe_data');
    }
  }

  free(): void {
    this.#exports.gpt_trainer_free(this.#pointer);
    this.#pointer = 0;
  }

  #text(write: (out: number, capacity: number) => number): string {
    return readString(this.#exports, write, (status) => this.#error(status));
  }

  #checked(status: number): number {
    if (status < 0) throw this.#error(status);
    return status;
  }

  #error(status: number): GlasshouseError {
    return readError(this.#exports, status, (out, capacity) =>
      this.#exports.gpt_trainer_error(this.#pointer, out, capacity),
    );
  }
}

/** Memory for `bytes`, copied in. One byte more than needed, so that an empty text has an address. */
function place(exports: Exports, bytes: Uint8Array): number {
  const pointer = reserve(exports, bytes.length + 1);
  new Uint8Array(exports.memory.buffer, pointer, bytes.length).set(bytes);
  return pointer;
}

function reserve(exports: Exports, bytes: number): number {
  const pointer = exports.malloc(bytes) >>> 0;
  if (pointer === 0) {
    throw failure('allocation', `the system refused ${String(bytes)} bytes of memory`, [bytes]);
  }
  return pointer;
}

function withRoom<Result>(
  exports: Exports,
  bytes: number,
  use: (pointer: number) => Result,
): Result {
  const pointer = reserve(exports, bytes);
  try {
    return use(pointer);
  } finally {
    exports.free(pointer);
  }
}

function withBytes<Result>(
  exports: Exports,
  bytes: Uint8Array,
  use: (pointer: number, length: number) => Result,
): Result {
  const pointer = place(exports, bytes);
  try {
    return use(pointer, bytes.length);
  } finally {
    exports.free(pointer);
  }
}

/** For names that the engine wants NUL-terminated. */
function withString<Result>(
  exports: Exports,
  text: string,
  use: (pointer: number) => Result,
): Result {
  return withBytes(exports, encoder.encode(`${text}\0`), use);
}

/** Calls `write` with room that grows until its answer fits, and reads the text it wrote. */
function readString(
  exports: Exports,
  write: (out: number, capacity: number) => number,
  explain: (status: number) => GlasshouseError = plainError,
): string {
  for (let capacity = 1 << 14; ; capacity *= 4) {
    const answer = withRoom(exports, capacity, (out) => {
      const length = write(out, capacity);
      if (length === E_CAPACITY && capacity < 1 << 26) return null;
      if (length < 0) throw explain(length);
      return decoder.decode(new Uint8Array(exports.memory.buffer, out, length).slice());
    });
    if (answer !== null) return answer;
  }
}

function readError(
  exports: Exports,
  status: number,
  write: (out: number, capacity: number) => number,
): GlasshouseError {
  const raw = JSON.parse(readString(exports, write)) as {
    code: string;
    message: string;
    values: number[];
    name: string;
  };
  if (raw.code === 'ok') return plainError(status);
  const facts: ErrorFacts = {
    code: raw.code,
    message: raw.message,
    values: raw.values,
    subject: raw.name,
  };
  return new GlasshouseError(facts);
}

function plainError(status: number): GlasshouseError {
  return failure('unexpected', `the engine answered ${String(status)}`, [status]);
}
