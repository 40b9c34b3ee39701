/**
 * The worker's script as a file beside the module. A browser refuses to start a worker from another
 * origin: for a module from a CDN, a script of the page's own imports the worker's script.
 */
import { importWorker } from '../engine/import-worker.ts';
import { beside, isJoined } from './beside.ts';

const script = (): URL =>
  beside('worker.mjs', new URL(/* @vite-ignore */ './worker.mjs', import.meta.url));

export const WORKERS: readonly (() => Worker)[] = [
  () =>
    isJoined
      ? new Worker(script(), { type: 'module' })
      : // Repeats the URL as a literal, because bundlers recognise only this expression.
        new Worker(new URL(/* @vite-ignore */ './worker.mjs', import.meta.url), { type: 'module' }),
  () => importWorker(script()),
];
