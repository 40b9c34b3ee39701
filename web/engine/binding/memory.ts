/**
 * Access to the module's memory; no other file creates views of it. A view lives for one call,
 * because growing the memory detaches older views. Functions return copies: the memory may be
 * shared with helper threads, and browsers refuse shared bytes in TextDecoder, Blob and WebCrypto.
 */
import { failure, GlasshouseError } from '../errors.ts';
import type { ErrorFacts } from '../errors.ts';
import { E_CAPACITY } from './exports.ts';
import type { Exports } from './exports.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** A copy of the bytes at `at`. */
export function bytesAt(exports: Exports, at: number, count: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(exports.memory.buffer, at, count).slice();
}

/** A copy of the 32-bit integers at `at`. */
export function intsAt(exports: Exports, at: number, count: number): Int32Array {
  return new Int32Array(exports.memory.buffer, at, count).slice();
}

/** A copy of the 32-bit floats at `at`. */
export function floatsAt(exports: Exports, at: number, count: number): Float32Array {
  return new Float32Array(exports.memory.buffer, at, count).slice();
}

/** Fills `target` with the 32-bit floats at `at`. */
export function copyFloats(exports: Exports, at: number, target: Float32Array): void {
  target.set(new Float32Array(exports.memory.buffer, at, target.length));
}

/** The bytes at `at` as text. */
export function textAt(exports: Exports, at: number, count: number): string {
  return decoder.decode(bytesAt(exports, at, count));
}

/** Size of the memory in bytes; it never shrinks. */
export function memorySize(exports: Exports): number {
  return exports.memory.buffer.byteLength;
}

/** Allocates a copy of `bytes` and one byte more, so that an empty text has an address. */
export function place(exports: Exports, bytes: Uint8Array): number {
  const pointer = reserve(exports, bytes.length + 1);
  new Uint8Array(exports.memory.buffer, pointer, bytes.length).set(bytes);
  return pointer;
}

/** Allocates `bytes` bytes; throws `allocation`. */
function reserve(exports: Exports, bytes: number): number {
  const pointer = exports.malloc(bytes) >>> 0;
  if (pointer === 0) {
    throw failure('allocation', `the system refused ${String(bytes)} bytes of memory`, [bytes]);
  }
  return pointer;
}

/** Runs `use` with a temporary buffer of `bytes` bytes. */
export function withBuffer<Result>(
  exports: Exports,
  bytes: number,
  use: (pointer: number) => Result,
): Result {
  const pointer = reserve(exports, bytes);
  try {
    return use(pointer);
  } finally {
    exports.free(pointer);
  }
}

/** Runs `use` with a temporary copy of `bytes`. */
export function withBytes<Result>(
  exports: Exports,
  bytes: Uint8Array,
  use: (pointer: number, length: number) => Result,
): Result {
  const pointer = place(exports, bytes);
  try {
    return use(pointer, bytes.length);
  } finally {
    exports.free(pointer);
  }
}

/** Runs `use` with a temporary NUL-terminated copy of `text`. */
export function withString<Result>(
  exports: Exports,
  text: string,
  use: (pointer: number) => Result,
): Result {
  return withBytes(exports, encoder.encode(`${text}\0`), use);
}

/** The NUL-terminated text at a pointer. */
export function stringAt(exports: Exports, pointer: number): string {
  const at = pointer >>> 0;
  return textAt(exports, at, new Uint8Array(exports.memory.buffer, at).indexOf(0));
}

/** Calls `write` with a growing buffer until its answer fits, and returns the text it wrote. */
export function readString(
  exports: Exports,
  write: (out: number, capacity: number) => number,
  explain: (status: number) => GlasshouseError = plainError,
): string {
  for (let capacity = 1 << 14; ; capacity *= 4) {
    const answer = withBuffer(exports, capacity, (out) => {
      const length = write(out, capacity);
      if (length === E_CAPACITY && capacity < 1 << 26) return null;
      if (length < 0) throw explain(length);
      return textAt(exports, out, length);
    });
    if (answer !== null) return answer;
  }
}

/** Parses the error that `write` returns as JSON; without one, an error that names `status`. */
export function readError(
  exports: Exports,
  status: number,
  write: (out: number, capacity: number) => number,
): GlasshouseError {
  const raw = JSON.parse(readString(exports, write)) as {
    code: string;
    message: string;
    values: number[];
    name: string;
  };
  if (raw.code === 'ok') return plainError(status);
  const facts: ErrorFacts = {
    code: raw.code,
    message: raw.message,
    // Of an unknown character only the code point is kept. EngineModel.#namingAll adds all missing
    // characters to `values` and those with a look-alike to `subject`.
    values: raw.code === 'character' ? raw.values.slice(0, 1) : raw.values,
    subject: raw.code === 'character' ? '' : raw.name,
  };
  return new GlasshouseError(facts);
}

/** An error that only names the status. */
export function plainError(status: number): GlasshouseError {
  return failure('unexpected', `the engine answered ${String(status)}`, [status]);
}
