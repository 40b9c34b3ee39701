/** The module's own exports, called by name, with whole files going in and out in pieces. */
import { engineBytes } from './load-engine.ts';

type Call = (...args: number[]) => number;

/** One instance of the module with helpers for texts; pointers are plain numbers. */
export class FileEngine {
  readonly #exports: Record<string, Call>;
  readonly #memory: WebAssembly.Memory;

  private constructor(instance: WebAssembly.Instance) {
    this.#exports = instance.exports as unknown as Record<string, Call>;
    this.#memory = instance.exports['memory'] as WebAssembly.Memory;
  }

  static async create(): Promise<FileEngine> {
    const { instance } = await WebAssembly.instantiate(engineBytes(), {
      env: { emscripten_notify_memory_growth: () => undefined },
    });
    const engine = new FileEngine(instance);
    engine.call('_initialize');
    return engine;
  }

  /** Calls an export; `gpt_` may be left out. Strings go in as NUL-terminated copies. */
  call(name: string, ...args: (number | string)[]): number {
    const call = this.#exports[name] ?? this.#exports[`gpt_${name}`];
    if (call === undefined) throw new Error(`the module has no ${name}`);
    const texts: number[] = [];
    const numbers = args.map((arg) => {
      if (typeof arg === 'number') return arg;
      const at = this.put(`${arg}\0`).at;
      texts.push(at);
      return at;
    });
    const answer = call(...numbers);
    for (const at of texts) this.#exports['free']!(at);
    return answer;
  }

  /** Bytes in the module's memory; the caller frees them. */
  put(data: string | Uint8Array): { at: number; bytes: number } {
    const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
    const at = this.#exports['malloc']!(bytes.length) >>> 0;
    new Uint8Array(this.#memory.buffer).set(bytes, at);
    return { at, bytes: bytes.length };
  }

  /** A copy of what lies at `at`. */
  get(at: number, bytes: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#memory.buffer, at >>> 0, bytes).slice();
  }

  /** The text that a call writes into the buffer and capacity it is given last. */
  text(name: string, ...args: (number | string)[]): string {
    const room = 1 << 16;
    const at = this.call('malloc', room);
    const length = this.call(name, ...args, at, room);
    if (length < 0) throw new Error(`${name} answered ${length}`);
    const text = new TextDecoder().decode(this.get(at, length));
    this.call('free', at);
    return text;
  }

  /** A new trainer of `config` for a text. */
  train(config: number, text: Uint8Array): number {
    const { at, bytes } = this.put(text);
    const trainer = this.call('trainer_create', config, at, bytes);
    this.call('free', at);
    if (trainer === 0) throw new Error(this.text('config_message', config));
    return trainer;
  }

  /** A file of the trainer, read in pieces of `piece` bytes. */
  save(trainer: number, form: string, piece = 4096): Uint8Array {
    const saver = this.call('save_open', trainer, form, 0, 0);
    if (saver === 0) throw new Error(this.text('trainer_message', trainer));
    const file = new Uint8Array(this.call('save_bytes', saver));
    const at = this.call('malloc', piece);
    let done = 0;
    for (let got; (got = this.call('save_read', saver, at, piece)) > 0; done += got) {
      file.set(this.get(at, got), done);
    }
    if (done !== file.length) throw new Error(`${done} of ${file.length} bytes were saved`);
    this.call('free', at);
    this.call('save_free', saver);
    return file;
  }

  /** A trainer from a file that is fed in pieces of `piece` bytes. */
  load(
    config: number,
    file: Uint8Array,
    purpose: string,
    text?: Uint8Array,
    piece = 65536,
  ): number {
    const loader = this.call('load_open', config, 'safetensors', file.length);
    const room = this.call('malloc', piece);
    const fail = (): never => {
      throw new Error(this.text('config_message', config));
    };
    if (loader === 0) fail();
    try {
      for (let done = 0; done < file.length;) {
        const part = file.subarray(done, done + piece);
        new Uint8Array(this.#memory.buffer).set(part, room >>> 0);
        const taken = this.call('load_feed', loader, room, part.length);
        if (taken < 0) fail();
        done += taken;
        if (this.call('load_state', loader) === 1) {
          const put = text === undefined ? { at: 0, bytes: 0 } : this.put(text);
          const status = this.call('load_begin', loader, purpose, put.at, put.bytes);
          this.call('free', put.at);
          if (status < 0) fail();
        }
      }
      const trainer = this.call('load_finish', loader);
      return trainer === 0 ? fail() : trainer;
    } finally {
      this.call('load_free', loader);
      this.call('free', room);
    }
  }
}
