/** Starts a helper as a worker of the browser, from a page or from another worker. */
import type { HelperTask } from './help.ts';

/** Returns what ends it. `refused` is called when no worker can be had here. */
export function startHelper(task: HelperTask, refused: () => void): () => void {
  let worker: Worker;
  try {
    worker = new Worker(new URL('./helper.ts', import.meta.url), { type: 'module' });
    worker.postMessage(task);
  } catch {
    refused();
    return () => undefined;
  }
  const end = (): void => {
    worker.terminate();
  };
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    end();
    refused();
  });
  return end;
}
