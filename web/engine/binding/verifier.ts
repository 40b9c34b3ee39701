import type { GlasshouseError } from '../errors.ts';
import { OK } from './exports.ts';
import type { Exports } from './exports.ts';
import { readString } from './memory.ts';

/** A replay of a run, to verify its receipt. The caller frees the verifier. */
export class EngineVerifier {
  readonly #exports: Exports;
  readonly #pointer: number;
  readonly #explain: (status: number) => GlasshouseError;

  constructor(exports: Exports, pointer: number, explain: (status: number) => GlasshouseError) {
    this.#exports = exports;
    this.#pointer = pointer;
    this.#explain = explain;
  }

  /** Replays one step; false when the result is final. Throws if a fork cannot begin. */
  step(): boolean {
    const status = this.#exports.gpt_verify_step(this.#pointer);
    if (status < 0) throw this.#explain(status);
    return status === OK;
  }

  /** The result so far, as JSON. */
  findingJson(): string {
    return readString(this.#exports, (out, capacity) =>
      this.#exports.gpt_verify_json(this.#pointer, out, capacity),
    );
  }

  free(): void {
    this.#exports.gpt_verify_free(this.#pointer);
  }
}
