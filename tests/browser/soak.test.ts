/**
 * A page that trains for long, with every view in use, takes no more memory than one that trains
 * for a while, loses nothing and says nothing. `make soak` lets it train for half an hour; this
 * file by itself for some seconds.
 */
import { isLong } from '../long.ts';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import puppeteer from 'puppeteer-core';
import { describe, expect, it } from 'vitest';
import { chromiumArguments, launchChromium, needChromium, siteUrl } from './harness.ts';
import { openSite, openTab } from './driver.ts';

const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 0.1);
/** A part of the whole after which memory must have come to rest, once every view has been seen. */
const WARM = 0.4;
const PAST = 'Then and now';
/** Every tab is opened this many times, however short the whole is; the first time memory grows. */
const ROUNDS = 2;
const ROOM = 48 * 2 ** 20;
/** Runs that follow each other, each with an index of its text. */
const RUNS = MINUTES < 1 ? 8 : 50;
/** From one collection of garbage to the next, what is held rises and falls by 20 MB. */
const RUNS_ROOM = 24 * 2 ** 20;

/**
 * Bytes that a process has for itself, module, workers and page together. Pages of files that it
 * only reads are none of them: the program's own 50 MB count as shared for as long as another
 * browser runs beside it.
 */
function privateBytes(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return 1024 * Number(/^Private_Dirty: +(\d+) kB/m.exec(text)?.[1] ?? NaN);
}

function largestRenderer(found: {
  readonly processInfo: readonly { readonly type: string; readonly id: number }[];
}): number {
  const renderers = found.processInfo.filter(({ type }) => type === 'renderer');
  return Math.max(...renderers.map(({ id }) => privateBytes(id)));
}

/** From the first third of readings to the last. */
function growth(readings: readonly number[]): number {
  const third = Math.ceil(readings.length / 3);
  // Collectors run when they like: the least of several readings is what is held.
  return Math.min(...readings.slice(-third)) - Math.min(...readings.slice(0, third));
}

/** Answers how many bytes the page holds, once its garbage is gone. */
async function watchMemory(browser: Browser, page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  const system = await browser.newBrowserCDPSession();
  /**
   * Of every engine: moments on their way from one to the other are garbage of up to 64 MB in each,
   * which the browser leaves lying until then. Threads that help only wait, and answer to nobody.
   */
  const collectInWorkers = async (): Promise<void> => {
    const engines = page.workers().filter((worker) => !worker.url().includes('/helper-'));
    const collected = engines.map((worker) =>
      worker
        .evaluate(() => {
          (globalThis as unknown as { gc: () => void }).gc();
        })
        .catch(() => undefined),
    );
    // One that ends meanwhile does not answer either.
    await Promise.race([Promise.all(collected), page.waitForTimeout(5000)]);
  };
  return async () => {
    await collectInWorkers();
    await session.send('HeapProfiler.collectGarbage');
    // What that sets free is given back in tasks of its own, and some of it holds more.
    await page.waitForTimeout(200);
    await session.send('HeapProfiler.collectGarbage');
    return largestRenderer(await system.send('SystemInfo.getProcessInfo'));
  };
}

describe.runIf(isLong && process.platform === 'linux')('a page left alone', () => {
  it(
    `keeps its memory for ${MINUTES} minutes of training`,
    { timeout: MINUTES * 60_000 + 300_000 },
    async () => {
      const browser = await launchChromium(['--js-flags=--expose-gc']);
      const driven = await openSite(browser, {
        // Threads leave no core to the tests beside a brief one.
        cores: MINUTES < 1 ? 1 : null,
        hash: `layers=1&heads=1&channels=8&context=${MINUTES < 1 ? 64 : 8}&steps=100000000&validation=0.1`,
      });
      const { page } = driven;
      await page.evaluate(() => {
        const closed = document.querySelectorAll<HTMLElement>('main button[aria-expanded=false]');
        for (const button of closed) button.click();
      });
      const memory = await watchMemory(browser, page);
      await driven.start.click();
      const begun = Date.now();
      const readings: { turn: number; minute: number; step: number; bytes: number }[] = [];
      const tabs = ['Token by token', 'Write step by step', 'The model, piece by piece', 'Attention', 'Embeddings', 'Word pieces', PAST, 'Copied or new?', 'Twins', 'Export', 'Runs', 'Share']; // prettier-ignore
      const isOver = (): boolean => Date.now() - begun >= MINUTES * 60_000;
      for (let turn = 0; !isOver() || turn < ROUNDS * tabs.length; turn++) {
        await openTab(page, tabs[turn % tabs.length]!);
        // It makes an engine of its own before it has something to show.
        if (turn === tabs.indexOf(PAST)) await page.locator('[data-part=moments-most]').waitFor();
        await page.setViewportSize({ width: turn % 2 === 0 ? 1280 : 800, height: 900 });
        await page.waitForTimeout(Math.min(20_000, MINUTES * 2_000));
        // Of a brief soak, what would not be compared is not measured: collecting garbage takes its
        // time.
        if (MINUTES < 1 && turn < tabs.length) continue;
        const minute = (Date.now() - begun) / 60_000;
        readings.push({ turn, minute, step: await driven.step(), bytes: await memory() });
      }
      const state = await driven.run.getAttribute('data-state');
      const megabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);
      const shown = readings.filter((_, index) => index % Math.ceil(readings.length / 10) === 0);
      for (const { minute, step, bytes } of [...shown, readings.at(-1)!]) {
        console.log(`${minute.toFixed(1)} min, step ${step}: ${megabytes(bytes)} MB`);
      }
      expect(state).toBe('running');
      expect(driven.problems).toEqual([]);
      const warm = readings.filter(
        ({ minute, turn }) => turn >= tabs.length && minute >= WARM * MINUTES,
      );
      expect(growth(warm.map(({ bytes }) => bytes))).toBeLessThan(ROOM);
      await driven.close();
      await browser.close();
    },
  );

  it(
    `holds after ${RUNS} runs, each with its index, what it held after the first of them`,
    { timeout: 600_000 },
    async () => {
      // What watches the network keeps the code of every worker that begins.
      const browser = await puppeteer.launch({
        executablePath: needChromium(),
        headless: 'shell',
        args: [...chromiumArguments, '--js-flags=--expose-gc'],
        networkEnabled: false,
      });
      const page = await browser.newPage();
      page.setDefaultTimeout(0); // the test's own limit counts
      const problems: unknown[] = [];
      page.on('pageerror', (error) => problems.push(error));
      // One thread: no helper is counted among the workers.
      await page.evaluateOnNewDocument(() => {
        Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => 1 });
      });
      const [session, system] = [
        await page.createCDPSession(),
        await browser.target().createCDPSession(),
      ];
      const memory = async (): Promise<number> => {
        await session.send('HeapProfiler.collectGarbage');
        await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)));
        await session.send('HeapProfiler.collectGarbage');
        return largestRenderer(await system.send('SystemInfo.getProcessInfo'));
      };
      await page.goto(`${siteUrl()}#steps=20&validation=0.1&view=copied&lang=en`);
      const readings: number[] = [];
      for (let run = 1; run <= RUNS; run++) {
        if (run > 1) await page.locator('::-p-aria([name="New seed"][role="button"])').click();
        await page.locator('::-p-aria([name="Start"][role="button"])').click();
        await page.waitForSelector('#run[data-state=finished]');
        await page
          .locator('.tab-copied ::-p-text(at step 20, )')
          .filter((part) => /\d (?:is|are) in your text/.test(part.textContent))
          .wait();
        await expect.poll(() => page.workers().length).toBe(2);
        if (run >= WARM * RUNS) readings.push(await memory());
      }
      expect(growth(readings)).toBeLessThan(RUNS_ROOM);
      expect(problems).toEqual([]);
      await browser.close();
    },
  );
});
