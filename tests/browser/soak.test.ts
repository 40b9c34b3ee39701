/**
 * Tests that a long training with all views open needs no more memory than a short one, keeps
 * running and reports no problems. `make soak` runs for half an hour; the default is some seconds.
 */
import { isLong } from '../long.ts';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import puppeteer from 'puppeteer-core';
import { describe, expect, it } from 'vitest';
import { chromiumArguments, launchChromium, needChromium, siteUrl } from './harness.ts';
import { openSite, openTab } from './driver.ts';

const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 0.1);
/** Fraction of the duration after which memory must be stable, once every view was open. */
const WARM = 0.4;
const PAST = 'Then and now';
/** Minimum number of times each tab is opened; memory grows the first time. */
const ROUNDS = 2;
const ROOM = 48 * 2 ** 20;
/** Consecutive runs, each with its own text index. */
const RUNS = MINUTES < 1 ? 8 : 50;
/** Live memory varies by 20 MB between garbage collections. */
const RUNS_ROOM = 24 * 2 ** 20;

/**
 * Private memory of a process in bytes: module, workers and page. Excludes file-backed pages:
 * whether the program's own 50 MB count as private depends on other running browsers.
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

/** Growth from the first third of the readings to the last. */
function growth(readings: readonly number[]): number {
  const third = Math.ceil(readings.length / 3);
  // Collection times vary, so the minimum of several readings approximates live memory.
  return Math.min(...readings.slice(-third)) - Math.min(...readings.slice(0, third));
}

/** Returns a function that measures the page's memory after garbage collection. */
async function watchMemory(browser: Browser, page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  const system = await browser.newBrowserCDPSession();
  /**
   * Collects garbage in all engine workers: snapshots in transfer leave up to 64 MB each. Helper
   * threads only wait and cannot respond.
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
    // A worker that terminates meanwhile never responds, hence the time limit.
    await Promise.race([Promise.all(collected), page.waitForTimeout(5000)]);
  };
  return async () => {
    await collectInWorkers();
    await session.send('HeapProfiler.collectGarbage');
    // The browser frees memory in later tasks, which can release more, hence the second collection.
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
        // One core, to leave the others to concurrent tests.
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
      const tabs = ['Token by token', 'Write with dice', 'The model, piece by piece', 'Attention', 'Embeddings', 'Word pieces', PAST, 'Copied or new?', 'Twins', 'Export', 'Runs', 'Share']; // prettier-ignore
      const isOver = (): boolean => Date.now() - begun >= MINUTES * 60_000;
      for (let turn = 0; !isOver() || turn < ROUNDS * tabs.length; turn++) {
        await openTab(page, tabs[turn % tabs.length]!);
        // This tab creates its own engine before it shows content.
        if (turn === tabs.indexOf(PAST)) await page.locator('[data-part=moments-most]').waitFor();
        await page.setViewportSize({ width: turn % 2 === 0 ? 1280 : 800, height: 900 });
        await page.waitForTimeout(Math.min(20_000, MINUTES * 2_000));
        // A brief soak skips readings of the first round, which are not compared, because
        // collecting garbage is slow.
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
      // Network instrumentation retains the code of every worker, so it is disabled.
      const browser = await puppeteer.launch({
        executablePath: needChromium(),
        headless: 'shell',
        args: [...chromiumArguments, '--js-flags=--expose-gc'],
        networkEnabled: false,
      });
      const page = await browser.newPage();
      page.setDefaultTimeout(0); // no limit besides the test's own
      const problems: unknown[] = [];
      page.on('pageerror', (error) => problems.push(error));
      // One thread, so that no helper is among the workers.
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
