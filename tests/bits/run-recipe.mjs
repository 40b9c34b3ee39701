// Runs a recipe on an instance of the module, in Node and in browsers: once without a stop, and
// once saved in the middle, loaded and resumed. It uses only gpt.h.
import { SAMPLE } from './recipes.mjs';

/** Calls functions of gpt.h, with strings and bytes as pointers. */
class Bare {
  constructor({ exports, memory }) {
    this.exports = exports;
    this.memory = memory;
  }

  put(content) {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    const pointer = this.exports.malloc(bytes.length + 1) >>> 0;
    const view = new Uint8Array(this.memory.buffer);
    view.set(bytes, pointer);
    view[pointer + bytes.length] = 0;
    return pointer;
  }

  call(name, ...args) {
    const placed = [];
    const numbers = args.map((arg) => {
      if (typeof arg === 'number') return arg;
      placed.push(this.put(arg));
      return placed.at(-1);
    });
    const answer = this.exports[name](...numbers);
    for (const pointer of placed) this.exports.free(pointer);
    return answer;
  }

  /** The text that a call writes into its last argument, a buffer. */
  text(name, ...args) {
    const room = 1 << 20;
    const out = this.exports.malloc(room) >>> 0;
    const length = this.call(name, ...args, out, room);
    if (length < 0) throw new Error(`${name} answered ${length}`);
    // Copies the bytes, because TextDecoder rejects shared memory.
    const text = new TextDecoder().decode(new Uint8Array(this.memory.buffer, out, length).slice());
    this.exports.free(out);
    return text;
  }

  config(preset, settings) {
    const config = this.call('gpt_config_create', preset) >>> 0;
    for (const [option, value] of Object.entries(settings))
      this.set('config', config, option, value);
    return config;
  }

  set(handle, pointer, option, value) {
    const status = this.call(`gpt_${handle}_set`, pointer, option, value);
    if (status !== 0) throw new Error(`${option} = ${value}: ${status}`);
  }

  train(trainer) {
    let status;
    while ((status = this.call('gpt_step', trainer)) === 0);
    if (status !== 1) throw new Error(this.text('gpt_trainer_message', trainer));
  }

  save(trainer) {
    const saver = this.call('gpt_save_open', trainer, 'checkpoint', 0, 0) >>> 0;
    const bytes = this.exports.gpt_save_bytes(saver);
    const out = this.exports.malloc(bytes) >>> 0;
    if (this.exports.gpt_save_read(saver, out, bytes) !== bytes) throw new Error('not saved');
    const file = new Uint8Array(this.memory.buffer, out, bytes).slice();
    this.exports.free(out);
    this.exports.gpt_save_free(saver);
    return file;
  }

  /** Resumes the run in `file` with options changed. */
  resume(file, text, changes) {
    const config = this.config('tinygpt', {});
    const fail = () => new Error(this.text('gpt_config_message', config));
    const loader = this.call('gpt_load_open', config, 'safetensors', file.length) >>> 0;
    const at = this.put(file);
    const taken = this.exports.gpt_load_feed(loader, at, file.length);
    for (const [option, value] of Object.entries(changes))
      this.set('config', config, option, value);
    if (this.call('gpt_load_begin', loader, 'resume', text, text.length) !== 0) throw fail();
    this.exports.gpt_load_feed(loader, at + taken, file.length - taken);
    const trainer = this.exports.gpt_load_finish(loader) >>> 0;
    if (trainer === 0) throw fail();
    this.exports.gpt_load_free(loader);
    this.exports.gpt_config_free(config);
    this.exports.free(at);
    return trainer;
  }

  /** The receipt and a sample of a run. */
  result(trainer, prompt) {
    const { tokens, temperature, seed } = SAMPLE;
    const length = new TextEncoder().encode(prompt).length;
    return {
      receipt: this.text('gpt_receipt_json', trainer),
      sample: this.text('gpt_sample', trainer, prompt, length, tokens, temperature, 0, 1, seed),
    };
  }
}

/**
 * Receipts (all losses and the weights, bit-exact) and samples of one recipe: after the first half,
 * after the whole run, and after the whole run saved in the middle, loaded and resumed.
 */
export function runRecipe(instance, { preset, settings, half, change, prompt }, text) {
  const bare = new Bare(instance);
  const config = bare.config(preset, { ...settings, steps: half });
  const trainer = bare.call('gpt_trainer_create', config, text, text.length) >>> 0;
  if (trainer === 0) throw new Error(bare.text('gpt_config_message', config));
  bare.train(trainer);
  const first = bare.result(trainer, prompt);
  const file = bare.save(trainer);
  const changes = { ...change, steps: 2 * half };
  for (const [option, value] of Object.entries(changes))
    bare.set('trainer', trainer, option, value);
  bare.train(trainer);
  const whole = bare.result(trainer, prompt);
  bare.exports.gpt_trainer_free(trainer);
  const again = bare.resume(file, text, changes);
  bare.train(again);
  const resumed = bare.result(again, prompt);
  bare.exports.gpt_trainer_free(again);
  bare.exports.gpt_config_free(config);
  return { first, whole, resumed };
}
