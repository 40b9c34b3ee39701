/** Ways to start the worker's script, tried in order. */
export const WORKERS: readonly (() => Worker)[] = [
  () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }),
];
