/** A model: trained, asked, looked into and saved. */
import { widthTwin } from '../../base/width-twin.ts';
import { factsOf, failure, GlasshouseError } from '../errors.ts';
import type { Exports } from './exports.ts';
import {
  bytesAt,
  copyFloats,
  floatsAt,
  intsAt,
  readError,
  readString,
  textAt,
  withBytes,
  withRoom,
  withString,
} from './memory.ts';

/** The longest text that is sampled. */
const SAMPLE_BYTES = 65_536;
/** What the engine says of a text whose document has filled the context. */
const FULL = 2;
/** Bytes of a file that is written, at a time. */
const SAVE_PIECE = 4 << 20;

/** One node of a probe, as the engine lists it. */
export interface ProbeNode {
  readonly name: string;
  readonly op: string;
  readonly function: string;
  readonly shape: readonly number[];
  readonly inputs: readonly string[];
  /** The numbers in the op's formula, by name. */
  readonly constants: Readonly<Record<string, number>>;
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

  /** Mean loss over `windows` sequences of the held-out text; NaN if nothing is held out. */
  validate(windows: number): number {
    return this.#exports.gpt_validate(this.#pointer, windows);
  }

  /**
   * The held-out text from its beginning, at most `bytes` bytes of it; empty if nothing is held
   * out.
   */
  heldOutText(bytes: number): string {
    return withRoom(this.#exports, bytes, (out) => {
      const count = this.#checked(this.#exports.gpt_held_out_text(this.#pointer, out, bytes));
      return textAt(this.#exports, out, count);
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
   * Reads the prompt; the tokens then come from sampleNext. Returns the tokens of the prompt.
   * `seed`, from 0 on, is that of a stream of its own: the engine takes a negative one for the
   * run's, which would change it.
   */
  sampleBegin(
    prompt: string,
    temperature: number,
    topK: number,
    topP: number,
    seed: number,
  ): number {
    const text = encoder.encode(prompt);
    const begin = (pointer: number, length: number): number =>
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
      );
    return this.#namingAll(text, () => withBytes(this.#exports, text, begin));
  }

  /** Draws one token and returns it; what was drawn is in sampleText. */
  sampleNext(): number {
    return this.#checked(this.#exports.gpt_sample_next(this.#pointer));
  }

  sampleEnded(): boolean {
    return this.#exports.gpt_sample_ended(this.#pointer) > 0;
  }

  /** Whether it ended because its document filled the context, rather than by BOS. */
  sampleFull(): boolean {
    return this.#exports.gpt_sample_ended(this.#pointer) === FULL;
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
      return bytesAt(this.#exports, out, count);
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
    return intsAt(this.#exports, ids, count);
  }

  /** Probabilities of the coming token: of the model, or as drawn from. */
  sampleProbabilities(adjusted: boolean): Float32Array {
    const at = this.#exports.gpt_sample_probabilities(this.#pointer, adjusted ? 1 : 0) >>> 0;
    if (at === 0) throw failure('state', 'no text has been begun', [], 'sample');
    return floatsAt(this.#exports, at, this.get('vocab'));
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
    return this.#namingAll(text, () => this.#encodeBytes(text));
  }

  /**
   * Where characters of `text` have no token, the engine names the first: the error names all of
   * them, and says in its subject of which the model has the look-alike of another width.
   */
  #namingAll<Result>(text: Uint8Array, read: () => Result): Result {
    try {
      return read();
    } catch (thrown) {
      if (!(thrown instanceof GlasshouseError) || thrown.code !== 'character') throw thrown;
      const points = new Set(thrown.values);
      const lacking = [...new Set(decoder.decode(text))].filter((one) => !this.#hasToken(one));
      for (const character of lacking) points.add(character.codePointAt(0) ?? 0);
      const alike = lacking.filter(
        (one) => widthTwin(one) !== '' && this.#hasToken(widthTwin(one)),
      );
      throw new GlasshouseError({
        ...factsOf(thrown),
        values: [...points],
        subject: alike.join(''),
      });
    }
  }

  #hasToken(character: string): boolean {
    try {
      this.#encodeBytes(encoder.encode(character));
      return true;
    } catch {
      return false;
    }
  }

  #encodeBytes(text: Uint8Array): Int32Array {
    // A token is never less than one byte, so this always has room.
    const capacity = text.length + 1;
    return withBytes(this.#exports, text, (pointer, length) =>
      withRoom(this.#exports, capacity * 4, (ids) => {
        const count = this.#checked(
          this.#exports.gpt_encode(this.#pointer, pointer, length, ids, capacity),
        );
        return intsAt(this.#exports, ids, count);
      }),
    );
  }

  /** The raw bytes of token `id`; none for BOS. */
  tokenBytes(id: number): Uint8Array {
    const capacity = 512;
    return withRoom(this.#exports, capacity, (out) => {
      const count = this.#checked(this.#exports.gpt_token_bytes(this.#pointer, id, out, capacity));
      return bytesAt(this.#exports, out, count);
    });
  }

  /** Runs `text` with every node kept; returns the ids that it ran on. */
  probe(text: Uint8Array, gradients = false): Int32Array {
    this.#probes += 1;
    const count = withBytes(this.#exports, text, (pointer, length) =>
      this.#checked(this.#exports.gpt_probe(this.#pointer, pointer, length, gradients ? 1 : 0)),
    );
    const ids = this.#exports.gpt_probe_tokens(this.#pointer) >>> 0;
    return intsAt(this.#exports, ids, count);
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
    return floatsAt(this.#exports, at, count);
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
          take(bytesAt(this.#exports, out, count));
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
   * Copies numbers of a tensor from number `first` on into `target`, which must not reach beyond
   * its end. Returns whether it has such numbers: not every tensor has gradients.
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
    copyFloats(this.#exports, at + 4 * first, target);
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
