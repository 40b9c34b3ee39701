/** Starts a helper as a worker of the page. */
import type { StartHelper } from './help.ts';

/** Where no worker can be had, none comes: one thread it is. */
export const startHelper: StartHelper = (task) => {
  let worker: Worker;
  try {
    worker = new Worker(new URL('./helper.ts', import.meta.url), { type: 'module' });
    worker.postMessage(task);
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
};
