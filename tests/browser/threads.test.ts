/**
 * Tests multithreading on the page: it uses threads if memory can be shared, and only speed depends
 * on threads.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { eventually } from './driver.ts';
import type { Driven, openSite } from './driver.ts';
import { dist, serveBare } from './harness.ts';
import { startHost } from './hosts.ts';
import { usePages } from './sites.ts';

/** Large enough for every matrix product to be split among threads. */
const HASH = 'preset=gpt2&tokenizer=byte&layers=2&channels=96';
const THREE = 'Trains on 3 threads.';
const ONE = 'Trains on one thread.';
const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

const pages = usePages();

/** Opens the page on a simulated machine with three cores; `step` > 0 trains to that step. */
const site = (step: number, how: Parameters<typeof openSite>[1] = {}): Promise<Driven> =>
  pages.site({
    hash: step > 0 ? `${HASH}&stop=${String(step)}` : HASH,
    cores: 3,
    state: step > 0 ? 'paused' : 'ready',
    ...how,
  });

/** Starts a host with no headers except those in `options`; returns its URL. */
const bareHost = async (options: Parameters<typeof serveBare>[1]): Promise<string> =>
  pages.closing(await serveBare('/course/', options)).url;

/** Waits until the page footer states the expected threads; `steps`: trains one step per poll. */
async function told(driven: Driven, text: string, steps = false): Promise<void> {
  const note = driven.page.locator('#place-note');
  await eventually(
    async () => {
      const shown = await note.textContent();
      // A helper that wakes too late for one step joins the next.
      if (steps && shown !== text) await driven.oneStep.click();
      return shown;
    },
    (shown) => shown === text,
  );
}

/** Lists the engine modules requested: `many` imports shared memory, `one` does not. */
async function modulesAsked({ page, requests }: Driven): Promise<('one' | 'many')[]> {
  const urls = [...new Set(requests.filter((url) => url.endsWith('.wasm')))];
  return page.evaluate(async (all) => {
    const kinds: ('one' | 'many')[] = [];
    for (const url of all) {
      const module = await WebAssembly.compile(await (await fetch(url)).arrayBuffer());
      // Skips the tracing module, which the page always loads when idle.
      const exports = WebAssembly.Module.exports(module);
      if (exports.some(({ name }) => name === 'gpt_trace_create')) continue;
      const imports = WebAssembly.Module.imports(module);
      kinds.push(imports.some(({ kind }) => kind === 'memory') ? 'many' : 'one');
    }
    return kinds;
  }, urls);
}

/** Saves a checkpoint of the current step: weights, both AdamW moments and losses. */
async function checkpoint({ page }: Driven): Promise<Buffer> {
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Checkpoint', exact: true }).click();
  return readFileSync(await (await coming).path());
}

it('trains on as many threads as the machine has cores, to the bits of one thread', async () => {
  const many = await site(6);
  await told(many, THREE);
  expect(await modulesAsked(many)).toEqual(['many']);
  const three = await checkpoint(many);

  const one = await site(6, { url: await bareHost({}) });
  await told(one, ONE);
  expect(await modulesAsked(one)).toEqual(['one']);
  expect(three.equals(await checkpoint(one))).toBe(true);
});

it('asks for at most 200 kB of script, styles and module, compressed', async () => {
  const { page, requests } = await site(0);
  // Counts only scripts requested before the page is ready; analysis tabs load later.
  const sooner = await page.evaluate(() => {
    const ready = performance.getEntriesByName('glasshouse-ready')[0]!.startTime;
    const entries = performance.getEntriesByType('resource');
    return entries.filter(({ startTime }) => startTime <= ready).map(({ name }) => name);
  });
  // The page's performance entries omit the worker's requests. The first module is the engine; the
  // idle page later loads another one.
  const module = requests.find((url) => url.endsWith('.wasm'));
  const code = requests.filter(
    (url) => url === module || (/\.(js|css)$/.test(url) && sooner.includes(url)),
  );
  expect(code.some((url) => url.includes('/worker-'))).toBe(true);
  const sizes = code.map((url) => {
    const file = join(dist, decodeURIComponent(new URL(url).pathname));
    // The size with Brotli, as from hosts that support it.
    return brotliCompressSync(readFileSync(file)).length;
  });
  expect(code.some((url) => url.endsWith('.wasm'))).toBe(true);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000);
});

it('fetches the other module when its worker cannot share memory', async () => {
  const url = await bareHost({
    headers: ISOLATION,
    change: (file, content) =>
      /worker-.*\.js$/.test(file)
        ? `delete globalThis.SharedArrayBuffer;${content.toString()}`
        : content,
  });
  const driven = await site(1, { url });
  await told(driven, ONE);
  await expect.poll(() => modulesAsked(driven)).toEqual(['many', 'one']);
});

it('trains on one thread when the helpers cannot be had', async () => {
  const url = await bareHost({
    headers: ISOLATION,
    change: (file, content) => (/\/helper-.*\.js$/.test(file) ? null : content),
  });
  const driven = await site(1, { url });
  driven.breaks(/helper-/);
  await told(driven, ONE);
  await expect.poll(() => modulesAsked(driven)).toEqual(['many']);
});

// Firefox sometimes hangs when a worker starts a worker.
it('trains on several threads where a host isolates the page in the older way, with no worker started by a worker', async () => {
  const url = await bareHost({
    headers: ISOLATION,
    change: (file, content) =>
      /worker-.*\.js$/.test(file)
        ? `globalThis.Worker = function () { for (;;); };${content.toString()}`
        : content,
  });
  await told(await site(1, { url }), THREE, true);
});

it('takes the module without threads where the host lacks the other one', async () => {
  let lacking = 0;
  const url = await bareHost({
    headers: ISOLATION,
    change: (file, content) => {
      if (!file.endsWith('.wasm') || !content.includes('__stack_pointer')) return content;
      lacking += 1;
      return null;
    },
  });
  const driven = await site(1, { url });
  driven.breaks(/\.wasm|wasm streaming/);
  await told(driven, ONE);
  expect(lacking).toBeGreaterThan(0);
});

interface Trained {
  readonly threads: number;
  readonly line: string;
}

it('trains on all cores in the library and the element of an isolated page, to the same bits', async () => {
  const host = pages.closing(await startHost({ headers: ISOLATION }));
  const { page } = await pages.page();
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'hardwareConcurrency', { get: () => 3 });
  });
  const settings = 'tokenizer=1&layers=2&channels=96&steps=12';
  host.put(
    '/lesson.html',
    `<!doctype html><script type="module" src="/site/embed/element.mjs"></script>
    <glasshouse-gpt sample="moby" preset="gpt2" settings="${settings.replaceAll('&', '&amp;')}" show="loss"></glasshouse-gpt>`,
  );
  await page.goto(`${host.url}lesson.html`);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  const trained = await page.evaluate<Trained[]>(`(async () => {
    const { createTrainer } = await import('/site/embed/index.mjs');
    const text = await (await fetch('/site/texts/moby-dick-en.txt')).text();
    const changes = Object.fromEntries(
      [...new URLSearchParams('${settings}')].map(([name, value]) => [name, Number(value)]),
    );
    const ends = [];
    for (const threads of [1, 2, undefined]) {
      const trainer = await createTrainer({ threads });
      await trainer.setText(text);
      await trainer.prepare({ preset: 'gpt2', changes });
      let most = 0;
      trainer.subscribe((snapshot) => { most = Math.max(most, snapshot.threads); });
      await trainer.train();
      ends.push({ threads: most, line: (await trainer.receipt()).line });
      trainer.close();
    }
    return ends;
  })()`);
  expect(trained.map(({ threads }) => threads)).toEqual([1, 2, 3]);
  const line = await page.evaluate<string>(`(async () => {
    const gpt = document.querySelector('glasshouse-gpt');
    await gpt.train();
    return (await gpt.receipt()).line;
  })()`);
  for (const one of trained) expect(one.line).toBe(line);
  // The worker of the element, and its two helpers.
  expect(page.workers().length).toBeGreaterThanOrEqual(3);
});
