/** Starts a helper thread as a worker of the page. */
import type { StartHelper } from './help.ts';

/** If workers are refused, training continues with the threads it has. */
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
