/** The module's own exports, for tests of the C contract with nothing in between. */
import { engineBytes } from './load-engine.ts';

type Call = (...values: number[]) => number;

export class RawEngine {
  readonly #exports: Readonly<Record<string, Call>>;
  readonly #memory: WebAssembly.Memory;

  private constructor(instance: WebAssembly.Instance) {
    this.#exports = instance.exports as unknown as Record<string, Call>;
    this.#memory = instance.exports['memory'] as WebAssembly.Memory;
    this.call('_initialize');
  }

  static async create(): Promise<RawEngine> {
    const module = await WebAssembly.compile(engineBytes());
    const env = { emscripten_notify_memory_growth: () => undefined };
    return new RawEngine(await WebAssembly.instantiate(module, { env }));
  }

  call(name: string, ...values: number[]): number {
    const found = this.#exports[name];
    if (found === undefined) throw new Error(`the module has no ${name}`);
    return found(...values);
  }

  /** Memory as it is now: taken, used, dropped, for it moves when it grows. */
  bytes(at: number, count: number): Uint8Array<ArrayBuffer> {
    const start = at >>> 0;
    return new Uint8Array(this.#memory.buffer, start, count).slice();
  }

  /** Takes memory for as long as `use` runs. */
  borrow<T>(size: number, use: (at: number) => T): T {
    const at = this.call('malloc', Math.max(size, 1)) >>> 0;
    if (at === 0) throw new Error(`no memory for ${size} bytes`);
    try {
      return use(at);
    } finally {
      this.call('free', at);
    }
  }

  /** The same with bytes in it. */
  lend<T>(bytes: Uint8Array, use: (at: number, count: number) => T): T {
    return this.borrow(bytes.length, (at) => {
      new Uint8Array(this.#memory.buffer, at, bytes.length).set(bytes);
      return use(at, bytes.length);
    });
  }

  lendText<T>(text: string, use: (at: number, count: number) => T): T {
    return this.lend(new TextEncoder().encode(text), use);
  }

  /** A name: its bytes and a NUL. */
  #lendName<T>(name: string, use: (at: number) => T): T {
    return this.lendText(`${name}\0`, (at) => use(at));
  }

  /** What a function with `(..., out, capacity)` writes. */
  text(name: string, values: readonly number[], capacity = 1 << 16): string {
    return this.borrow(capacity, (out) => {
      const length = this.call(name, ...values, out, capacity);
      if (length < 0) throw new Error(`${name}: ${length}`);
      return new TextDecoder().decode(this.bytes(out, length));
    });
  }

  /** A recipe of a preset with some options changed. */
  config(preset: string, options: Readonly<Record<string, number>> = {}): number {
    const config = this.#lendName(preset, (at) => this.call('gpt_config_create', at));
    for (const [option, value] of Object.entries(options)) this.set(config, option, value);
    return config;
  }

  set(config: number, option: string, value: number): void {
    const status = this.#lendName(option, (at) => this.call('gpt_config_set', config, at, value));
    if (status < 0) throw new Error(`${option}: ${status}`);
  }

  /** A number of a trainer by name. */
  get(trainer: number, name: string): number {
    return this.#lendName(name, (at) => this.call('gpt_trainer_get', trainer, at));
  }

  /** The last failure on a recipe. */
  configError(config: number): { code: string; name: string; values: number[]; message: string } {
    return JSON.parse(this.text('gpt_config_error', [config])) as ReturnType<
      RawEngine['configError']
    >;
  }

  /** Gives a recipe the two files; the status. */
  giveBpe(config: number, vocab: Uint8Array, merges: Uint8Array): number {
    return this.lend(vocab, (v, vBytes) =>
      this.lend(merges, (m, mBytes) =>
        this.call('gpt_config_set_bpe', config, v, vBytes, m, mBytes),
      ),
    );
  }

  trainer(config: number, text: Uint8Array): number {
    const trainer = this.lend(text, (at, count) =>
      this.call('gpt_trainer_create', config, at, count),
    );
    if (trainer === 0) throw new Error(this.configError(config).message);
    return trainer;
  }

  encode(trainer: number, text: Uint8Array): Int32Array {
    return this.lend(text, (at, count) =>
      this.borrow(4 * count, (ids) => {
        const tokens = this.call('gpt_encode', trainer, at, count, ids, count);
        if (tokens < 0) throw new Error(`gpt_encode: ${tokens}`);
        return new Int32Array(this.bytes(ids, 4 * tokens).buffer);
      }),
    );
  }

  tokenBytes(trainer: number, id: number): Uint8Array {
    return this.borrow(256, (out) => {
      const count = this.call('gpt_token_bytes', trainer, id, out, 256);
      return this.bytes(out, count);
    });
  }
}
