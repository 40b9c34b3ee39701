/** Runs the recipes of tests/bits in a page of any browser engine. */
import { bitsRecipes, root } from '../bits/reference.ts';
import type { BitsRun } from '../bits/run-recipe.mjs';
import type { DrivenPage } from './engines/index.ts';
import { serveBare } from './harness.ts';

const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};
const blank = `<!doctype html><meta charset="utf-8" /><title>bits</title>
<script type="module">
  import { startHelpersFor } from '/tests/bench/page/helpers.mjs';
  globalThis.openWorker = () => {
    const worker = new Worker('/tests/bits/worker.mjs', { type: 'module' });
    startHelpersFor(worker);
    return worker;
  };
</script>`;

/** Serves a blank cross-origin isolated page at `/bits` that can run the recipes. */
export const serveBits = (): ReturnType<typeof serveBare> =>
  serveBare('/', { folder: root, pages: { '/bits': blank }, headers: isolation });

/** Runs all recipes in the page at `/bits`. */
export const bitsIn = (page: DrivenPage, threads: number): Promise<BitsRun[]> =>
  page.evaluate(
    (task) =>
      new Promise<BitsRun[]>((resolve, reject) => {
        const { openWorker } = globalThis as unknown as { openWorker: () => Worker };
        const worker = openWorker();
        // A global reference keeps the worker from being garbage-collected while it runs.
        Object.assign(globalThis, { worker });
        worker.onmessage = ({ data }: MessageEvent<{ runs: BitsRun[]; error?: string }>) => {
          worker.terminate();
          if (data.error === undefined) resolve(data.runs);
          else reject(new Error(data.error));
        };
        worker.onerror = (event) => {
          reject(new Error(event.message));
        };
        worker.postMessage(task);
      }),
    { recipes: bitsRecipes, threads },
  );

/** Reports whether the page supports shared memory. */
export const sharesMemory = (page: DrivenPage): Promise<boolean> =>
  page.evaluate(() => crossOriginIsolated && typeof SharedArrayBuffer === 'function');
