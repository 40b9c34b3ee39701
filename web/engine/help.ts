/** Helper threads of the threaded module: how one is requested, and its code. */

/** Everything a helper thread needs: the module, its shared memory, its slot. */
export interface HelperTask {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  /** Top of the helper's stack, allocated by the engine. */
  readonly thread: number;
}

/** Starts a helper in the background, if possible; returns a function that ends it. */
export type StartHelper = (task: HelperTask) => () => void;

/** Number of threads in addition to the main one, and how to start them. */
export interface Helpers {
  readonly count: number;
  readonly start: StartHelper;
}

/** More threads gain little at model sizes that fit in a page. */
export const MOST_THREADS = 8;

/**
 * Number of helpers on a machine with `cores` cores: one thread per core, including the main one,
 * up to MOST_THREADS.
 */
export function helpersFor(cores: number): number {
  return Math.max(0, Math.min(cores, MOST_THREADS) - 1);
}

/**
 * Runs a helper until the engine stops its threads; blocks the calling thread. Must not use
 * anything outside this function, because its source text is passed to new threads.
 */
export async function help({ module, memory, thread }: HelperTask): Promise<void> {
  const { exports } = await WebAssembly.instantiate(module, {
    env: { memory, emscripten_notify_memory_growth: () => undefined },
  });
  (exports['__stack_pointer'] as WebAssembly.Global).value = thread;
  (exports['gpt_thread_run'] as (thread: number) => void)(thread);
}
