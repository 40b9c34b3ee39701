import type { GlasshouseError } from '../errors.ts';
import type { Exports } from './exports.ts';
import { readString, withBytes, withString } from './memory.ts';
import { EngineModel } from './model.ts';
import type { EngineText } from './text.ts';

/** Reads weights files into a model, piece by piece. `explain` converts a status to an error. */
export class EngineLoader {
  readonly #exports: Exports;
  readonly #explain: (status: number) => GlasshouseError;
  #pointer: number;

  constructor(exports: Exports, pointer: number, explain: (status: number) => GlasshouseError) {
    this.#exports = exports;
    this.#pointer = pointer;
    this.#explain = explain;
  }

  /** Passes the next piece; returns how much was used. Before `begin` only the header is used. */
  feed(piece: Uint8Array): number {
    return withBytes(this.#exports, piece, (pointer, length) =>
      this.#checked(this.#exports.gpt_load_feed(this.#pointer, pointer, length)),
    );
  }

  /** Whether a header is still incomplete. */
  readsHeader(): boolean {
    return this.#exports.gpt_load_state(this.#pointer) === 0;
  }

  /** Name of weights file `index` of a model in several files; null past the last. */
  fileName(index: number): string | null {
    const name = readString(
      this.#exports,
      (out, capacity) => this.#exports.gpt_load_file(this.#pointer, index, out, capacity),
      this.#explain,
    );
    return name === '' ? null : name;
  }

  /** Starts the next weights file; `bytes` is its size. */
  next(bytes: number): void {
    this.#checked(this.#exports.gpt_load_next(this.#pointer, bytes));
  }

  /** Facts of the header, as JSON. */
  factsJson(): string {
    return readString(
      this.#exports,
      (out, capacity) => this.#exports.gpt_load_json(this.#pointer, out, capacity),
      this.#explain,
    );
  }

  /** Memory plan of `begin`, as JSON; `text` is null for a model that only generates. */
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

  /** Allocates the model. */
  begin(purpose: string, text: EngineText | null): void {
    withString(this.#exports, purpose, (name) =>
      this.#checked(
        this.#exports.gpt_load_begin(this.#pointer, name, text?.pointer ?? 0, text?.length ?? 0),
      ),
    );
  }

  /** Returns the model, once every file was fed. The caller frees the model. */
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
