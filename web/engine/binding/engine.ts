/** The compiled engine: options, recipes and texts are made here. */
import { compileEngine, importsFor, wantsMemory } from '../compile.ts';
import type { EngineSource } from '../compile.ts';
import type { HelperTask } from '../help.ts';
import { sharedMemory } from '../thread-memory.ts';
import type { Exports } from './exports.ts';
import { memorySize, readString, stringAt } from './memory.ts';
import { EngineRecipe } from './recipe.ts';
import { EngineText } from './text.ts';

/** The engine in memory: options, recipes and texts are made here. */
export class Engine {
  /** For what is loaded later than this. */
  readonly exports: Exports;
  readonly #module: WebAssembly.Module;

  private constructor(exports: Exports, module: WebAssembly.Module) {
    this.exports = exports;
    this.#module = module;
  }

  /** Compiles and starts the engine. */
  static async load(source: EngineSource): Promise<Engine> {
    const module = await compileEngine(source);
    const shared = wantsMemory(module) ? sharedMemory() : undefined;
    const instance = await WebAssembly.instantiate(module, importsFor(module, shared));
    const initialize = instance.exports._initialize;
    if (typeof initialize === 'function') (initialize as () => void)();
    const exports = instance.exports as unknown as Exports;
    return new Engine(shared === undefined ? exports : { ...exports, memory: shared }, module);
  }

  /**
   * A place for one helping thread more; null in the module without threads, or when all are given.
   */
  slot(): HelperTask | null {
    const thread = this.exports.gpt_thread_create() >>> 0;
    if (thread === 0) return null;
    return { module: this.#module, memory: this.exports.memory, thread };
  }

  /** Sends all helpers home and waits until they have left what they were at. */
  stopThreads(): void {
    this.exports.gpt_threads_stop();
  }

  /** The version of the engine, that of package.json. */
  get version(): string {
    return stringAt(this.exports, this.exports.gpt_version());
  }

  /** The table of options as JSON. */
  optionsJson(): string {
    return readString(this.exports, (out, capacity) =>
      this.exports.gpt_options_json(out, capacity),
    );
  }

  /** A recipe with the values of `preset`. Free it. */
  recipe(preset: string): EngineRecipe {
    return new EngineRecipe(this.exports, preset);
  }

  /** Copies `bytes` into the engine's memory. Free it. */
  text(bytes: Uint8Array): EngineText {
    return new EngineText(this.exports, bytes);
  }

  /** Bytes that the engine's memory has now; it never shrinks. */
  memoryBytes(): number {
    return memorySize(this.exports);
  }
}
