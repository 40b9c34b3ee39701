/**
 * Chooses how the engine runs: threaded if memory can be shared, in a worker if one starts, else on
 * the page's thread.
 */
import { WorkerTrainer } from './client.ts';
import { compileEngine } from './compile.ts';
import type { EngineSource } from './engine-source.ts';
import { failure } from './errors.ts';
import { SITE } from '../base/form.ts';
import { helpersFor } from './help.ts';
import type { ToPage } from './protocol.ts';
import { canShareMemory } from './thread-memory.ts';
import { helperBy, startHelper } from './start-helper.ts';
import type { Trainer } from './trainer.ts';

/** A trainer and its thread: a worker, or the page's own between frames. */
export interface CreatedTrainer {
  readonly trainer: Trainer;
  readonly place: 'worker' | 'page';
  /** Has the worker fetch the scripts that it needs later; null without a worker. */
  readonly preload: (() => void) | null;
}

/**
 * Starts the engine; worker script and module load in parallel. `workers` are ways to start the
 * script, tried in turn. `threaded` is the threaded module, fetched only if this page can share
 * memory. `source` is fetched if the threaded module cannot be used. `helpers`: threads beside the
 * worker, by default one for each further core.
 */
export async function createTrainer(
  source: EngineSource,
  workers: readonly (() => Worker)[],
  threaded?: EngineSource,
  helpers?: number,
): Promise<CreatedTrainer> {
  const shares = threaded !== undefined && canShareMemory();
  const module = compile(shares ? threaded : source);
  const started = await startAnyWorker(workers);
  // The threaded module blocks while it waits for helpers, which the page's thread may not.
  const stays = shares && started?.sharesMemory === true;
  const usable = shares && !stays ? compile(source) : module;
  if (started === null) {
    // Loaded only without a worker, since the worker's script contains the trainer.
    const { DirectTrainer } = await import('./direct.ts');
    // Short slices, so that the page can draw between them.
    const trainer = new DirectTrainer(await usable, { slice: 8 });
    return { trainer, place: 'page', preload: null };
  }
  const { worker, open } = started;
  // Falls back to the plain module if the host lacks the threaded one.
  const loaded = stays ? usable.catch(() => compile(source)) : usable;
  const end = (): void => {
    worker.terminate();
  };
  const trainer = new WorkerTrainer(worker, loaded, end, {
    helpers: stays ? (helpers ?? helpersFor(navigator.hardwareConcurrency)) : 0,
    // The site has a small script for helpers; in other forms they are the worker's script.
    startHelper: SITE ? startHelper : helperBy(open),
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
  // Prevents an unhandled rejection: `createTrainer` or the first call reports the failure.
  module.catch(() => undefined);
  return module;
}

interface StartedWorker {
  readonly worker: Worker;
  /** Starts another worker with the same script. */
  readonly open: () => Worker;
  /** Whether it can run the threaded module. */
  readonly sharesMemory: boolean;
}

/** The first worker that starts; null if all are refused. */
async function startAnyWorker(workers: readonly (() => Worker)[]): Promise<StartedWorker | null> {
  for (const open of workers) {
    const started = await startWorker(open);
    if (started !== null) return started;
  }
  return null;
}

/** Milliseconds to wait for a worker's first message; its script may load slowly. */
const PATIENCE = 60_000;

/**
 * Resolves once the worker says hello; null if it is refused (sandbox, policy, old browser) or
 * stays silent.
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
      resolve({ worker, open, sharesMemory: message.sharesMemory });
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
