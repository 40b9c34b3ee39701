/** A helper as a worker of a browser; answers how to end it. */
export function startWorker(task) {
  const worker = new Worker(new URL('./helper.mjs', import.meta.url), { type: 'module' });
  worker.postMessage(task);
  return () => worker.terminate();
}
