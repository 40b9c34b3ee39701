/**
 * Benchmarks the page while it trains a size-L model in Chromium with all views open (`make
 * bench-page`): training speed relative to the bare engine in the same browser, main-thread tasks,
 * snapshot rate and time to the first step. It prints results, asserts nothing, and is skipped in
 * ordinary runs.
 */
import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { describe, it } from 'vitest';
import { CONFIGS, optionsOf } from '../bench/configs.mjs';
import { eventually, openSite } from './driver.ts';
import type { Driven } from './driver.ts';
import { dist, launchChromium, serveBare } from './harness.ts';

const ROUNDS = 3;
/** Seconds of training per round. */
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 30);
const NAME = process.env['BENCH_CONFIG'] ?? 'L';
const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/** Records that `takeNotes` collects in the page. */
interface Notes {
  /** Pairs of the time since navigation, in milliseconds, and the step shown. */
  readonly steps: (readonly [time: number, step: number])[];
  readonly tasks: { readonly start: number; readonly duration: number }[];
  readonly snapshots: { readonly time: number; readonly attention: boolean }[];
}

/** Runs in the page. Records step changes, tasks longer than 50 ms, and arriving snapshots. */
function takeNotes(): void {
  const notes: Notes = { steps: [], tasks: [], snapshots: [] };
  Object.assign(globalThis, { notes });
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      notes.tasks.push({ start: startTime, duration });
    }
  }).observe({ type: 'longtask', buffered: true });
  const Plain = Worker;
  globalThis.Worker = class extends Plain {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      this.addEventListener('message', ({ data }: MessageEvent) => {
        const message = data as { kind?: string; snapshot?: { attentions: readonly unknown[] } };
        if (message.kind !== 'snapshot') return;
        const attention = (message.snapshot?.attentions.length ?? 0) > 0;
        notes.snapshots.push({ time: performance.now(), attention });
      });
    }
  };
  document.addEventListener('DOMContentLoaded', () => {
    new MutationObserver(() => {
      const text = document.querySelector('#run [data-part=step]')?.textContent ?? '';
      const step = Number(text.split('/')[0]?.replaceAll(/\D/g, ''));
      if (text !== '' && step !== notes.steps.at(-1)?.[1]) {
        notes.steps.push([performance.now(), step]);
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
}

const notesOf = (page: Page): Promise<Notes> =>
  page.evaluate(() => (globalThis as unknown as { notes: Notes }).notes);
const nowIn = (page: Page): Promise<number> => page.evaluate(() => performance.now());

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;

/** Returns the URL hash for configuration `name`: Moby-Dick as bytes or characters. */
function hashOf(name: string): string {
  const { tokenizer = 0, ...numbers } = optionsOf(name);
  const address = new URLSearchParams({ preset: CONFIGS[name]!.preset, text: 'moby' });
  for (const [option, value] of Object.entries(numbers)) address.set(option, String(value));
  address.set('tokenizer', tokenizer === 0 ? 'byte' : 'char');
  address.set('steps', '1000000');
  address.set('validation', '0');
  return address.toString();
}

/** Expands all collapsed parts of the page. */
async function openViews({ page }: Driven): Promise<void> {
  await page.evaluate(() => {
    const closed = document.querySelectorAll<HTMLElement>('main button[aria-expanded=false]');
    for (const button of closed) button.click();
  });
}

/** Trains for SECONDS; returns steps per second between the first and the last change shown. */
async function trainPage({ page, start, pause, reach }: Driven): Promise<number> {
  const before = (await notesOf(page)).steps.length;
  const resume = page.getByRole('button', { name: 'Continue', exact: true });
  await ((await resume.count()) > 0 ? resume : start).click();
  const begun = await nowIn(page);
  await eventually(
    () => nowIn(page),
    (now) => now - begun > SECONDS * 1000,
    Infinity,
  );
  await pause.click();
  await reach('paused');
  const shown = (await notesOf(page)).steps.slice(before + 1);
  const [first, last] = [shown[0], shown.at(-1)];
  if (first === undefined || last === undefined || first === last) return NaN;
  return ((last[1] - first[1]) / (last[0] - first[0])) * 1000;
}

/** Opens a page with only the engine in a worker, on the same text and number of threads. */
async function openBare(browser: Browser): Promise<{
  readonly threads: number;
  readonly train: () => Promise<number>;
  readonly close: () => Promise<void>;
}> {
  const folder = join(import.meta.dirname, '../..');
  const { url, close } = await serveBare('/', { folder, headers: ISOLATION });
  const page = await browser.newPage();
  await page.goto(`${url}tests/bench/page/bare.html`);
  const ask = (message: unknown): Promise<number> =>
    page.evaluate(
      (data) => (globalThis as unknown as { ask: (data: unknown) => Promise<number> }).ask(data),
      message,
    );
  const { preset } = CONFIGS[NAME]!;
  const options = { ...optionsOf(NAME), validation: 0 };
  const threads = await ask({ preset, options, text: '/public/texts/moby-dick-en.txt' });
  return {
    threads,
    train: () => ask({ seconds: SECONDS }),
    close: async () => {
      await page.close();
      await close();
    },
  };
}

/** Measures milliseconds from navigation to the first step shown, in a fresh profile. */
async function firstStep(browser: Browser): Promise<{ ms: number; files: readonly string[] }> {
  const driven = await openSite(browser, {
    cores: null,
    state: '',
    before: async (page) => {
      await page.addInitScript(takeNotes);
      await page.addInitScript(() => {
        const press = (): void => {
          const ready = document.querySelector('#run[data-state=ready] button.primary');
          (ready as HTMLButtonElement | null)?.click();
          if (ready === null) setTimeout(press, 5);
        };
        document.addEventListener('DOMContentLoaded', press);
      });
    },
  });
  const { steps } = await eventually(
    () => notesOf(driven.page),
    (notes) => notes.steps.some(([, step]) => step > 0),
  );
  const files = [...driven.requests];
  await driven.close();
  return { ms: steps.find(([, step]) => step > 0)![0], files };
}

describe.runIf(process.env['BENCH_PAGE'] === '1')('the page', () => {
  it(`keeps pace at ${NAME}`, { timeout: 1_800_000 }, async () => {
    const browser = await launchChromium();
    const say = (line: string): void => {
      process.stdout.write(`${line}\n`);
    };
    say(`${cpus()[0]?.model ?? ''}, ${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}`);

    const starts = [];
    for (let round = 0; round < ROUNDS; round++) starts.push(await firstStep(browser));
    say(`first trained step ${median(starts.map(({ ms }) => ms)).toFixed(0)} ms after opening`);
    const code = starts[0]!.files.filter((url) => /\.(js|wasm|css)$/.test(url));
    const contents = code.map((url) => readFileSync(join(dist, new URL(url).pathname)));
    const sum = (compress: (content: Buffer) => Buffer): string =>
      `${(contents.reduce((all, one) => all + compress(one).length, 0) / 1000).toFixed(0)} kB`;
    say(
      `script, styles and module: ${sum((one) => gzipSync(one))} with gzip, ` +
        `${sum((one) => brotliCompressSync(one))} with Brotli, in ${code.length} files`,
    );

    const bare = await openBare(browser);
    const driven = await openSite(browser, {
      cores: null,
      hash: hashOf(NAME),
      before: (page) => page.addInitScript(takeNotes),
      options: { viewport: { width: 1600, height: 2400 } },
    });
    const { page } = driven;
    await openViews(driven);
    const rates: { page: number; bare: number }[] = [];
    await trainPage(driven);
    await bare.train();
    const since = await nowIn(page);
    for (let round = 0; round < ROUNDS; round++) {
      rates.push({ page: await trainPage(driven), bare: await bare.train() });
    }
    const until = await nowIn(page);
    const inside = (time: number): boolean => time >= since && time <= until;
    const notes = await notesOf(page);
    const { B, T } = CONFIGS[NAME]!;
    const tokens = (of: 'page' | 'bare'): string =>
      Math.round(median(rates.map((rate) => rate[of])) * B * T).toLocaleString('en');
    say(
      `page ${tokens('page')}, bare engine ${tokens('bare')} tokens/s on ${bare.threads} threads`,
    );
    const share = median(rates.map((rate) => rate.page / rate.bare));
    say(`the page trains at ${(100 * share).toFixed(1)} % of the bare engine's rate`);
    const tasks = notes.tasks.filter(({ start }) => inside(start));
    const longest = Math.max(0, ...tasks.map(({ duration }) => duration));
    say(`tasks of more than 50 ms on the page's thread: ${tasks.length}, longest ${longest} ms`);
    const trained = ROUNDS * SECONDS;
    const counted = (of: Notes['snapshots']): string => (of.length / trained).toFixed(1);
    const sent = notes.snapshots.filter(({ time }) => inside(time));
    const pictures = sent.filter(({ attention }) => attention);
    say(`snapshots a second: ${counted(sent)}, with attention ${counted(pictures)}`);

    await page.setViewportSize({ width: 400, height: 400 });
    await page.evaluate(() => scrollTo(0, 0));
    const hidden = await nowIn(page);
    await trainPage(driven);
    const blind = (await notesOf(page)).snapshots.filter(({ time }) => time > hidden + 1000);
    say(
      `out of sight, with attention: ${blind.filter(({ attention }) => attention).length}` +
        ` of ${blind.length} snapshots`,
    );
    say(`load at the end ${loadavg()[0]!.toFixed(1)}`);
    await driven.close();
    await bare.close();
    await browser.close();
  });
});
