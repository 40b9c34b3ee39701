// One contender in a process of its own, which trains when it is told to:
//
//     node child.mjs (ours|tfjs|jax) CONFIG THREADS
//
// Each line of its input is a number of seconds; it answers with a line of JSON. Between two lines it
// does nothing, so that others can be measured in turn.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { optionsOf, textOf, CONFIGS } from '../configs.mjs';
import { Engine } from '../engine.mjs';
import './iterators.mjs';
import { jaxStep } from './jax.mjs';
import { tfjsStep } from './tfjs.mjs';
import { timeSteps } from './time-steps.mjs';

const root = join(fileURLToPath(import.meta.url), '../../../..');
const peers = createRequire(join(root, 'build/peers/package.json'));
const [peer, name, threads] = process.argv.slice(2);

const CONTENDERS = {
  async ours() {
    const file = threads === '1' ? 'bench.wasm' : 'bench-threads.wasm';
    const bytes = readFileSync(join(root, 'build/bench', file));
    const engine = await Engine.load(bytes, { threads: Number(threads) });
    const trainer = engine.trainer(CONFIGS[name].preset, optionsOf(name), textOf(name));
    return () => {
      if (engine.c.gpt_step(trainer) !== 0) throw new Error('a step failed');
      return engine.c.gpt_loss(trainer);
    };
  },
  async tfjs() {
    const { log } = console;
    console.log = () => {}; // it advertises another package
    const tf = peers('@tensorflow/tfjs');
    const backend = peers.resolve('@tensorflow/tfjs-backend-wasm');
    peers(backend).setWasmPaths(join(backend, '../'));
    if (!(await tf.setBackend('wasm'))) throw new Error('its WebAssembly backend does not start');
    await tf.ready();
    console.log = log;
    return tfjsStep(tf, name);
  },
  async jax() {
    const folder = join(peers.resolve('@jax-js/jax'), '..');
    const jax = await import(pathToFileURL(join(folder, 'index.js')));
    if (!(await jax.init('wasm')).includes('wasm')) throw new Error('it has no WebAssembly device');
    jax.defaultDevice('wasm');
    return jaxStep(jax, name);
  },
};

const step = await CONTENDERS[peer]();
await timeSteps(step, 0); // compiles
console.log('ready');
for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await timeSteps(step, Number(line))));
}
process.exit(0);
