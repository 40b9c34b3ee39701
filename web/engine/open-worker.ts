/**
 * The ways to start the worker's script, to be tried in turn. A module of its own, so that the forms
 * for other pages can put theirs in its place.
 */
export const WORKERS: readonly (() => Worker)[] = [
  () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }),
];
