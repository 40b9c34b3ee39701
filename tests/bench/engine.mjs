// Minimal bindings of the engine and of the benchmark's C functions: pointers are numbers.
import { instantiate } from '../node/threads.mjs';

export class Engine {
  /** @param bytes the module; `threads` above 1 requires the threaded module. */
  static async load(bytes, { threads = 1, startWorker } = {}) {
    const engine = new Engine();
    const { exports, memory, stop } = await instantiate(bytes, { threads, startWorker });
    engine.c = exports;
    engine.memory = memory;
    engine.stop = stop;
    engine.threads = threads;
    return engine;
  }

  floats(pointer, count) {
    return new Float32Array(this.memory.buffer, pointer >>> 0, count);
  }

  /** A buffer of random floats; the caller frees it. */
  random(count) {
    const pointer = this.c.malloc(count * 4);
    const view = this.floats(pointer, count);
    for (let i = 0; i < count; i++) view[i] = Math.random() - 0.5;
    return pointer;
  }

  /** C strings, allocated once and never freed. */
  #strings = new Map();
  string(text) {
    if (!this.#strings.has(text)) {
      const pointer = this.c.malloc(text.length + 1);
      const view = new Uint8Array(this.memory.buffer, pointer >>> 0, text.length + 1);
      for (let i = 0; i < text.length; i++) view[i] = text.charCodeAt(i);
      view[text.length] = 0;
      this.#strings.set(text, pointer);
    }
    return this.#strings.get(text);
  }

  read(pointer) {
    const view = new Uint8Array(this.memory.buffer, pointer >>> 0);
    return String.fromCharCode(...view.slice(0, view.indexOf(0)));
  }

  recipe(preset, options = {}) {
    const recipe = this.c.gpt_config_create(this.string(preset));
    for (const [name, value] of Object.entries(options)) {
      const status = this.c.gpt_config_set(recipe, this.string(name), value);
      if (status < 0) throw new Error(`${name} = ${value}: status ${status}`);
    }
    return recipe;
  }

  /**
   * Calls `create(recipe, text, bytes)`; the text stays in the engine's memory during the call
   * only.
   */
  withText(text, create) {
    const pointer = this.c.malloc(text.length);
    new Uint8Array(this.memory.buffer, pointer >>> 0, text.length).set(text);
    const made = create(pointer, text.length);
    this.c.free(pointer);
    if (made === 0) throw new Error('the engine made nothing of this recipe');
    return made;
  }

  trainer(preset, options, text) {
    const recipe = this.recipe(preset, options);
    const trainer = this.withText(text, (pointer, size) =>
      this.c.gpt_trainer_create(recipe, pointer, size),
    );
    this.c.gpt_config_free(recipe);
    return trainer;
  }

  get(trainer, name) {
    return this.c.gpt_trainer_get(trainer, this.string(name));
  }
}
