// One contender in a worker of its own page: like child.mjs, but it posts its messages to the
// server. Each response, possibly much later, is the number of seconds to train next; the worker is
// idle until then.
//
// Contenders run in workers, because a page's main thread must not block on other threads.
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

/** Sets the number of cores that both peers read; they start at most that many threads. */
const claimCores = (value) =>
  Object.defineProperty(navigator, 'hardwareConcurrency', { value, configurable: true });

/** Each returns its training step and a function that counts its actual threads. */
const CONTENDERS = {
  async ours() {
    const response = await fetch(`/build/bench/${fileFor(threads)}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const engine = await Engine.load(bytes, { threads, startWorker });
    return { step: ourStep(engine, name), counts: () => engine.c.gpt_threads_count() };
  },
  async tfjs() {
    const tf = await import(new URL('tfjs.mjs', packages));
    claimCores(2 * threads); // tfjs assumes two threads per core and uses at most half of them
    const folder = new URL('node_modules/@tensorflow/tfjs-backend-wasm/dist/', packages);
    const counts = await startTfjs(tf, tf.wasm, folder.href, threads);
    return { step: tfjsStep(tf, name), counts };
  },
  async jax() {
    // Counts the workers that receive a kernel: if memory is shared, jax-js starts one per core,
    // and its calling thread waits for them.
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
