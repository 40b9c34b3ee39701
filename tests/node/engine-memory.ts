/**
 * One instance of the module as any host without our TypeScript sees it: exports by name, numbers
 * in and out, bytes in its memory. Nothing of web/ is behind it; the engines beside this file add
 * what one kind of test needs.
 */
import { engineBytes } from './load-engine.ts';

type Call = (...args: number[]) => number;

/** Bytes within the engine's memory. */
export interface Span {
  readonly pointer: number;
  readonly length: number;
}

let compiled: Promise<WebAssembly.Module> | undefined;

/** Compiled once for all tests of a file. */
export function engineModule(): Promise<WebAssembly.Module> {
  compiled ??= WebAssembly.compile(engineBytes());
  return compiled;
}

/** A started instance of the module without threads. */
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

  /** Over an instance that has been started; the threaded module imports its memory. */
  constructor(exports: WebAssembly.Exports, memory = exports['memory'] as WebAssembly.Memory) {
    this.#exports = exports;
    this.memory = memory;
  }

  /** Calls an export, `gpt_` left out or not. Strings go in as NUL-terminated copies. */
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

  /** The same for an export that answers a pointer. */
  pointer(name: string, ...args: (number | string)[]): number {
    return this.call(name, ...args) >>> 0;
  }

  /** Copies bytes (or a string as UTF-8) into the engine, with a NUL behind them. */
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

  /** Overwrites what lies at `pointer`. */
  write(pointer: number, bytes: Uint8Array): void {
    new Uint8Array(this.memory.buffer).set(bytes, pointer >>> 0);
  }

  /** A copy of what lies at `pointer`: memory moves when it grows. */
  bytes(pointer: number, count: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.memory.buffer, pointer >>> 0, count).slice();
  }

  floats(pointer: number, count: number): Float32Array<ArrayBuffer> {
    if (pointer === 0) throw new Error('NULL');
    return new Float32Array(this.bytes(pointer, 4 * count).buffer);
  }

  /** Takes memory for as long as `use` runs. */
  borrow<T>(size: number, use: (pointer: number) => T): T {
    const pointer = this.pointer('malloc', Math.max(size, 1));
    if (pointer === 0) throw new Error(`no room for ${size} bytes`);
    try {
      return use(pointer);
    } finally {
      this.call('free', pointer);
    }
  }

  /** The same with something in it (a string as UTF-8), and a NUL behind that. */
  lend<T>(content: string | Uint8Array, use: (pointer: number, length: number) => T): T {
    const span = this.put(content);
    try {
      return use(span.pointer, span.length);
    } finally {
      this.free(span);
    }
  }

  /** What a call that fills a buffer of `capacity` bytes wrote, or its negative status. */
  read(capacity: number, call: (out: number, capacity: number) => number): Uint8Array | number {
    return this.borrow(capacity, (out) => {
      const length = call(out, capacity);
      return length < 0 ? length : this.bytes(out, length);
    });
  }

  /** The same as a string that must be valid UTF-8; throws what is negative. */
  readText(call: (out: number, capacity: number) => number, capacity = 1 << 18): string {
    const bytes = this.read(capacity, call);
    if (typeof bytes === 'number') throw new Error(`status ${bytes}`);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  }

  /** What the export `name` writes into the buffer and capacity that it is given last. */
  text(name: string, args: readonly (number | string)[] = [], capacity?: number): string {
    return this.readText((out, room) => this.call(name, ...args, out, room), capacity);
  }
}
