/** A text in the memory of the engine. */
import type { Exports } from './exports.ts';
import { place } from './memory.ts';

/** A text held in the engine's memory, so that planning again does not copy it again. */
export class EngineText {
  readonly #exports: Exports;
  #pointer: number;
  readonly length: number;

  constructor(exports: Exports, bytes: Uint8Array) {
    this.#exports = exports;
    this.#pointer = place(exports, bytes);
    this.length = bytes.length;
  }

  get pointer(): number {
    return this.#pointer;
  }

  free(): void {
    this.#exports.free(this.#pointer);
    this.#pointer = 0;
  }
}
