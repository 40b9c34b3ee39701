/** Ways to start the worker's script, tried in order. */
import { importWorker } from '../engine/import-worker.ts';
import script from './worker.ts?worker&url';

export const WORKERS: readonly (() => Worker)[] = [
  () => new Worker(script, { type: 'module' }),
  // A sandboxed frame without an origin starts no worker from an address.
  () => importWorker(new URL(script, location.href)),
];
