/** Starts helpers as worker threads of Node: `new DirectTrainer(bytes, { helpers: … })`. */
import { ignore } from './errors.ts';
import { help } from './help.ts';
import type { HelperTask } from './help.ts';

/** The used part of node:worker_threads, whose types the page's program lacks. */
interface WorkerThreads {
  readonly Worker: new (
    script: string,
    options: {
      readonly eval: true;
      readonly execArgv: readonly string[];
      readonly workerData: HelperTask;
    },
  ) => {
    terminate(): Promise<number>;
    unref(): void;
    on(event: 'error', listener: () => void): void;
  };
}

/** Returns a function that ends the thread, which does not keep the process alive. */
export function startNodeHelper(task: HelperTask): () => void {
  const name = 'node:worker_threads';
  const starting = (import(/* @vite-ignore */ name) as Promise<WorkerThreads>).then(
    ({ Worker }) => {
      const script = `(${help.toString()})(require('node:worker_threads').workerData);`;
      // Drops the options of this process, which may make a script a module.
      const worker = new Worker(script, { eval: true, execArgv: [], workerData: task });
      // A helper that fails never joins.
      worker.on('error', ignore);
      worker.unref();
      return worker;
    },
  );
  return () => {
    void starting.then((worker) => worker.terminate());
  };
}
