/** Conversion to and from files of other programs, as a stream of pieces (c/api/gpt_formats.h). */
import { failure } from '../errors.ts';
import type { FormatExports, Exports } from './exports.ts';
import { bytesAt, readError, readString, withBytes, withBuffer, withString } from './memory.ts';

/** Bytes read from the module per call. */
const PIECE = 1 << 20;

export type WithFormats = Exports & FormatExports;

/** Whether this module has the functions of c/api/gpt_formats.h. */
export function hasFormats(exports: Exports): exports is WithFormats {
  return exports.gpt_export_open !== undefined;
}

/** A conversion of a weights file to another program's file. The caller frees it. */
export class EngineExport {
  readonly #exports: WithFormats;
  readonly #pointer: number;

  /** `bytes`: size of the weights file. */
  constructor(exports: WithFormats, form: string, bytes: number) {
    this.#exports = exports;
    const open = (name: number): number => exports.gpt_export_open(name, bytes);
    this.#pointer = withString(exports, form, open) >>> 0;
    if (this.#pointer === 0) throw failure('argument', `there is no form ${form}`, [], 'form');
  }

  /** Sets a field of a template; call before the first `feed`. */
  setField(name: string, text: string): void {
    withString(this.#exports, name, (namePointer) =>
      withString(this.#exports, text, (value) =>
        this.#checked(this.#exports.gpt_export_set_field(this.#pointer, namePointer, value)),
      ),
    );
  }

  /** Passes bytes of the weights file; returns how many were used. Pass the others again. */
  feed(piece: Uint8Array): number {
    return withBytes(this.#exports, piece, (at, length) =>
      this.#checked(this.#exports.gpt_export_feed(this.#pointer, at, length)),
    );
  }

  /** The next bytes of the converted file; empty if more input is needed, and at the end. */
  take(): Uint8Array<ArrayBuffer> {
    return withBuffer(this.#exports, PIECE, (out) =>
      bytesAt(
        this.#exports,
        out,
        this.#checked(this.#exports.gpt_export_take(this.#pointer, out, PIECE)),
      ),
    );
  }

  /** Bytes of the converted file; 0 until the header of the weights was fed. */
  get size(): number {
    return this.#exports.gpt_export_size(this.#pointer);
  }

  get done(): boolean {
    return this.#exports.gpt_export_done(this.#pointer) === 1;
  }

  free(): void {
    this.#exports.gpt_export_free(this.#pointer);
  }

  #checked(answer: number): number {
    if (answer >= 0) return answer;
    throw readError(this.#exports, answer, (out, capacity) =>
      this.#exports.gpt_export_error_json(this.#pointer, out, capacity),
    );
  }
}

/**
 * A conversion of another program's model file to the files of the transformers library. The caller
 * frees it.
 */
export class EngineImport {
  readonly #exports: WithFormats;
  readonly #pointer: number;

  constructor(exports: WithFormats, bytes: number) {
    this.#exports = exports;
    this.#pointer = exports.gpt_import_open(bytes) >>> 0;
    if (this.#pointer === 0) throw failure('allocation', 'the system refused memory', [bytes]);
  }

  /** Range of the input file that is needed next. */
  get wants(): { readonly at: number; readonly bytes: number } {
    const at = this.#exports.gpt_import_at(this.#pointer);
    return { at, bytes: this.#exports.gpt_import_wants(this.#pointer) };
  }

  /** Passes bytes of the range `wants`; returns how many were used. */
  feed(piece: Uint8Array): number {
    return withBytes(this.#exports, piece, (at, length) =>
      this.#checked(this.#exports.gpt_import_feed(this.#pointer, at, length)),
    );
  }

  /** The next bytes of model.safetensors; empty if more input is needed, and at the end. */
  take(): Uint8Array<ArrayBuffer> {
    return withBuffer(this.#exports, PIECE, (out) =>
      bytesAt(
        this.#exports,
        out,
        this.#checked(this.#exports.gpt_import_take(this.#pointer, out, PIECE)),
      ),
    );
  }

  /** Content of the companion file `name`; empty if the source has no such file. */
  text(name: string): string {
    return withString(this.#exports, name, (namePointer) =>
      readString(this.#exports, (out, capacity) =>
        this.#exports.gpt_import_text(this.#pointer, namePointer, out, capacity),
      ),
    );
  }

  free(): void {
    this.#exports.gpt_import_free(this.#pointer);
  }

  #checked(answer: number): number {
    if (answer >= 0) return answer;
    throw readError(this.#exports, answer, (out, capacity) =>
      this.#exports.gpt_import_error_json(this.#pointer, out, capacity),
    );
  }
}
