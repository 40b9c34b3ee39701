/**
 * The worker's script as a file beside the module. A browser starts no worker from another origin;
 * there a script of our own imports it.
 */
import { importWorker } from '../engine/import-worker.ts';
import { beside, isJoined } from './beside.ts';

const script = (): URL =>
  beside('worker.mjs', new URL(/* @vite-ignore */ './worker.mjs', import.meta.url));

export const WORKERS: readonly (() => Worker)[] = [
  () =>
    isJoined
      ? new Worker(script(), { type: 'module' })
      : // A literal, because bundlers look for exactly this expression.
        new Worker(new URL(/* @vite-ignore */ './worker.mjs', import.meta.url), { type: 'module' }),
  () => importWorker(script()),
];
