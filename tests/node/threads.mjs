/**
 * Instantiates the engine, with helping threads where the module has them; in Node and in browsers.
 * This is the whole recipe, for anyone who embeds the threaded module:
 *
 *   1. The threaded module imports its memory: make it shared, within the limits below.
 *   2. The first instance calls _initialize; it is the one that everything is asked of. It must live
 *      in a worker: a page's main thread may not wait, and the engine waits for its helpers.
 *   3. For each helper: gpt_thread_create there, then a worker of its own with the module, the memory
 *      and that number, which does what `help` below does. Nothing need wait for it to come. In a
 *      browser the page starts it: Firefox may hang on a worker that a worker starts.
 *   4. At the end gpt_threads_stop; only then may the workers be terminated.
 *
 * A page can share memory only when it is isolated (`crossOriginIsolated`) and SharedArrayBuffer is
 * there (WebKitGTK is isolated without it): choose the module before. More threads than the machine
 * has cores (navigator.hardwareConcurrency) make it slower.
 */

/** Pages of 64 KB that the threaded module was linked with. */
const MEMORY = { initial: 64, maximum: 32768 };

/** Everything that the modules may import, unless a test brings more. */
const importsWith = (memory) => ({
  env: { emscripten_notify_memory_growth() {}, ...(memory ? { memory } : {}) },
});

/** What a helper's worker runs; returns when the threads are stopped. */
export async function help({ module, memory, thread }) {
  const { exports } = await WebAssembly.instantiate(module, importsWith(memory));
  exports.__stack_pointer.value = thread;
  exports.gpt_thread_run(thread);
}

/** A helper as a worker of Node. */
export async function startNodeWorker(task) {
  const { Worker } = await import('node:worker_threads');
  const script = `
    const { workerData } = require('node:worker_threads');
    import(workerData.recipe).then((recipe) => recipe.help(workerData.task));`;
  const worker = new Worker(script, { eval: true, workerData: { recipe: import.meta.url, task } });
  return () => worker.terminate();
}

/**
 * An instance of the module in `bytes` with `threads` threads, the caller's included. `startWorker`
 * makes a worker that calls `help` with what it is given, and answers how to end it.
 */
export async function instantiate(bytes, { threads = 1, startWorker = startNodeWorker } = {}) {
  const module = await WebAssembly.compile(bytes);
  const shared = WebAssembly.Module.imports(module).some(({ kind }) => kind === 'memory');
  const imported = shared ? new WebAssembly.Memory({ ...MEMORY, shared: true }) : undefined;
  const { exports } = await WebAssembly.instantiate(module, importsWith(imported));
  exports._initialize?.();
  const memory = imported ?? exports.memory;
  const ends = [];
  const addThread = async () => {
    const thread = exports.gpt_thread_create() >>> 0;
    if (thread === 0) return false;
    const before = exports.gpt_threads_count();
    ends.push(await startWorker({ module, memory, thread }));
    // Tests and benchmarks want it there from the start; a page would simply begin.
    const patience = performance.now() + 10_000;
    while (exports.gpt_threads_count() === before && performance.now() < patience) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return exports.gpt_threads_count() > before;
  };
  while (ends.length + 1 < threads && (await addThread()));
  const stop = async () => {
    exports.gpt_threads_stop();
    for (const end of ends.splice(0)) await end();
  };
  return { exports, memory, addThread, stop };
}
