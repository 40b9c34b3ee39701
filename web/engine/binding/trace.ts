import type { GlasshouseError } from '../errors.ts';
import { OK } from './exports.ts';
import type { Exports, TraceExports } from './exports.ts';
import {
  bytesAt,
  floatsAt,
  intsAt,
  readError,
  textAt,
  withBytes,
  withBuffer,
  withString,
} from './memory.ts';

/** A run: a part of a written text that occurs in the training text. Unit: bytes. */
export interface RawRun {
  readonly at: number;
  readonly bytes: number;
  /** Offset of the first of `count` occurrences. */
  readonly place: number;
  readonly count: number;
}

/** Maximum bytes of a text that an n-gram table writes. */
const WRITTEN_BYTES = 65_536;
const INT_BYTES = 4;
/** Size of gpt_run: four doubles. */
const RUN_BYTES = 32;

/** Index of the training text (c/api/gpt_trace.h). The caller frees it, complete or not. */
export class EngineTrace {
  readonly #exports: Exports & TraceExports;
  readonly #pointer: number;

  constructor(exports: Exports & TraceExports, pointer: number) {
    this.#exports = exports;
    this.#pointer = pointer;
  }

  /** Builds the index for a few milliseconds; false when it is complete. */
  step(): boolean {
    return this.#checked(this.#exports.gpt_trace_step(this.#pointer)) === OK;
  }

  /** Value of a fact such as "progress"; NaN for an unknown name. */
  get(name: string): number {
    return withString(this.#exports, name, (at) => this.#exports.gpt_trace_get(this.#pointer, at));
  }

  /** The maximal runs of at least `least` bytes: those not contained in a longer run. */
  runs(text: Uint8Array, least: number): readonly RawRun[] {
    const { gpt_trace_runs: find } = this.#exports;
    // At most one run begins at each byte.
    return this.#withText(text, (at, most) =>
      withBuffer(this.#exports, RUN_BYTES * most, (out) => {
        const count = this.#checked(find(this.#pointer, at, most, least, out, most));
        const all = bytesAt(this.#exports, out, RUN_BYTES * count);
        const numbers = new Float64Array(all.buffer);
        return Array.from({ length: count }, (_, index) => {
          const [from = 0, bytes = 0, place = 0, times = 0] = numbers.subarray(4 * index);
          return { at: from, bytes, place, count: times };
        });
      }),
    );
  }

  /** Offsets of at most `most` occurrences of `text`. */
  places(text: Uint8Array, most: number): Int32Array {
    const { gpt_trace_find: find } = this.#exports;
    return this.#withText(text, (at, bytes) =>
      withBuffer(this.#exports, INT_BYTES * most, (out) => {
        const count = this.#checked(find(this.#pointer, at, bytes, out, most));
        return intsAt(this.#exports, out, Math.min(count, most));
      }),
    );
  }

  /** Number of lines of the training text equal to `line`, and the offset of one of them. */
  findLine(line: Uint8Array): { readonly count: number; readonly place: number } {
    const { gpt_trace_find_line: find } = this.#exports;
    return this.#withText(line, (at, bytes) =>
      withBuffer(this.#exports, INT_BYTES, (out) => {
        const count = this.#checked(find(this.#pointer, at, bytes, out, 1));
        return { count, place: count > 0 ? intsAt(this.#exports, out, 1)[0]! : -1 };
      }),
    );
  }

  /** Loss in nats of each token in `ids` by the n-gram table of `order` previous tokens. */
  score(order: number, ids: readonly number[]): Float32Array {
    const { gpt_trace_score: score } = this.#exports;
    const bytes = new Uint8Array(Int32Array.from(ids).buffer);
    return this.#withText(bytes, (at) =>
      withBuffer(this.#exports, INT_BYTES * ids.length, (out) => {
        this.#checked(score(this.#pointer, order, at, ids.length, out));
        return floatsAt(this.#exports, out, ids.length);
      }),
    );
  }

  /** Continues `prompt` with the n-gram table of `order` previous tokens; `seed` >= 0. */
  write(order: number, prompt: Uint8Array, maxTokens: number, seed: number): string {
    const { gpt_trace_write: write } = this.#exports;
    return this.#withText(prompt, (at, bytes) =>
      withBuffer(this.#exports, WRITTEN_BYTES + 1, (out) => {
        const length = this.#checked(
          write(this.#pointer, order, at, bytes, maxTokens, seed, out, WRITTEN_BYTES + 1),
        );
        return textAt(this.#exports, out, length);
      }),
    );
  }

  /** Scores the n-gram tables on part of their test tokens; false when all are scored. */
  scoreTables(): boolean {
    return this.#checked(this.#exports.gpt_baselines_step(this.#pointer)) === OK;
  }

  /** Mean loss of an n-gram table in nats per token; order -1 guesses uniformly. */
  baseline(order: number): number {
    return this.#exports.gpt_baseline(this.#pointer, order);
  }

  /** Measures part of the base rate; false when it is complete. */
  stepBaseRate(): boolean {
    return this.#checked(this.#exports.gpt_base_rate_step(this.#pointer)) === OK;
  }

  free(): void {
    this.#exports.gpt_trace_free(this.#pointer);
  }

  #withText<Result>(text: Uint8Array, use: (at: number, bytes: number) => Result): Result {
    return withBytes(this.#exports, text, use);
  }

  #checked(status: number): number {
    if (status < 0) throw this.#error(status);
    return status;
  }

  #error(status: number): GlasshouseError {
    return readError(this.#exports, status, (out, capacity) =>
      this.#exports.gpt_trace_error(this.#pointer, out, capacity),
    );
  }
}
