import { widthTwin } from '../../base/width-twin.ts';
import { factsOf, failure, GlasshouseError } from '../errors.ts';
import type { Exports, TraceExports } from './exports.ts';
import {
  bytesAt,
  copyFloats,
  floatsAt,
  intsAt,
  readError,
  readString,
  textAt,
  withBytes,
  withBuffer,
  withString,
} from './memory.ts';
import { EngineSampler } from './sampler.ts';
import type { EngineText } from './text.ts';

/** Bytes of a file written per call. */
const SAVE_PIECE = 4 << 20;

/** A node of a probe pass, as the engine lists it. */
export interface ProbeNode {
  readonly name: string;
  readonly op: string;
  readonly function: string;
  readonly shape: readonly number[];
  readonly inputs: readonly string[];
  /** Constants of the op's formula, by name. */
  readonly constants: Readonly<Record<string, number>>;
}

/** A parameter tensor, as the engine lists it. */
export interface Parameter {
  readonly name: string;
  readonly shape: readonly number[];
}

/** Address of a tensor: a node of the last probe pass, or a parameter. */
export interface TensorAddress {
  readonly kind: 'node' | 'parameter';
  readonly index: number;
  readonly gradient: boolean;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** A model in the engine's memory: trains, samples, probes and saves. */
export class EngineModel {
  readonly #exports: Exports;
  #pointer: number;
  /** Number of weight changes and of probe passes; cached results of an older number are stale. */
  #changes = 0;
  #probes = 0;

  /** The sampler that belongs to the model. */
  readonly sampler: EngineSampler;

  constructor(exports: Exports, pointer: number) {
    this.#exports = exports;
    this.#pointer = pointer;
    this.sampler = this.#samplerAt(exports.gpt_trainer_sampler(pointer) >>> 0);
  }

  get changes(): number {
    return this.#changes;
  }

  get probes(): number {
    return this.#probes;
  }

  /** Trains one step; returns OK or FINISHED, throws if the loss diverged. */
  step(): number {
    this.#changes += 1;
    return this.#checked(this.#exports.gpt_step(this.#pointer));
  }

  /** Loss of the last step; NaN before step 1. */
  loss(): number {
    return this.#exports.gpt_loss(this.#pointer);
  }

  /** Threads in use, including the main one. */
  threads(): number {
    return this.#exports.gpt_threads_count();
  }

  /** Learning rate of the last step; NaN before step 1. */
  learningRate(): number {
    return this.#exports.gpt_learning_rate(this.#pointer);
  }

  /** Gradient norm of the last step before clipping; NaN before step 1. */
  gradientNorm(): number {
    return this.#exports.gpt_gradient_norm(this.#pointer);
  }

  /** Validation loss of the current weights; NaN if nothing is held out. */
  validate(): number {
    return this.#exports.gpt_validate(this.#pointer, this.get('validation_windows'));
  }

  /** Share of prompts that the model continues word for word; NaN if there are no prompts. */
  memorised(heldOut: boolean): number {
    return this.#exports.gpt_memorised(this.#pointer, heldOut ? 1 : 0);
  }

  /** The first tokens of the held-out text, in at most `bytes` bytes; empty if none is held out. */
  heldOutText(bytes: number): string {
    return withBuffer(this.#exports, bytes, (out) => {
      const count = this.#checked(this.#exports.gpt_held_out_text(this.#pointer, out, bytes));
      return textAt(this.#exports, out, count);
    });
  }

  rewind(): void {
    this.#changes += 1;
    this.#checked(this.#exports.gpt_rewind(this.#pointer));
  }

  /** Size of a snapshot; 0 for a model that only generates. */
  snapshotBytes(): number {
    return this.#exports.gpt_snapshot_bytes(this.#pointer) >>> 0;
  }

  /** Writes a snapshot: the whole state of the run, for a model of the same recipe and text. */
  writeSnapshot(): Uint8Array<ArrayBuffer> {
    const bytes = this.snapshotBytes();
    return withBuffer(this.#exports, bytes, (out) => {
      this.#checked(this.#exports.gpt_snapshot_write(this.#pointer, out, bytes));
      return bytesAt(this.#exports, out, bytes);
    });
  }

  restoreSnapshot(snapshot: Uint8Array): void {
    const { gpt_snapshot_restore: restore } = this.#exports;
    if (restore === undefined) {
      throw failure('questions', 'this module of the engine does not go back');
    }
    this.#changes += 1;
    withBytes(this.#exports, snapshot, (at, length) =>
      this.#checked(restore(this.#pointer, at, length)),
    );
  }

  set(option: string, value: number): void {
    this.#checked(
      withString(this.#exports, option, (name) =>
        this.#exports.gpt_trainer_set(this.#pointer, name, value),
      ),
    );
  }

  /** Value of an option, or of a fact such as "step"; NaN for an unknown name. */
  get(name: string): number {
    return withString(this.#exports, name, (pointer) =>
      this.#exports.gpt_trainer_get(this.#pointer, pointer),
    );
  }

  /** Creates another sampler. The caller may free it; the model frees the remaining ones. */
  createSampler(): EngineSampler {
    const pointer = this.#exports.gpt_sampler_create(this.#pointer) >>> 0;
    if (pointer === 0) throw this.#error(-3);
    return this.#samplerAt(pointer);
  }

  #samplerAt(pointer: number): EngineSampler {
    return new EngineSampler(this.#exports, pointer, {
      checked: (status) => this.#checked(status),
      error: (status) => this.#error(status),
      namingAll: (text, use) => this.#namingAll(text, use),
      vocab: () => this.get('vocab'),
    });
  }

  /** Merges of the BPE as [left, right, result, occurrences]. */
  merges(first: number, count: number): readonly (readonly [number, number, number, number])[] {
    const json = readString(
      this.#exports,
      (out, capacity) => this.#exports.gpt_merges_json(this.#pointer, first, count, out, capacity),
      (status) => this.#error(status),
    );
    return JSON.parse(json) as [number, number, number, number][];
  }

  /** Token ids of `text`. */
  encode(text: Uint8Array): Int32Array {
    return this.#namingAll(text, () => this.#encodeBytes(text));
  }

  /**
   * Extends the engine's error about a character without token, which names the first one only.
   * `values` then has all of them, `subject` those whose look-alike of another width has a token.
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
    // A token has at least one byte.
    const capacity = text.length + 1;
    return withBytes(this.#exports, text, (pointer, length) =>
      withBuffer(this.#exports, capacity * 4, (ids) => {
        const count = this.#checked(
          this.#exports.gpt_encode(this.#pointer, pointer, length, ids, capacity),
        );
        return intsAt(this.#exports, ids, count);
      }),
    );
  }

  /** Raw bytes of token `id`; empty for BOS. */
  tokenBytes(id: number): Uint8Array {
    const capacity = 512;
    return withBuffer(this.#exports, capacity, (out) => {
      const count = this.#checked(this.#exports.gpt_token_bytes(this.#pointer, id, out, capacity));
      return bytesAt(this.#exports, out, count);
    });
  }

  /** Runs a probe pass, which keeps every node, on `text`; returns the token ids. */
  probe(text: Uint8Array, gradients = false): Int32Array {
    this.#probes += 1;
    const count = withBytes(this.#exports, text, (pointer, length) =>
      this.#checked(this.#exports.gpt_probe(this.#pointer, pointer, length, gradients ? 1 : 0)),
    );
    const ids = this.#exports.gpt_probe_tokens(this.#pointer) >>> 0;
    return intsAt(this.#exports, ids, count);
  }

  /** Runs a probe pass on all of `ids` but the last; the target of each is its successor. */
  probeIds(ids: Int32Array): void {
    this.#probes += 1;
    withBytes(this.#exports, new Uint8Array(ids.buffer, ids.byteOffset, ids.byteLength), (at) =>
      this.#checked(this.#exports.gpt_probe_ids(this.#pointer, at, ids.length, 0)),
    );
  }

  /** The nodes of the last probe pass. */
  probeNodes(): readonly ProbeNode[] {
    const json = readString(
      this.#exports,
      (out, capacity) => this.#exports.gpt_probe_json(this.#pointer, out, capacity),
      (status) => this.#error(status),
    );
    return JSON.parse(json) as ProbeNode[];
  }

  /** SHA-256 of all weights, in hexadecimal. */
  weightsHash(): string {
    return this.#text((out, capacity) =>
      this.#exports.gpt_weights_hash(this.#pointer, out, capacity),
    );
  }

  /** Receipt of the run so far as JSON, which can be replayed; `receiptLine` is its short form. */
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

  /** Losses of every `loss_stride`-th step, from step 1. */
  losses(): Float32Array {
    const at = this.#exports.gpt_losses(this.#pointer) >>> 0;
    const count = this.get('loss_count');
    if (at === 0 || !(count > 0)) return new Float32Array(0);
    return floatsAt(this.#exports, at, count);
  }

  /** Writes a file of the given form; `onPiece` receives it in pieces. */
  save(form: string, note: string, onPiece: (piece: Uint8Array<ArrayBuffer>) => void): void {
    const saver =
      withString(this.#exports, form, (name) =>
        withBytes(this.#exports, encoder.encode(note), (text, length) =>
          this.#exports.gpt_save_open(this.#pointer, name, text, length),
        ),
      ) >>> 0;
    if (saver === 0) throw this.#error(-3);
    try {
      const room = Math.min(this.#exports.gpt_save_bytes(saver) + 1, SAVE_PIECE);
      withBuffer(this.#exports, room, (out) => {
        for (;;) {
          const count = this.#checked(this.#exports.gpt_save_read(saver, out, room));
          if (count === 0) return;
          onPiece(bytesAt(this.#exports, out, count));
        }
      });
    } finally {
      this.#exports.gpt_save_free(saver);
    }
  }

  /** The table of parameters. */
  parameters(): readonly Parameter[] {
    const json = readString(
      this.#exports,
      (out, capacity) => this.#exports.gpt_parameters_json(this.#pointer, out, capacity),
      (status) => this.#error(status),
    );
    return JSON.parse(json) as Parameter[];
  }

  /**
   * Copies numbers of a tensor, from number `first`, into `target`, which must not reach past the
   * tensor's end. Returns false if the tensor lacks values, or the gradients asked for.
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

  /** Copies values of node `index` of the last probe pass, from number `first`, into `target`. */
  copyProbeData(index: number, target: Float32Array, first = 0): void {
    if (!this.copyTensor({ kind: 'node', index, gradient: false }, first, target)) {
      throw failure('state', 'the probe has no such node', [], 'gpt_probe_data');
    }
  }

  /** Starts an index of `text`, the training text; the result of `make` owns the pointer. */
  trace<Trace>(
    text: EngineText,
    make: (exports: Exports & TraceExports, pointer: number) => Trace,
  ): Trace {
    if (this.#exports.gpt_trace_create === undefined) {
      throw failure('questions', 'this module of the engine answers no questions about the text');
    }
    const exports = this.#exports as Exports & TraceExports;
    const pointer = exports.gpt_trace_create(this.#pointer, text.pointer, text.length) >>> 0;
    if (pointer === 0) throw this.#error(-1);
    return make(exports, pointer);
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
