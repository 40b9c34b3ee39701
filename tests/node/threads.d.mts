/** What a helper needs to take part: the module, its shared memory, and its place there. */
export interface HelperTask {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  readonly thread: number;
}

/** Ends a worker. */
export type EndWorker = () => unknown;

export function help(task: HelperTask): Promise<void>;

export function startNodeWorker(task: HelperTask): Promise<EndWorker>;

export function instantiate(
  bytes: BufferSource,
  options?: {
    readonly threads?: number;
    readonly startWorker?: (task: HelperTask) => EndWorker | Promise<EndWorker>;
  },
): Promise<{
  readonly exports: WebAssembly.Exports;
  readonly memory: WebAssembly.Memory;
  /** One helper more, from now on. Answers whether it came. */
  readonly addThread: () => Promise<boolean>;
  readonly stop: () => Promise<void>;
}>;
