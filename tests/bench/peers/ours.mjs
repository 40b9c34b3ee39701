// The training step on our own engine.
import { CONFIGS, optionsOf, textOf } from '../configs.mjs';

/** Returns a step that returns its loss. */
export function ourStep(engine, name) {
  const trainer = engine.trainer(CONFIGS[name].preset, optionsOf(name), textOf(name));
  return () => {
    if (engine.c.gpt_step(trainer) !== 0) throw new Error('a step failed');
    return engine.c.gpt_loss(trainer);
  };
}

/** The build for this many threads. */
export const fileFor = (threads) => (threads === 1 ? 'bench.wasm' : 'bench-threads.wasm');
