/**
 * One instance of the module as a host without our TypeScript sees it: exports by name, numbers in
 * and out, bytes in its memory. It uses nothing from web/; the engine classes in this folder extend
 * it for one kind of test each.
 */
import { engineBytes } from './load-engine.ts';

type Call = (...args: number[]) => number;

/** A range of bytes in the engine's memory. */
export interface Span {
  readonly pointer: number;
  readonly length: number;
}

let compiled: Promise<WebAssembly.Module> | undefined;

/** Compiles the module once for all tests of a file. */
export function engineModule(): Promise<WebAssembly.Module> {
  compiled ??= WebAssembly.compile(engineBytes());
  return compiled;
}

/** Starts an instance of the module without threads. */
export async function startEngine(): Promise<WebAssembly.Exports> {
  const imports = { env: { emscripten_notify_memory_growth: () => undefined } };
  const { exports } = await WebAssembly.instantiate(await engineModule(), imports);
  (exports['_initialize'] as Call)();
  return exports;
}

const asBytes = (content: string | Uint8Array): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content;

export class EngineMemory {
  readonly memory: WebAssembly.Memory;
  readonly #exports: WebAssembly.Exports;

  /** Wraps a started instance; the threaded module imports its memory. */
  constructor(exports: WebAssembly.Exports, memory = exports['memory'] as WebAssembly.Memory) {
    this.#exports = exports;
    this.memory = memory;
  }

  /** Calls an export, with or without the prefix `gpt_`. Strings are copied, NUL-terminated. */
  call(name: string, ...args: (number | string)[]): number {
    const call = (this.#exports[name] ?? this.#exports[`gpt_${name}`]) as Call | undefined;
    if (call === undefined) throw new Error(`the module has no ${name}: run \`make wasm\``);
    const names: Span[] = [];
    const numbers = args.map((arg) => {
      if (typeof arg === 'number') return arg;
      names.push(this.put(arg));
      return names.at(-1)!.pointer;
    });
    const answer = call(...numbers);
    for (const span of names) this.free(span);
    return answer;
  }

  /** Calls an export that returns a pointer. */
  pointer(name: string, ...args: (number | string)[]): number {
    return this.call(name, ...args) >>> 0;
  }

  /** Copies bytes (or a string as UTF-8) into the engine, followed by a NUL. */
  put(content: string | Uint8Array): Span {
    const bytes = asBytes(content);
    const pointer = this.pointer('malloc', bytes.length + 1);
    if (pointer === 0) throw new Error(`no room for ${bytes.length} bytes`);
    this.write(pointer, bytes);
    this.write(pointer + bytes.length, new Uint8Array(1));
    return { pointer, length: bytes.length };
  }

  free(span: Span): void {
    this.call('free', span.pointer);
  }

  /** Overwrites bytes at `pointer`. */
  write(pointer: number, bytes: Uint8Array): void {
    new Uint8Array(this.memory.buffer).set(bytes, pointer >>> 0);
  }

  /** A copy of bytes at `pointer`: memory moves when it grows. */
  bytes(pointer: number, count: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.memory.buffer, pointer >>> 0, count).slice();
  }

  floats(pointer: number, count: number): Float32Array<ArrayBuffer> {
    if (pointer === 0) throw new Error('NULL');
    return new Float32Array(this.bytes(pointer, 4 * count).buffer);
  }

  /** Allocates memory, calls `use`, frees the memory. */
  borrow<T>(size: number, use: (pointer: number) => T): T {
    const pointer = this.pointer('malloc', Math.max(size, 1));
    if (pointer === 0) throw new Error(`no room for ${size} bytes`);
    try {
      return use(pointer);
    } finally {
      this.call('free', pointer);
    }
  }

  /** Copies content (a string as UTF-8) and a NUL into allocated memory, calls `use`, frees it. */
  lend<T>(content: string | Uint8Array, use: (pointer: number, length: number) => T): T {
    const span = this.put(content);
    try {
      return use(span.pointer, span.length);
    } finally {
      this.free(span);
    }
  }

  /** The bytes that a call wrote into a buffer of `capacity` bytes, or its negative status. */
  read(capacity: number, call: (out: number, capacity: number) => number): Uint8Array | number {
    return this.borrow(capacity, (out) => {
      const length = call(out, capacity);
      return length < 0 ? length : this.bytes(out, length);
    });
  }

  /** The text that a call wrote; must be valid UTF-8. Throws on a negative status. */
  readText(call: (out: number, capacity: number) => number, capacity = 1 << 18): string {
    const bytes = this.read(capacity, call);
    if (typeof bytes === 'number') throw new Error(`status ${bytes}`);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  }

  /** The text of the export `name`, whose last arguments are buffer and capacity. */
  text(name: string, args: readonly (number | string)[] = [], capacity?: number): string {
    return this.readText((out, room) => this.call(name, ...args, out, room), capacity);
  }
}
