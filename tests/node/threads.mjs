/**
 * Instantiates the engine, with helper threads if the module supports them, in Node and browsers.
 * The procedure for embedding the threaded module:
 *
 *   1. The threaded module imports its memory: create it as shared, within the limits below.
 *   2. The first instance calls _initialize; all later calls go to it. It must live in a worker: a
 *      page's main thread may not block, and the engine waits for its helpers.
 *   3. For each helper: call gpt_thread_create there, then start a worker with the module, the
 *      memory and that number, which runs `help` below. The engine need not wait for its start. In
 *      a browser the page starts it: Firefox may hang if a worker starts a worker.
 *   4. At the end call gpt_threads_stop; only then terminate the workers.
 *
 * A page can share memory only if it is isolated (`crossOriginIsolated`) and has SharedArrayBuffer
 * (WebKitGTK may be isolated without it): check before choosing the module. More threads than cores
 * (navigator.hardwareConcurrency) are slower.
 */

/** Limits in pages of 64 KB, as the threaded module was linked. */
const MEMORY = { initial: 64, maximum: 32768 };

/** All imports of the modules. */
const importsWith = (memory) => ({
  env: { emscripten_notify_memory_growth() {}, ...(memory ? { memory } : {}) },
});

/** Runs in a helper's worker; returns when the threads are stopped. */
export async function help({ module, memory, thread }) {
  const { exports } = await WebAssembly.instantiate(module, importsWith(memory));
  exports.__stack_pointer.value = thread;
  exports.gpt_thread_run(thread);
}

/** Starts a helper as a Node worker. */
export async function startNodeWorker(task) {
  const { Worker } = await import('node:worker_threads');
  const script = `
    const { workerData } = require('node:worker_threads');
    import(workerData.recipe).then((recipe) => recipe.help(workerData.task));`;
  const worker = new Worker(script, { eval: true, workerData: { recipe: import.meta.url, task } });
  return () => worker.terminate();
}

/**
 * Instantiates the module in `bytes` with `threads` threads, including the caller's. `startWorker`
 * starts a worker that calls `help` with its argument, and returns a function that ends the worker.
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
    // Waits for the helper, because tests and benchmarks need it from the start; a page need not.
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
