// The benchmark in a browser: the same measurements as in Node, with page workers as helpers.
import { Engine } from '../engine.mjs';
import { EFFORT, measure } from '../measure.mjs';
import { startWorker } from './helpers.mjs';

const read = async (path) => new Uint8Array(await (await fetch(path)).arrayBuffer());

async function run({ engine, effort, threads, isolated }) {
  const one = await Engine.load(await read('/build/bench/bench.wasm'));
  // Shared memory requires isolation and is missing in WebKit; without it, one thread is used.
  const count = isolated && typeof SharedArrayBuffer === 'function' ? Number(threads) : 1;
  const many =
    count > 1
      ? await Engine.load(await read('/build/bench/bench-threads.wasm'), {
          threads: count,
          startWorker,
        })
      : one;
  measure({
    engines: { one, many },
    threadCounts: [...new Set([1, count])],
    engineName: engine,
    names: await read('/public/texts/first-names-en.txt'),
    effort: EFFORT[effort],
    tell: (row) => self.postMessage({ row }),
  });
  if (many !== one) await many.stop();
  self.postMessage({ done: true });
}

self.onmessage = ({ data }) => {
  run(data).catch((error) => self.postMessage({ failed: String(error?.stack ?? error) }));
};
