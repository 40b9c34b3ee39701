/**
 * A page that trains for long, with every view in use, takes no more memory than one that trains
 * for a while, loses nothing and says nothing. `make soak` lets it train for half an hour; this
 * file by itself for some seconds.
 */
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { launchChromium } from './harness.ts';
import { openSite, openTab } from './driver.ts';

const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 0.1);
/** A part of the whole after which memory must have come to rest, once every view has been seen. */
const WARM = 0.4;
/** Every tab is opened this many times, however short the whole is; the first time memory grows. */
const ROUNDS = 2;
const ROOM = 48 * 2 ** 20;
/** Runs that follow each other, each with an index of its text. */
const RUNS = MINUTES < 1 ? 8 : 50;

/**
 * Bytes that a process has for itself, module, workers and page together. Pages of files that it
 * only reads are none of them: the program's own 50 MB count as shared for as long as another
 * browser runs beside it.
 */
function privateBytes(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return 1024 * Number(/^Private_Dirty: +(\d+) kB/m.exec(text)?.[1] ?? NaN);
}

/** Answers how many bytes the page holds, once its garbage is gone. */
async function watchMemory(browser: Browser, page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  const system = await browser.newBrowserCDPSession();
  /**
   * The trainer's garbage, tens of megabytes; threads that help it only wait, and answer to
   * nobody.
   */
  const collectInWorkers = async (): Promise<void> => {
    const collected = page.workers().map((worker) =>
      worker
        .evaluate(() => {
          (globalThis as unknown as { gc: () => void }).gc();
        })
        .catch(() => undefined),
    );
    await Promise.race([Promise.all(collected), page.waitForTimeout(500)]);
  };
  return async () => {
    await collectInWorkers();
    await session.send('HeapProfiler.collectGarbage');
    // What that sets free is given back in tasks of its own, and some of it holds more.
    await page.waitForTimeout(200);
    await session.send('HeapProfiler.collectGarbage');
    const { processInfo } = (await system.send('SystemInfo.getProcessInfo')) as {
      processInfo: { type: string; id: number }[];
    };
    const renderers = processInfo.filter(({ type }) => type === 'renderer');
    return Math.max(...renderers.map(({ id }) => privateBytes(id)));
  };
}

describe.runIf(process.platform === 'linux')('a page left alone', () => {
  it(
    `keeps its memory for ${MINUTES} minutes of training`,
    { timeout: MINUTES * 60_000 + 120_000 },
    async () => {
      const browser = await launchChromium(['--js-flags=--expose-gc']);
      const driven = await openSite(browser, {
        cores: null,
        hash: 'layers=1&heads=1&channels=8&context=8&steps=100000000&validation=0.1',
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
      const tabs = ['Token by token', 'Write step by step', 'The model, piece by piece', 'Attention', 'Word pieces', 'Copied or new?', 'Twins', 'Export', 'Runs', 'Share']; // prettier-ignore
      const isOver = (): boolean => Date.now() - begun >= MINUTES * 60_000;
      for (let turn = 0; !isOver() || turn < ROUNDS * tabs.length; turn++) {
        await openTab(page, tabs[turn % tabs.length]!);
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
      const early = warm.slice(0, Math.ceil(warm.length / 3)).map(({ bytes }) => bytes);
      const late = warm.slice(-Math.ceil(warm.length / 3)).map(({ bytes }) => bytes);
      // Collectors run when they like: the least of several readings is what is held.
      expect(Math.min(...late) - Math.min(...early)).toBeLessThan(ROOM);
      await driven.close();
      await browser.close();
    },
  );

  it(
    `leaves after ${RUNS} runs, each with its index, what it holds after the first ones`,
    { timeout: 600_000 },
    async () => {
      const browser = await launchChromium(['--js-flags=--expose-gc']);
      const driven = await openSite(browser, { hash: 'steps=20&validation=0.1&view=copied' });
      const { page } = driven;
      const memory = await watchMemory(browser, page);
      const begun: number[] = [];
      for (let run = 1; run <= RUNS; run++) {
        const next = run === 1 ? driven.start : page.getByRole('button', { name: 'New seed' });
        await next.click();
        if (run > 1) await driven.start.click();
        await driven.reach('finished');
        await page
          .locator('.tab-copied')
          .getByText(/ at step 20, \d (?:is|are) in your text/)
          .waitFor();
        await expect.poll(() => page.workers().length).toBe(2);
        if (run <= 3) begun.push(await memory());
      }
      expect((await memory()) - Math.min(...begun)).toBeLessThan(ROOM);
      expect(driven.problems).toEqual([]);
      await driven.close();
      await browser.close();
    },
  );
});
