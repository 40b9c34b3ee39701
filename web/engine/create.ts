/** Chooses where the engine lives: in a worker, or on this thread where workers are refused. */
import { WorkerTrainer } from './client.ts';
import { DirectTrainer } from './direct.ts';
import { failure } from './errors.ts';
import { WORKERS } from './open-worker.ts';
import type { ToPage } from './protocol.ts';
import type { Trainer } from './trainer.ts';
import { compileEngine } from './wasm.ts';
import type { EngineSource } from './wasm.ts';

/** A trainer, and whether it works beside the page (`worker`) or between its frames (`page`). */
export interface CreatedTrainer {
  readonly trainer: Trainer;
  readonly place: 'worker' | 'page';
}

/** Starts the engine. The worker's script and the module load at the same time. */
export async function createTrainer(source: EngineSource): Promise<CreatedTrainer> {
  const module = compileEngine(source);
  // Its failure is reported by the first call of the trainer.
  module.catch(() => undefined);
  const worker = await startAnyWorker();
  if (worker === null) {
    // Short slices: the page draws and answers in between.
    return { trainer: new DirectTrainer(await module, { slice: 8 }), place: 'page' };
  }
  const trainer = new WorkerTrainer(worker, module, () => {
    worker.terminate();
  });
  worker.addEventListener('error', (event) => {
    trainer.fail(failure('worker', `the worker failed: ${event.message}`));
  });
  return { trainer, place: 'worker' };
}

/** The first worker that starts; null where all are refused. */
async function startAnyWorker(): Promise<Worker | null> {
  for (const open of WORKERS) {
    const worker = await startWorker(open);
    if (worker !== null) return worker;
  }
  return null;
}

/** The worker once it has said hello; null where it is refused (sandboxes, policies, old browsers). */
function startWorker(open: () => Worker): Promise<Worker | null> {
  return new Promise((resolve) => {
    let worker: Worker;
    try {
      worker = open();
    } catch {
      resolve(null);
      return;
    }
    const hello = (event: MessageEvent): void => {
      if ((event.data as ToPage).kind !== 'hello') return;
      worker.removeEventListener('message', hello);
      worker.removeEventListener('error', refused);
      resolve(worker);
    };
    const refused = (event: Event): void => {
      event.preventDefault();
      worker.terminate();
      resolve(null);
    };
    worker.addEventListener('message', hello);
    worker.addEventListener('error', refused);
  });
}
