/**
 * The recipes of tests/bits in every browser, with one thread and, where memory can be shared, with
 * three: the receipts and samples of Node, to the bit.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bitsRecipes, root, runInNode } from '../bits/reference.ts';
import type { BitsRun } from '../bits/run-recipe.mjs';
import { describeInEngines } from './engines/index.ts';
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
const limit = 180_000;

let reference: BitsRun[];
let server: Awaited<ReturnType<typeof serveBare>>;

beforeAll(async () => {
  reference = await runInNode('wasm', 1);
  server = await serveBare('/', { folder: root, pages: { '/bits': blank }, headers: isolation });
}, limit);
afterAll(() => server.close());

describeInEngines((engine) => {
  test(
    'every recipe has the bits of Node, with one thread and with three',
    async () => {
      const page = await engine.launch();
      try {
        await page.goto(`${server.url}bits`);
        const run = (threads: number): Promise<BitsRun[]> =>
          page.evaluate(
            (task) =>
              new Promise<BitsRun[]>((resolve, reject) => {
                const { openWorker } = globalThis as unknown as { openWorker: () => Worker };
                const worker = openWorker();
                // Referred to, so that nothing can collect it while it waits.
                Object.assign(globalThis, { worker });
                worker.onmessage = ({
                  data,
                }: MessageEvent<{ runs: BitsRun[]; error?: string }>) => {
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
        expect(await run(1)).toEqual(reference);
        const shares = await page.evaluate(
          () => crossOriginIsolated && typeof SharedArrayBuffer === 'function',
        );
        // WebKitGTK has no shared memory: it is the honest test of one thread.
        expect(shares).toBe(engine.name !== 'webkit');
        if (shares) expect(await run(3)).toEqual(reference);
      } finally {
        await page.close();
      }
    },
    limit,
  );
});
