// One contender in a process of its own:
//
//     node child.mjs (ours|tfjs|jax) CONFIG THREADS
//
// Each input line is a number of seconds to train; the reply is a line of JSON. The process is idle
// between lines, so that contenders can be measured in turn.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Engine } from '../engine.mjs';
import './iterators.mjs';
import { jaxStep, startJax } from './jax.mjs';
import { fileFor, ourStep } from './ours.mjs';
import { startTfjs, tfjsStep } from './tfjs.mjs';
import { timeSteps } from './time-steps.mjs';

const root = join(fileURLToPath(import.meta.url), '../../../..');
const peers = createRequire(join(root, 'build/peers/package.json'));
const [peer, name] = process.argv.slice(2);
const threads = Number(process.argv[4]);

/** Each returns its training step and a function that counts its actual threads. */
const CONTENDERS = {
  async ours() {
    const bytes = readFileSync(join(root, 'build/bench', fileFor(threads)));
    const engine = await Engine.load(bytes, { threads });
    return { step: ourStep(engine, name), counts: () => engine.c.gpt_threads_count() };
  },
  async tfjs() {
    const tf = peers('@tensorflow/tfjs');
    const backend = peers.resolve('@tensorflow/tfjs-backend-wasm');
    const counts = await startTfjs(tf, peers(backend), join(backend, '../'), threads);
    return { step: tfjsStep(tf, name), counts };
  },
  async jax() {
    const folder = join(peers.resolve('@jax-js/jax'), '..');
    const jax = await import(pathToFileURL(join(folder, 'index.js')));
    await startJax(jax);
    return { step: jaxStep(jax, name), counts: () => 1 }; // jax-js starts workers in browsers only
  },
};

const { step, counts } = await CONTENDERS[peer]();
await timeSteps(step, 0); // compiles
console.log('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const { steps_per_s, loss } = await timeSteps(step, Number(line));
  console.log(JSON.stringify({ steps_per_s, loss, threads: counts() }));
}
process.exit(0);
