/** Starts helper threads as workers of the page. */
import type { HelperTask, StartHelper } from './help.ts';
import type { ToWorker } from './protocol.ts';

/** Starts helpers with their own script. */
export const startHelper: StartHelper = (task) =>
  start(() => new Worker(new URL('./helper.ts', import.meta.url), { type: 'module' }), task);

/** Starts helpers with the script of the engine's worker. */
export const helperBy =
  (open: () => Worker): StartHelper =>
  (task) =>
    start(open, { kind: 'help', task });

/** If workers are refused, training continues with the threads it has. */
function start(open: () => Worker, message: HelperTask | ToWorker): () => void {
  let worker: Worker;
  try {
    worker = open();
    worker.postMessage(message);
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
