/** The worker's script inside the module, so that starting it needs no network. */
import source from 'virtual:worker-source';

export const WORKERS: readonly (() => Worker)[] = [
  () => {
    const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    const worker = new Worker(url);
    const release = (): void => {
      URL.revokeObjectURL(url);
    };
    worker.addEventListener('message', release, { once: true });
    worker.addEventListener('error', release, { once: true });
    return worker;
  },
];
