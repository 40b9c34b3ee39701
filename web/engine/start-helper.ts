/** Starts helper threads as workers of the page. */
import type { StartHelper } from './help.ts';
import type { ToWorker } from './protocol.ts';

/** Starts helpers with their own script. */
export const startHelper: StartHelper = (task) =>
  start(
    () => new Worker(new URL('./helper.ts', import.meta.url), { type: 'module' }),
    (worker) => {
      worker.postMessage(task);
    },
  );

/** Starts helpers with the script of the engine's worker. */
export const helperBy =
  (open: () => Worker): StartHelper =>
  (task) =>
    start(open, (worker) => {
      // A script that is imported first hears nothing before its hello.
      const begin = (): void => {
        worker.postMessage({ kind: 'help', task } satisfies ToWorker);
      };
      worker.addEventListener('message', begin, { once: true });
    });

/** If workers are refused, training continues with the threads it has. */
function start(open: () => Worker, begin: (worker: Worker) => void): () => void {
  let worker: Worker;
  try {
    worker = open();
    begin(worker);
  } catch {
    return () => undefined;
  }
  const end = (): void => {
    worker.terminate();
  };
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    end();
  });
  return end;
}
