/** Starts a helper as a worker thread of Node: `new DirectTrainer(bytes, { helpers: ... })`. */
import { help } from './help.ts';
import type { HelperTask } from './help.ts';

/** What is used of node:worker_threads: the page's program knows no types of Node. */
interface WorkerThreads {
  readonly Worker: new (
    script: string,
    options: { readonly eval: true; readonly workerData: HelperTask },
  ) => { terminate(): Promise<number>; unref(): void };
}

/** Returns what ends it. It keeps no process alive. */
export function startNodeHelper(task: HelperTask): () => void {
  const name = 'node:worker_threads';
  const starting = (import(/* @vite-ignore */ name) as Promise<WorkerThreads>).then(
    ({ Worker }) => {
      const script = `(${help.toString()})(require('node:worker_threads').workerData);`;
      const worker = new Worker(script, { eval: true, workerData: task });
      worker.unref();
      return worker;
    },
  );
  return () => {
    void starting.then((worker) => worker.terminate());
  };
}
