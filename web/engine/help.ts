/** What a helping thread does, and how one is asked for. */

/** What a helper needs to take part: the module, its shared memory, and its place there. */
export interface HelperTask {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  /** From the engine: the top of the helper's stack. */
  readonly thread: number;
}

/** Starts a helper, which comes when it can or never; returns what ends it. */
export type StartHelper = (task: HelperTask) => () => void;

/** Threads beside the one that asks. */
export interface Helpers {
  readonly count: number;
  readonly start: StartHelper;
}

/** More threads than this gain little at the sizes that fit into a page. */
const MOST_THREADS = 8;

/** Helpers for a machine with this many cores: with the thread that asks, one thread a core. */
export function helpersFor(cores: number): number {
  return Math.max(0, Math.min(cores, MOST_THREADS) - 1);
}

/**
 * Takes parts of the engine's work until the engine sends its threads home. The thread that calls
 * it does nothing else meanwhile. Stands by itself, so that its text can be given to a new thread.
 */
export async function help({ module, memory, thread }: HelperTask): Promise<void> {
  const { exports } = await WebAssembly.instantiate(module, {
    env: { memory, emscripten_notify_memory_growth: () => undefined },
  });
  (exports['__stack_pointer'] as WebAssembly.Global).value = thread;
  (exports['gpt_thread_run'] as (thread: number) => void)(thread);
}
