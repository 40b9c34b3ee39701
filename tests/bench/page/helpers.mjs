// Helper threads in a browser: the engine's worker requests them, and its page starts them. In
// Firefox a worker that starts workers itself sometimes hangs.

/** Runs in the worker: requests a helper from the page; returns a function that ends it. */
export function startWorker(task) {
  self.postMessage({ help: task });
  return () => self.postMessage({ helped: task.thread });
}

/**
 * Runs in the page: starts and ends the helpers requested by `worker`, and hides these messages
 * from other listeners.
 */
export function startHelpersFor(worker) {
  const helpers = new Map();
  worker.addEventListener('message', (event) => {
    const { help, helped } = event.data ?? {};
    if (help === undefined && helped === undefined) return;
    event.stopImmediatePropagation();
    if (help === undefined) {
      helpers.get(helped)?.terminate();
      return;
    }
    const helper = new Worker(new URL('./helper.mjs', import.meta.url), { type: 'module' });
    helpers.set(help.thread, helper);
    helper.postMessage(help);
  });
}
