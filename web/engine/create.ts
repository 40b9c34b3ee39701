/**
 * Chooses how the engine runs: on several threads where memory can be shared, on one where not; in
 * a worker, or on this thread where workers are refused.
 */
import { WorkerTrainer } from './client.ts';
import { compileEngine } from './compile.ts';
import type { EngineSource } from './compile.ts';
import { failure } from './errors.ts';
import { SITE } from '../base/form.ts';
import { helpersFor } from './help.ts';
import type { ToPage } from './protocol.ts';
import { canShareMemory } from './thread-memory.ts';
import { startHelper } from './start-helper.ts';
import type { Trainer } from './trainer.ts';

/** A trainer, and whether it works beside the page (`worker`) or between its frames (`page`). */
export interface CreatedTrainer {
  readonly trainer: Trainer;
  readonly place: 'worker' | 'page';
  /** Has the worker fetch the scripts that it needs later; null without a worker. */
  readonly preload: (() => void) | null;
}

/**
 * Starts the engine. The worker's script and the module load at the same time. `workers` are the
 * ways to start that script, tried in turn. `threaded` is the module for several threads: it is
 * fetched only where it can run, and the other one is then not.
 */
export async function createTrainer(
  source: EngineSource,
  workers: readonly (() => Worker)[],
  threaded?: EngineSource,
): Promise<CreatedTrainer> {
  const shares = threaded !== undefined && canShareMemory();
  const module = compile(shares ? threaded : source);
  const started = await startAnyWorker(workers);
  // The threaded module waits for its helpers, which a page's own thread may not do.
  const stays = shares && started?.sharesMemory === true;
  const usable = shares && !stays ? compile(source) : module;
  if (started === null) {
    // The trainer itself is in the worker's script: only here the page needs one too.
    const { DirectTrainer } = await import('./direct.ts');
    // Short slices: the page draws and answers in between.
    const trainer = new DirectTrainer(await usable, { slice: 8 });
    return { trainer, place: 'page', preload: null };
  }
  const { worker } = started;
  // A host may lack the second module: the first is enough.
  const loaded = stays ? usable.catch(() => compile(source)) : usable;
  const end = (): void => {
    worker.terminate();
  };
  const trainer = new WorkerTrainer(worker, loaded, end, {
    helpers: stays ? helpersFor(navigator.hardwareConcurrency) : 0,
    startHelper: SITE ? startHelper : () => () => undefined,
  });
  worker.addEventListener('error', (event) => {
    trainer.fail(failure('worker', `the worker failed: ${event.message}`));
  });
  worker.addEventListener('messageerror', () => {
    trainer.fail(failure('worker', 'the worker sent a message that cannot be read'));
  });
  const preload = (): void => {
    trainer.preload();
  };
  return { trainer, place: 'worker', preload };
}

function compile(source: EngineSource): Promise<WebAssembly.Module> {
  const module = compileEngine(source);
  // Its failure is reported by the first call of the trainer.
  module.catch(() => undefined);
  return module;
}

interface StartedWorker {
  readonly worker: Worker;
  /** The threaded module can run in it. */
  readonly sharesMemory: boolean;
}

/** The first worker that starts; null where all are refused. */
async function startAnyWorker(workers: readonly (() => Worker)[]): Promise<StartedWorker | null> {
  for (const open of workers) {
    const started = await startWorker(open);
    if (started !== null) return started;
  }
  return null;
}

/** Milliseconds in which a worker says hello; its code may come over a slow network. */
const PATIENCE = 60_000;

/**
 * The worker once it has said hello; null where it is refused (sandboxes, policies, old browsers)
 * or says nothing.
 */
function startWorker(open: () => Worker): Promise<StartedWorker | null> {
  return new Promise((resolve) => {
    let worker: Worker;
    try {
      worker = open();
    } catch {
      resolve(null);
      return;
    }
    const hello = (event: MessageEvent): void => {
      const message = event.data as ToPage;
      if (message.kind !== 'hello') return;
      clearTimeout(late);
      worker.removeEventListener('message', hello);
      worker.removeEventListener('error', refused);
      resolve({ worker, sharesMemory: message.sharesMemory });
    };
    const refused = (event?: Event): void => {
      event?.preventDefault();
      clearTimeout(late);
      worker.terminate();
      resolve(null);
    };
    const late = setTimeout(refused, PATIENCE);
    worker.addEventListener('message', hello);
    worker.addEventListener('error', refused);
  });
}
