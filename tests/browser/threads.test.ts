/**
 * The page on several threads: where memory can be shared it trains on them, and nothing but its
 * speed depends on whether that works.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { eventually, openSite } from './driver.ts';
import type { Driven } from './driver.ts';
import { dist, launchChromium, serveBare } from './harness.ts';

/** Large enough for every matrix product to be shared out. */
const HASH = 'preset=gpt2&tokenizer=byte&layers=2&channels=96';
const THREE = 'Trains on 3 threads.';
const ONE = 'Trains on one thread.';
const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

let browser: Browser;
const endings: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  browser = await launchChromium();
});

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

afterAll(async () => {
  await browser.close();
});

async function site(how: Parameters<typeof openSite>[1] = {}): Promise<Driven> {
  const opened = await openSite(browser, { hash: HASH, cores: 3, ...how });
  endings.push(opened.close);
  return opened;
}

async function bareHost(options: Parameters<typeof serveBare>[1]): Promise<string> {
  const { url, close } = await serveBare('/course/', options);
  endings.push(close);
  return url;
}

/** Waits until the foot of the page says what threads it trains on. */
async function told(driven: Driven, text: string): Promise<void> {
  const note = driven.page.locator('#place-note');
  await eventually(
    () => note.textContent(),
    (shown) => shown === text,
  );
}

/** Which of the two modules the page has asked for, as the number of memories that they import. */
async function modulesAsked({ page, requests }: Driven): Promise<('one' | 'many')[]> {
  const urls = [...new Set(requests.filter((url) => url.endsWith('.wasm')))];
  return page.evaluate(async (all) => {
    const kinds: ('one' | 'many')[] = [];
    for (const url of all) {
      const module = await WebAssembly.compile(await (await fetch(url)).arrayBuffer());
      // That for questions comes when the page rests, wherever it trains.
      const exports = WebAssembly.Module.exports(module);
      if (exports.some(({ name }) => name === 'gpt_trace_create')) continue;
      const imports = WebAssembly.Module.imports(module);
      kinds.push(imports.some(({ kind }) => kind === 'memory') ? 'many' : 'one');
    }
    return kinds;
  }, urls);
}

/** Trains until the foot of the page says so; pauses there. */
async function trainUntil(driven: Driven, text: string): Promise<void> {
  await driven.start.click();
  await told(driven, text);
  await driven.pause.click();
  await driven.reach('paused');
}

/** The checkpoint of step 6: every weight, both running means, the losses. */
async function checkpoint(driven: Driven): Promise<Buffer> {
  const { page, oneStep, rewind } = driven;
  await rewind.click();
  for (let step = 0; step <= 6; step++) {
    if (step > 0) await oneStep.click();
    await eventually(driven.step, (at) => at === step);
  }
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Checkpoint', exact: true }).click();
  return readFileSync(await (await coming).path());
}

it('trains on as many threads as the machine has cores, to the bits of one thread', async () => {
  const many = await site();
  await trainUntil(many, THREE);
  const three = await checkpoint(many);
  await expect.poll(() => modulesAsked(many)).toEqual(['many']);
  expect(many.problems).toEqual([]);

  const one = await site({ url: await bareHost({}) });
  await trainUntil(one, ONE);
  const single = await checkpoint(one);
  await expect.poll(() => modulesAsked(one)).toEqual(['one']);
  expect(one.problems).toEqual([]);
  expect(three.equals(single)).toBe(true);
});

it('asks for at most 200 kB of script, styles and module, compressed', async () => {
  const { page, requests } = await site();
  // The tabs to look closer with are fetched once the page is ready, when nothing else waits.
  const sooner = await page.evaluate(() => {
    const ready = performance.getEntriesByName('glasshouse-ready')[0]!.startTime;
    const entries = performance.getEntriesByType('resource');
    return entries.filter(({ startTime }) => startTime <= ready).map(({ name }) => name);
  });
  // The worker's own requests are not among the page's.
  // What comes once it rests is another module.
  const module = requests.find((url) => url.endsWith('.wasm'));
  const code = requests.filter(
    (url) => url === module || (/\.(js|css)$/.test(url) && sooner.includes(url)),
  );
  expect(code.some((url) => url.includes('/worker-'))).toBe(true);
  const sizes = code.map((url) => {
    const file = join(dist, decodeURIComponent(new URL(url).pathname));
    // As hosts send it that know Brotli.
    return brotliCompressSync(readFileSync(file)).length;
  });
  expect(code.some((url) => url.endsWith('.wasm'))).toBe(true);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000);
});

it('trains on several threads where a host isolates the page in the older way', async () => {
  const driven = await site({ url: await bareHost({ headers: ISOLATION }) });
  await trainUntil(driven, THREE);
  expect(driven.problems).toEqual([]);
});

it('does without threads where memory cannot be shared', async () => {
  const driven = await site({
    before: (page) =>
      page.addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedArrayBuffer')),
  });
  await trainUntil(driven, ONE);
  await expect.poll(() => modulesAsked(driven)).toEqual(['one']);
  expect(driven.problems).toEqual([]);
});

it('fetches the other module when its worker cannot share memory', async () => {
  const url = await bareHost({
    headers: ISOLATION,
    change: (file, content) =>
      /worker-.*\.js$/.test(file)
        ? `delete globalThis.SharedArrayBuffer;${content.toString()}`
        : content,
  });
  const driven = await site({ url });
  await trainUntil(driven, ONE);
  await expect.poll(() => modulesAsked(driven)).toEqual(['many', 'one']);
});

it('trains on one thread when the helpers cannot be had', async () => {
  const url = await bareHost({
    headers: ISOLATION,
    change: (file, content) => (/\/helper-.*\.js$/.test(file) ? null : content),
  });
  const driven = await site({ url });
  driven.breaks(/helper-/);
  await trainUntil(driven, ONE);
  await expect.poll(() => modulesAsked(driven)).toEqual(['many']);
});

// Firefox never returns from it now and then, after a visit of a page with threads.
it('starts no worker from within a worker, which may wait for ever', async () => {
  const url = await bareHost({
    headers: ISOLATION,
    change: (file, content) =>
      /worker-.*\.js$/.test(file)
        ? `globalThis.Worker = function () { for (;;); };${content.toString()}`
        : content,
  });
  const driven = await site({ url });
  await trainUntil(driven, THREE);
  expect(driven.problems).toEqual([]);
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
  const driven = await site({ url });
  driven.breaks(/\.wasm|wasm streaming/);
  await trainUntil(driven, ONE);
  expect(lacking).toBeGreaterThan(0);
});
