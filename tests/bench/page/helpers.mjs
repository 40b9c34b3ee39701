// Helping threads in a browser: the engine's worker asks for them, and its page starts them. In
// Firefox a worker that starts workers of its own waits now and then for ever.

/** In the worker: a helper, by way of the page; answers how to end it. */
export function startWorker(task) {
  self.postMessage({ help: task });
  return () => self.postMessage({ helped: task.thread });
}

/** In the page: starts and ends the helpers that `worker` asks for. Nobody else hears of them. */
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
