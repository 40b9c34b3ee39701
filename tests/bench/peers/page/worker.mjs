// One contender in a worker of a page of its own, which trains when it is told to: like child.mjs,
// but what it says is posted to the server, and the answer, whenever it comes, is for how many
// seconds to train next. Until then it does nothing.
//
// All are in a worker: there a thread may wait for others, which a page's own must not.
import { Engine } from '../../engine.mjs';
import { startWorker } from '../../page/helpers.mjs';
import { jaxStep, startJax } from '../jax.mjs';
import { fileFor, ourStep } from '../ours.mjs';
import { startTfjs, tfjsStep } from '../tfjs.mjs';
import { timeSteps } from '../time-steps.mjs';

const search = new URLSearchParams(self.location.search);
const [peer, name] = [search.get('peer'), search.get('config')];
const threads = Number(search.get('threads'));
const packages = new URL('/build/peers/', self.location);

/** Both peers count these themselves, and start no more threads whatever they are told. */
const claimCores = (value) =>
  Object.defineProperty(navigator, 'hardwareConcurrency', { value, configurable: true });

/** Each answers its step, and how many threads it really has. */
const CONTENDERS = {
  async ours() {
    const response = await fetch(`/build/bench/${fileFor(threads)}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const engine = await Engine.load(bytes, { threads, startWorker });
    return { step: ourStep(engine, name), counts: () => engine.c.gpt_threads_count() };
  },
  async tfjs() {
    const tf = await import(new URL('tfjs.mjs', packages));
    claimCores(2 * threads); // it takes two for one core, and never more threads than half of them
    const folder = new URL('node_modules/@tensorflow/tfjs-backend-wasm/dist/', packages);
    const counts = await startTfjs(tf, tf.wasm, folder.href, threads);
    return { step: tfjsStep(tf, name), counts };
  },
  async jax() {
    // It starts a worker for each core where memory can be shared, and the thread that it is in
    // waits for them. Those that are given a kernel are counted.
    claimCores(threads);
    const busy = new Set();
    self.Worker = class extends Worker {
      postMessage(message, ...rest) {
        if (message.type === 'kernel') busy.add(this);
        super.postMessage(message, ...rest);
      }
    };
    const jax = await import(new URL('node_modules/@jax-js/jax/dist/index.js', packages));
    await startJax(jax);
    return { step: jaxStep(jax, name), counts: () => Math.max(1, busy.size) };
  },
};

const tell = async (what) =>
  (await fetch('/told', { method: 'POST', body: JSON.stringify(what) })).json();

async function run() {
  const { step, counts } = await CONTENDERS[peer]();
  await timeSteps(step, 0); // compiles
  let order = await tell({ ready: true });
  for (;;) {
    const { steps_per_s, loss } = await timeSteps(step, order.seconds);
    order = await tell({ steps_per_s, loss, threads: counts() });
  }
}

run().catch((error) => tell({ failed: String(error?.message ?? error) }));
