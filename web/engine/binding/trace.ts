/** An index of the text that a model learned from (c/api/gpt_trace.h). */
import type { GlasshouseError } from '../errors.ts';
import { OK } from './exports.ts';
import type { Exports, TraceExports } from './exports.ts';
import {
  floatsAt,
  intsAt,
  readError,
  readString,
  textAt,
  withBytes,
  withRoom,
  withString,
} from './memory.ts';

/** A part of a written text that stands in the training text; all are counted in bytes. */
export interface RawRun {
  readonly at: number;
  readonly bytes: number;
  /** Of the first of `count` occurrences. */
  readonly place: number;
  readonly count: number;
}

/** The longest text that a table writes. */
const WRITTEN_BYTES = 65_536;
const INT_BYTES = 4;

/** Knows where a text stands in the training text. Free it: that also ends its making. */
export class EngineTrace {
  readonly #exports: Exports & TraceExports;
  readonly #pointer: number;

  constructor(exports: Exports & TraceExports, pointer: number) {
    this.#exports = exports;
    this.#pointer = pointer;
  }

  /** Builds a part of the index, some milliseconds; false when it is ready. */
  step(): boolean {
    return this.#checked(this.#exports.gpt_trace_step(this.#pointer)) === OK;
  }

  /** A number by name, such as "progress"; NaN for other names. */
  get(name: string): number {
    return withString(this.#exports, name, (at) => this.#exports.gpt_trace_get(this.#pointer, at));
  }

  /** The held-out text from its beginning, at most `bytes` bytes of it; empty if nothing is. */
  heldOutText(bytes: number): string {
    return withRoom(this.#exports, bytes, (out) => {
      const length = this.#exports.gpt_trace_held_out_text(this.#pointer, out, bytes);
      return textAt(this.#exports, out, this.#checked(length));
    });
  }

  /**
   * For each byte of `text` the length in bytes of the longest run that begins there and stands in
   * the training text; runs there that begin at the bytes `from` up to `to` do not count.
   */
  lengths(text: Uint8Array, from = 0, to = 0): Int32Array {
    const { gpt_trace_lengths: find } = this.#exports;
    return this.#withText(text, (at, bytes) =>
      withRoom(this.#exports, 2 * INT_BYTES * bytes, (out) => {
        const places = out + INT_BYTES * bytes;
        this.#checked(find(this.#pointer, at, bytes, from, to, out, places));
        return intsAt(this.#exports, out, bytes);
      }),
    );
  }

  /** The runs of at least `least` bytes that are part of no longer one. */
  runs(text: Uint8Array, least: number): readonly RawRun[] {
    const { gpt_trace_runs_json: find } = this.#exports;
    const json = this.#withText(text, (at, bytes) =>
      this.#text((out, capacity) => find(this.#pointer, at, bytes, least, out, capacity)),
    );
    return JSON.parse(json) as RawRun[];
  }

  /** Places of `text`, which stands in the training text; at most `most` of them. */
  places(text: Uint8Array, most: number): Int32Array {
    const { gpt_trace_find: find } = this.#exports;
    return this.#withText(text, (at, bytes) =>
      withRoom(this.#exports, INT_BYTES * most, (out) => {
        const count = this.#checked(find(this.#pointer, at, bytes, out, most));
        return intsAt(this.#exports, out, Math.min(count, most));
      }),
    );
  }

  /** How many lines of the training text consist of `line`, and where one of them begins. */
  findLine(line: Uint8Array): { readonly count: number; readonly place: number } {
    const { gpt_trace_find_line: find } = this.#exports;
    return this.#withText(line, (at, bytes) =>
      withRoom(this.#exports, INT_BYTES, (out) => {
        const count = this.#checked(find(this.#pointer, at, bytes, out, 1));
        return { count, place: count > 0 ? intsAt(this.#exports, out, 1)[0]! : -1 };
      }),
    );
  }

  /** What the table of `order` tokens before loses on each of the tokens `ids`, in nats. */
  score(order: number, ids: readonly number[]): Float32Array {
    const { gpt_trace_score: score } = this.#exports;
    const bytes = new Uint8Array(Int32Array.from(ids).buffer);
    return this.#withText(bytes, (at) =>
      withRoom(this.#exports, INT_BYTES * ids.length, (out) => {
        this.#checked(score(this.#pointer, order, at, ids.length, out));
        return floatsAt(this.#exports, out, ids.length);
      }),
    );
  }

  /** What the table of `order` tokens before writes after `prompt`; `seed` is from 0 on. */
  write(order: number, prompt: Uint8Array, maxTokens: number, seed: number): string {
    const { gpt_trace_write: write } = this.#exports;
    return this.#withText(prompt, (at, bytes) =>
      withRoom(this.#exports, WRITTEN_BYTES + 1, (out) => {
        const length = this.#checked(
          write(this.#pointer, order, at, bytes, maxTokens, seed, out, WRITTEN_BYTES + 1),
        );
        return textAt(this.#exports, out, length);
      }),
    );
  }

  /** Scores a part of what the tables are measured on; false when all is scored. */
  scoreTables(): boolean {
    return this.#checked(this.#exports.gpt_baselines_step(this.#pointer)) === OK;
  }

  yardsticksJson(): string {
    return this.#text((out, capacity) =>
      this.#exports.gpt_baselines_json(this.#pointer, out, capacity),
    );
  }

  free(): void {
    this.#exports.gpt_trace_free(this.#pointer);
  }

  #withText<Result>(text: Uint8Array, use: (at: number, bytes: number) => Result): Result {
    return withBytes(this.#exports, text, use);
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
      this.#exports.gpt_trace_error(this.#pointer, out, capacity),
    );
  }
}
