/** The replay of a receipt. */
import { OK } from './exports.ts';
import type { Exports } from './exports.ts';
import { plainError, readString } from './memory.ts';

/** A run that is replayed to see whether its receipt is true. Free it. */
export class EngineVerifier {
  readonly #exports: Exports;
  readonly #pointer: number;

  constructor(exports: Exports, pointer: number) {
    this.#exports = exports;
    this.#pointer = pointer;
  }

  /** Replays one step; false when there is nothing more to find. */
  step(): boolean {
    const status = this.#exports.gpt_verify_step(this.#pointer);
    if (status < 0) throw plainError(status);
    return status === OK;
  }

  /** What has been found so far, as JSON. */
  findingJson(): string {
    return readString(this.#exports, (out, capacity) =>
      this.#exports.gpt_verify_json(this.#pointer, out, capacity),
    );
  }

  free(): void {
    this.#exports.gpt_verify_free(this.#pointer);
  }
}
