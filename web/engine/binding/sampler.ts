/** Writes a text token by token. The samplers of a model are independent of each other. */
import { failure } from '../errors.ts';
import type { GlasshouseError } from '../errors.ts';
import type { Exports } from './exports.ts';
import { bytesAt, floatsAt, intsAt, readString, withBytes, withBuffer } from './memory.ts';

/** Maximum bytes of a sampled text. */
const SAMPLE_BYTES = 65_536;
/** Value of gpt_sample_ended if the document filled the context. */
const FULL = 2;
const encoder = new TextEncoder();

/** The functions of a model that its samplers need. */
export interface SampledModel {
  /** Returns the status; if negative, throws the model's last error. */
  readonly checked: (status: number) => number;
  readonly error: (status: number) => GlasshouseError;
  /** Calls `use`; its error about a missing character names every missing character of `text`. */
  readonly namingAll: <Result>(text: Uint8Array, use: () => Result) => Result;
  readonly vocab: () => number;
}

export class EngineSampler {
  readonly #exports: Exports;
  readonly #pointer: number;
  readonly #model: SampledModel;

  constructor(exports: Exports, pointer: number, model: SampledModel) {
    this.#exports = exports;
    this.#pointer = pointer;
    this.#model = model;
  }

  /**
   * Reads the prompt and returns its number of tokens. `seed` >= 0 starts a separate random stream;
   * a negative seed would use and change the stream of the run.
   */
  begin(prompt: string, temperature: number, topK: number, topP: number, seed: number): number {
    const text = encoder.encode(prompt);
    const begin = (pointer: number, length: number): number =>
      this.#model.checked(
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
    return this.#model.namingAll(text, () => withBytes(this.#exports, text, begin));
  }

  /** Draws a token and returns its id. */
  next(): number {
    return this.#model.checked(this.#exports.gpt_sample_next(this.#pointer));
  }

  isEnded(): boolean {
    return this.#exports.gpt_sample_ended(this.#pointer) > 0;
  }

  /** Whether the document filled the context, as opposed to ending with BOS. */
  isFull(): boolean {
    return this.#exports.gpt_sample_ended(this.#pointer) === FULL;
  }

  refills(): number {
    return this.#exports.gpt_sample_refills(this.#pointer);
  }

  /** The text drawn since `begin`. */
  text(): string {
    return readString(
      this.#exports,
      (out, capacity) => this.#exports.gpt_sample_text(this.#pointer, out, capacity),
      (status) => this.#model.error(status),
    );
  }

  /** The bytes drawn since `begin`. */
  bytes(): Uint8Array {
    const capacity = SAMPLE_BYTES + 1;
    return withBuffer(this.#exports, capacity, (out) => {
      const count = this.#model.checked(
        this.#exports.gpt_sample_bytes(this.#pointer, out, capacity),
      );
      return bytesAt(this.#exports, out, count);
    });
  }

  /** Appends token `id` without a draw. */
  append(id: number): void {
    this.#model.checked(this.#exports.gpt_sample_take(this.#pointer, id));
  }

  /**
   * The number in [0, 1) of the last draw since `begin`; NaN before the first draw. Tokens added
   * without a draw leave it unchanged.
   */
  uniform(): number {
    return this.#exports.gpt_sample_uniform(this.#pointer);
  }

  /** Advances the random stream by `draws` draws. */
  skip(draws: number): void {
    this.#model.checked(this.#exports.gpt_sample_skip(this.#pointer, draws));
  }

  /** Recomputes the context with the current weights; returns its number of tokens. */
  reread(): number {
    return this.#model.checked(this.#exports.gpt_sample_reread(this.#pointer));
  }

  /** Ids of the tokens in the cache. */
  context(): Int32Array {
    const count = this.#exports.gpt_sample_rows(this.#pointer);
    const ids = this.#exports.gpt_sample_context(this.#pointer) >>> 0;
    if (ids === 0) return new Int32Array(0);
    return intsAt(this.#exports, ids, count);
  }

  /** Probabilities of the next token; `adjusted`: after the sampling parameters. */
  probabilities(adjusted: boolean): Float32Array {
    const at = this.#exports.gpt_sample_probabilities(this.#pointer, adjusted ? 1 : 0) >>> 0;
    if (at === 0) throw failure('state', 'no text has been begun', [], 'sample');
    return floatsAt(this.#exports, at, this.#model.vocab());
  }

  /** Frees the sampler; does nothing for the model's own sampler. */
  free(): void {
    this.#exports.gpt_sampler_free(this.#pointer);
  }
}
