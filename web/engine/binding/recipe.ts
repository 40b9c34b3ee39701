import { failure } from '../errors.ts';
import type { GlasshouseError } from '../errors.ts';
import { rangesText } from '../left-out.ts';
import type { ByteRange } from '../left-out.ts';
import type { Exports } from './exports.ts';
import { EngineLoader } from './loader.ts';
import { readError, readString, withBytes, withString } from './memory.ts';
import { EngineModel } from './model.ts';
import type { EngineText } from './text.ts';
import { EngineVerifier } from './verifier.ts';

/** A recipe in the engine's memory; makes plans, models, replays and file readers. */
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

  /** Sets an option; throws if the option is unknown or the value invalid. */
  set(option: string, value: number): void {
    const status = withString(this.#exports, option, (name) =>
      this.#exports.gpt_config_set(this.#pointer, name, value),
    );
    if (status < 0) throw this.#error(status);
  }

  /** Excludes byte ranges of the text from training; throws if they are invalid or too many. */
  leaveOut(ranges: readonly ByteRange[]): void {
    const status = withString(this.#exports, 'left_out', (name) =>
      withString(this.#exports, rangesText(ranges), (text) =>
        this.#exports.gpt_config_set_text(this.#pointer, name, text),
      ),
    );
    if (status < 0) throw this.#error(status);
  }

  leftOut(): ByteRange[] {
    const json = readString(
      this.#exports,
      (out, capacity) => this.#exports.gpt_config_left_out_json(this.#pointer, out, capacity),
      (status) => this.#error(status),
    );
    return JSON.parse(json) as ByteRange[];
  }

  get(option: string): number {
    return withString(this.#exports, option, (name) =>
      this.#exports.gpt_config_get(this.#pointer, name),
    );
  }

  /** Throws if the options contradict each other. */
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

  /** Architecture of its model for a vocabulary of `vocab` tokens, as JSON. */
  architectureJson(vocab: number): string {
    return readString(
      this.#exports,
      (out, capacity) => this.#exports.gpt_architecture_json(this.#pointer, vocab, out, capacity),
      (status) => this.#error(status),
    );
  }

  /**
   * Sets all options to values that suit `text`, by the rules of `version` (0: the newest); returns
   * them with the reasons, as JSON.
   */
  fitJson(text: EngineText, version: number): string {
    return readString(
      this.#exports,
      (out, capacity) =>
        this.#exports.gpt_config_fit(
          this.#pointer,
          version,
          text.pointer,
          text.length,
          out,
          capacity,
        ),
      (status) => this.#error(status),
    );
  }

  /**
   * Opens the first run of a receipt at step 0. The recipe becomes that of the receipt. Free the
   * verifier before the recipe and the texts.
   */
  verify(receipt: Uint8Array, texts: readonly EngineText[]): EngineVerifier {
    const exports = this.#exports;
    const uint32Bytes = (numbers: number[]): Uint8Array =>
      new Uint8Array(Uint32Array.from(numbers).buffer);
    const at = uint32Bytes(texts.map(({ pointer }) => pointer));
    const lengths = uint32Bytes(texts.map(({ length }) => length));
    const pointer = withBytes(exports, receipt, (json, bytes) =>
      withBytes(exports, at, (list) =>
        withBytes(exports, lengths, (sizes) =>
          exports.gpt_verify_open_all(this.#pointer, json, bytes, list, sizes, texts.length),
        ),
      ),
    );
    if (pointer === 0) throw this.#error(-3);
    return new EngineVerifier(exports, pointer >>> 0, (status) => this.#error(status));
  }

  /** Creates a model at step 0. The caller frees the model. */
  train(text: EngineText): EngineModel {
    const pointer =
      this.#exports.gpt_trainer_create(this.#pointer, text.pointer, text.length) >>> 0;
    if (pointer === 0) throw this.#error(-3);
    return new EngineModel(this.#exports, pointer);
  }

  /**
   * Sets a BPE vocabulary: vocab.json, merges.txt and added_tokens.json, or a tokenizer.json alone.
   */
  setBpe(vocab: Uint8Array, merges: Uint8Array | null, added: Uint8Array | null): void {
    const withOptional = (
      bytes: Uint8Array | null,
      use: (pointer: number, count: number) => number,
    ): number => (bytes === null ? use(0, 0) : withBytes(this.#exports, bytes, use));
    const status = withOptional(vocab, (...json) =>
      withOptional(merges, (...text) =>
        withOptional(added, (...more) =>
          this.#exports.gpt_config_set_bpe(this.#pointer, ...json, ...text, ...more),
        ),
      ),
    );
    if (status < 0) throw this.#error(status);
  }

  /** Sets the recipe to that of a Hugging Face config.json. */
  importConfig(json: Uint8Array): void {
    const status = withBytes(this.#exports, json, (pointer, length) =>
      this.#exports.gpt_config_import(this.#pointer, pointer, length),
    );
    if (status < 0) throw this.#error(status);
  }

  /**
   * Opens a weights file of `bytes` bytes; `form`: "safetensors", "index" or "raw". Free the loader
   * before the recipe.
   */
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
