/** A text in the memory of the engine. */
import type { Exports } from './exports.ts';
import { bytesAt, place, readString } from './memory.ts';

/** A text held in the engine's memory, so that planning again does not copy it again. */
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

  /** Its hash, as receipts have it (FNV-1a, 64 bits). */
  get hash(): string {
    this.#hash ??= readString(this.#exports, (out, capacity) =>
      this.#exports.gpt_text_hash(this.#pointer, this.length, out, capacity),
    );
    return this.#hash;
  }

  /** A copy of the bytes from `from` up to `to`. */
  slice(from: number, to: number): Uint8Array<ArrayBuffer> {
    const [first, end] = [Math.max(0, from), Math.min(to, this.length)];
    return bytesAt(this.#exports, this.#pointer + first, Math.max(0, end - first));
  }

  free(): void {
    this.#exports.free(this.#pointer);
    this.#pointer = 0;
  }
}
