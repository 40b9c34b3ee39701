/**
 * Writes one text with a model, token by token. Several samplers of a model do not disturb each
 * other.
 */
import { failure } from '../errors.ts';
import type { GlasshouseError } from '../errors.ts';
import type { Exports } from './exports.ts';
import { bytesAt, floatsAt, intsAt, readString, withBytes, withBuffer } from './memory.ts';

/** The longest text that is sampled. */
const SAMPLE_BYTES = 65_536;
/** What the engine says of a text whose document has filled the context. */
const FULL = 2;
const encoder = new TextEncoder();

/** What a sampler needs of its model. */
export interface SampledModel {
  /** Throws the model's last failure for a negative status; returns any other. */
  readonly checked: (status: number) => number;
  readonly error: (status: number) => GlasshouseError;
  /** Calls `use`; if it fails for want of a character, the failure names all of `text`. */
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
   * Reads the prompt; the tokens then come from next. Returns the tokens of the prompt.
   * `seed`, from 0 on, is that of a stream of its own: the engine takes a negative one for the
   * run's, which would change it.
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

  /** Draws one token and returns it; what was drawn is in text. */
  next(): number {
    return this.#model.checked(this.#exports.gpt_sample_next(this.#pointer));
  }

  isEnded(): boolean {
    return this.#exports.gpt_sample_ended(this.#pointer) > 0;
  }

  /** Whether it ended because its document filled the context, rather than by BOS. */
  isFull(): boolean {
    return this.#exports.gpt_sample_ended(this.#pointer) === FULL;
  }

  refills(): number {
    return this.#exports.gpt_sample_refills(this.#pointer);
  }

  /** What was drawn since begin. */
  text(): string {
    return readString(
      this.#exports,
      (out, capacity) => this.#exports.gpt_sample_text(this.#pointer, out, capacity),
      (status) => this.#model.error(status),
    );
  }

  /** Everything drawn since begin, as bytes. */
  bytes(): Uint8Array {
    const capacity = SAMPLE_BYTES + 1;
    return withBuffer(this.#exports, capacity, (out) => {
      const count = this.#model.checked(
        this.#exports.gpt_sample_bytes(this.#pointer, out, capacity),
      );
      return bytesAt(this.#exports, out, count);
    });
  }

  /** Puts token `id` there instead of drawing one. */
  take(id: number): void {
    this.#model.checked(this.#exports.gpt_sample_take(this.#pointer, id));
  }

  /** The number in [0, 1) that the last token was drawn with; NaN when nothing was drawn. */
  uniform(): number {
    return this.#exports.gpt_sample_uniform(this.#pointer);
  }

  /** Moves the random stream on as `draws` draws would. */
  skip(draws: number): void {
    this.#model.checked(this.#exports.gpt_sample_skip(this.#pointer, draws));
  }

  /** Reads the context anew with the weights of now; returns how many tokens that were. */
  reread(): number {
    return this.#model.checked(this.#exports.gpt_sample_reread(this.#pointer));
  }

  /** The tokens in the cache. */
  context(): Int32Array {
    const count = this.#exports.gpt_sample_rows(this.#pointer);
    const ids = this.#exports.gpt_sample_context(this.#pointer) >>> 0;
    if (ids === 0) return new Int32Array(0);
    return intsAt(this.#exports, ids, count);
  }

  /** Probabilities of the coming token: of the model, or as drawn from. */
  probabilities(adjusted: boolean): Float32Array {
    const at = this.#exports.gpt_sample_probabilities(this.#pointer, adjusted ? 1 : 0) >>> 0;
    if (at === 0) throw failure('state', 'no text has been begun', [], 'sample');
    return floatsAt(this.#exports, at, this.#model.vocab());
  }

  /** Gives the memory back; the model's own sampler stays. */
  free(): void {
    this.#exports.gpt_sampler_free(this.#pointer);
  }
}
