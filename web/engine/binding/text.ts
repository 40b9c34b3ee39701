import type { Exports } from './exports.ts';
import { bytesAt, place, readString } from './memory.ts';

/** A text in the engine's memory, shared by plans and models. */
export class EngineText {
  readonly #exports: Exports;
  #pointer: number;
  readonly length: number;
  #hash: string | null = null;

  constructor(exports: Exports, bytes: Uint8Array) {
    this.#exports = exports;
    this.#pointer = place(exports, bytes);
    this.length = bytes.length;
  }

  get pointer(): number {
    return this.#pointer;
  }

  /** FNV-1a hash, 64 bits, as in receipts. */
  get hash(): string {
    this.#hash ??= readString(this.#exports, (out, capacity) =>
      this.#exports.gpt_text_hash(this.#pointer, this.length, out, capacity),
    );
    return this.#hash;
  }

  /** A copy of the bytes from `from` up to but not including `to`. */
  slice(from: number, to: number): Uint8Array<ArrayBuffer> {
    const [first, end] = [Math.max(0, from), Math.min(to, this.length)];
    return bytesAt(this.#exports, this.#pointer + first, Math.max(0, end - first));
  }

  free(): void {
    this.#exports.free(this.#pointer);
    this.#pointer = 0;
  }
}
