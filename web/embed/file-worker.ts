/**
 * The worker's script as a file beside the module. A browser starts no worker from another origin;
 * there a script of our own imports it.
 */
import { beside, isJoined } from './beside.ts';

const script = (): URL =>
  beside('worker.mjs', new URL(/* @vite-ignore */ './worker.mjs', import.meta.url));

export const WORKERS: readonly (() => Worker)[] = [
  () =>
    isJoined
      ? new Worker(script(), { type: 'module' })
      : // A literal, because bundlers look for exactly this expression.
        new Worker(new URL(/* @vite-ignore */ './worker.mjs', import.meta.url), { type: 'module' }),
  () => {
    const source = `import ${JSON.stringify(script().href)};`;
    const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    const worker = new Worker(url, { type: 'module' });
    const release = (): void => {
      URL.revokeObjectURL(url);
    };
    worker.addEventListener('message', release, { once: true });
    worker.addEventListener('error', release, { once: true });
    return worker;
  },
];
