/** The ways to start the worker's script, to be tried in turn. */
export const WORKERS: readonly (() => Worker)[] = [
  () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }),
];
