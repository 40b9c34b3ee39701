// The bare engine in a worker, as a baseline for the page: created once, then trained for the
// number of seconds in each message.
import { Engine } from '../engine.mjs';
import { startWorker } from './helpers.mjs';

const read = async (path) => new Uint8Array(await (await fetch(path)).arrayBuffer());
let engine;
let trainer;

async function open({ preset, options, text }) {
  const threads = Math.min(navigator.hardwareConcurrency, 8);
  const file = threads > 1 ? 'wasm-threads' : 'wasm';
  engine = await Engine.load(await read(`/build/${file}/glasshouse.wasm`), {
    threads,
    startWorker,
  });
  trainer = engine.trainer(preset, options, await read(text));
  return threads;
}

/** Trains for `seconds`; returns steps per second. */
function train(seconds) {
  const start = performance.now();
  let steps = 0;
  let time;
  do {
    if (engine.c.gpt_step(trainer) !== 0) throw new Error('a step failed');
    steps++;
    time = (performance.now() - start) / 1000;
  } while (time < seconds);
  return steps / time;
}

self.onmessage = async ({ data }) => {
  self.postMessage(data.seconds === undefined ? await open(data) : train(data.seconds));
};
