/**
 * The module as any host without our TypeScript sees it: numbers in, numbers out. Tests of the
 * contract in c/api/gpt.h stand on this and on nothing of web/.
 */
import { engineBytes } from './load-engine.ts';

export type Call = (...args: number[]) => number;

/** Bytes within the engine's memory. */
export interface Span {
  readonly pointer: number;
  readonly length: number;
}

/** The statuses that the tests name; the list itself is c/base/status.h. */
export const Status = {
  OK: 0,
  FINISHED: 1,
  ARGUMENT: -1,
  OPTION: -4,
  RANGE: -5,
  WHOLE: -6,
  HEADS: -7,
  EMPTY: -8,
  CHARACTER: -10,
  LONG: -11,
  FIXED: -13,
  CAPACITY: -14,
  STATE: -15,
} as const;

export interface EngineFailure {
  readonly status: number;
  readonly code: string;
  readonly name: string;
  readonly values: readonly (number | null)[];
  readonly message: string;
}

export interface Plan {
  readonly vocab: number;
  readonly tokens: number;
  readonly train_tokens: number | null;
  readonly documents: number;
  readonly cut_documents: number;
  readonly cut_characters: number;
  readonly invalid_bytes: number;
  readonly parameters: number;
  readonly random_loss: number;
  readonly text_bytes: number;
  readonly total_bytes: number;
  readonly limit_bytes: number;
  readonly tokens_per_step: number;
}

export type Settings = Readonly<Record<string, number>>;

let compiled: Promise<WebAssembly.Module> | undefined;

/** Compiled once for all tests of a file. */
export function engineModule(): Promise<WebAssembly.Module> {
  compiled ??= WebAssembly.compile(engineBytes());
  return compiled;
}

export class BareEngine {
  readonly memory: WebAssembly.Memory;
  readonly #exports: WebAssembly.Exports;

  /** Over an instance that has been started; the threaded module imports its memory. */
  constructor(exports: WebAssembly.Exports, memory = exports['memory'] as WebAssembly.Memory) {
    this.#exports = exports;
    this.memory = memory;
  }

  static async load(): Promise<BareEngine> {
    const imports = { env: { emscripten_notify_memory_growth: () => undefined } };
    const instance = await WebAssembly.instantiate(await engineModule(), imports);
    const engine = new BareEngine(instance.exports);
    engine.call('_initialize');
    return engine;
  }

  /** Calls an export. */
  call(name: string, ...args: number[]): number {
    return (this.#exports[name] as Call)(...args);
  }

  /** The same for an export that answers a pointer. */
  pointer(name: string, ...args: number[]): number {
    return this.call(name, ...args) >>> 0;
  }

  memoryBytes(): number {
    return this.memory.buffer.byteLength;
  }

  /** Copies bytes (or a string as UTF-8) into the engine, with a NUL behind them. */
  put(content: string | Uint8Array): Span {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    const pointer = this.pointer('malloc', bytes.length + 1);
    if (pointer === 0) throw new Error(`no room for ${bytes.length} bytes`);
    const view = new Uint8Array(this.memory.buffer, pointer, bytes.length + 1);
    view.set(bytes);
    view[bytes.length] = 0;
    return { pointer, length: bytes.length };
  }

  free(span: Span): void {
    this.call('free', span.pointer);
  }

  /** Calls with a NUL-terminated name that is gone afterwards. */
  #named<T>(name: string, call: (pointer: number) => T): T {
    const span = this.put(name);
    try {
      return call(span.pointer);
    } finally {
      this.free(span);
    }
  }

  /** What a call that fills a buffer of `capacity` bytes wrote, or its negative status. */
  read(capacity: number, call: (out: number, capacity: number) => number): Uint8Array | number {
    const out = this.pointer('malloc', capacity);
    try {
      const length = call(out, capacity);
      return length < 0 ? length : new Uint8Array(this.memory.buffer).slice(out, out + length);
    } finally {
      this.call('free', out);
    }
  }

  /** The same as a string that must be valid UTF-8. */
  readText(call: (out: number, capacity: number) => number): string {
    const bytes = this.read(1 << 18, call);
    if (typeof bytes === 'number') throw new Error(`status ${bytes}`);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  }

  readJson(call: (out: number, capacity: number) => number): unknown {
    return JSON.parse(this.readText(call));
  }

  floats(pointer: number, count: number): Float32Array {
    if (pointer === 0) throw new Error('NULL');
    return new Float32Array(this.memory.buffer).slice(pointer / 4, pointer / 4 + count);
  }

  /** A recipe; 0 for an unknown preset. */
  config(preset: string, settings: Settings = {}): number {
    const config = this.#named(preset, (name) => this.pointer('gpt_config_create', name));
    for (const [option, value] of Object.entries(settings)) {
      const status = this.set(config, option, value);
      if (status !== Status.OK) throw new Error(`${option} = ${value}: status ${status}`);
    }
    return config;
  }

  set(config: number, option: string, value: number): number {
    return this.#named(option, (name) => this.call('gpt_config_set', config, name, value));
  }

  getOption(config: number, option: string): number {
    return this.#named(option, (name) => this.call('gpt_config_get', config, name));
  }

  /** A trainer, 0 on failure; the recipe stays the caller's. */
  trainer(config: number, text: string | Uint8Array): number {
    const span = this.put(text);
    try {
      return this.pointer('gpt_trainer_create', config, span.pointer, span.length);
    } finally {
      this.free(span);
    }
  }

  /** A trainer that must succeed. */
  train(preset: string, settings: Settings, text: string | Uint8Array): number {
    const config = this.config(preset, settings);
    const trainer = this.trainer(config, text);
    if (trainer === 0) throw new Error(this.configError(config).message);
    this.call('gpt_config_free', config);
    return trainer;
  }

  get(trainer: number, name: string): number {
    return this.#named(name, (pointer) => this.call('gpt_trainer_get', trainer, pointer));
  }

  setLive(trainer: number, option: string, value: number): number {
    return this.#named(option, (name) => this.call('gpt_trainer_set', trainer, name, value));
  }

  plan(config: number, text: string | Uint8Array): Plan | EngineFailure {
    const span = this.put(text);
    try {
      const bytes = this.read(4096, (out, capacity) =>
        this.call('gpt_plan_json', config, span.pointer, span.length, out, capacity),
      );
      if (typeof bytes === 'number') return this.configError(config);
      return JSON.parse(new TextDecoder().decode(bytes)) as Plan;
    } finally {
      this.free(span);
    }
  }

  configError(config: number): EngineFailure {
    return this.readJson((out, capacity) =>
      this.call('gpt_config_error', config, out, capacity),
    ) as EngineFailure;
  }

  trainerError(trainer: number): EngineFailure {
    return this.readJson((out, capacity) =>
      this.call('gpt_trainer_error', trainer, out, capacity),
    ) as EngineFailure;
  }

  /** Losses of up to `count` steps; ends where the run does. */
  losses(trainer: number, count: number): number[] {
    const losses: number[] = [];
    while (losses.length < count && this.call('gpt_step', trainer) === Status.OK) {
      losses.push(this.call('gpt_loss', trainer));
    }
    return losses;
  }

  /** Generated text, or a negative status. */
  sample(
    trainer: number,
    prompt: string | Uint8Array,
    { tokens = 40, temperature = 1, topK = 0, topP = 1, seed = 1, capacity = 4096 } = {},
  ): string | number {
    const span = this.put(prompt);
    try {
      const bytes = this.read(capacity, (out, room) =>
        this.call(
          'gpt_sample',
          trainer,
          span.pointer,
          span.length,
          tokens,
          temperature,
          topK,
          topP,
          seed,
          out,
          room,
        ),
      );
      if (typeof bytes === 'number') return bytes;
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } finally {
      this.free(span);
    }
  }
}
