import { compileEngine, importsFor, wantsMemory } from '../compile.ts';
import type { EngineSource } from '../engine-source.ts';
import type { HelperTask } from '../help.ts';
import { sharedMemory } from '../thread-memory.ts';
import type { Exports } from './exports.ts';
import { memorySize, readString, stringAt } from './memory.ts';
import { EngineRecipe } from './recipe.ts';
import { EngineText } from './text.ts';

/** The compiled engine: makes recipes and copies texts into its memory. */
export class Engine {
  /** Functions of the module, for code that is loaded later (formats.ts). */
  readonly exports: Exports;
  readonly #module: WebAssembly.Module;

  private constructor(exports: Exports, module: WebAssembly.Module) {
    this.exports = exports;
    this.#module = module;
  }

  /** Compiles and starts the module. */
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
   * Reserves the slot of one more helper thread; null in a module without threads, if all slots are
   * taken, or if memory is refused.
   */
  slot(): HelperTask | null {
    const thread = this.exports.gpt_thread_create() >>> 0;
    if (thread === 0) return null;
    return { module: this.#module, memory: this.exports.memory, thread };
  }

  /** Stops all helper threads and waits until they have left their work. */
  stopThreads(): void {
    this.exports.gpt_threads_stop();
  }

  /** Version of the engine, equal to that of package.json. */
  get version(): string {
    return stringAt(this.exports, this.exports.gpt_version());
  }

  /** The table of options as JSON. */
  optionsJson(): string {
    return readString(this.exports, (out, capacity) =>
      this.exports.gpt_options_json(out, capacity),
    );
  }

  /** Creates a recipe with the values of `preset`. The caller frees it. */
  recipe(preset: string): EngineRecipe {
    return new EngineRecipe(this.exports, preset);
  }

  /** Copies `bytes` into the engine's memory. The caller frees the copy. */
  text(bytes: Uint8Array): EngineText {
    return new EngineText(this.exports, bytes);
  }

  /** Size of the engine's memory in bytes; it never shrinks. */
  memoryBytes(): number {
    return memorySize(this.exports);
  }
}
