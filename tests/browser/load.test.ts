/**
 * Tests the cost of a first visit: its bytes against a budget, and, with `make bench-load`, its
 * times.
 */
import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dist, launchChromium } from './harness.ts';
import { serveCompressed, visit } from './load-meter.ts';
import type { CompressedSite, Visit } from './load-meter.ts';

/** Bytes transferred until Start is usable, including the engine and the first text. */
const BUDGET = 250_000;

let browser: Browser;
let site: CompressedSite;

beforeAll(async () => {
  browser = await launchChromium();
  site = await serveCompressed(dist);
});

afterAll(async () => {
  await browser.close();
  await site.close();
});

describe('the first visit', () => {
  it('is ready to train within 250 kB, compressed, the engine included', async () => {
    const { sent } = await visit(browser, site, { slowdown: 1, megabits: 0, latency: 0 });
    const paths = sent.map(({ path }) => path);
    expect(paths.some((path) => path.endsWith('.wasm'))).toBe(true);
    expect(paths.some((path) => path.endsWith('first-names-en.txt'))).toBe(true);
    expect(new Set(paths).size).toBe(paths.length);
    // Required files: those named in index.html, the engine, the language and the text. Prefetches
    // that begin once Start is usable may be requested before Start is painted.
    const named = readFileSync(join(dist, 'index.html'), 'utf8');
    const needed = /\.(wasm|txt)$|\/$|\/worker-[\w-]+\.js$/;
    const language = paths.find((path) => /\/en-(?!later-)[\w-]+\.js$/.test(path));
    expect(language).toBeDefined();
    const isNeeded = (path: string): boolean =>
      needed.test(path) || path === language || named.includes(path.slice(1));
    const first = sent.filter(({ path }) => isNeeded(path));
    const total = first.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(total, JSON.stringify(sent)).toBeLessThan(BUDGET);
  });
});

describe.runIf(process.env['BENCH_LOAD'] === '1')('the times of a first visit', () => {
  it('are printed', { timeout: 300_000 }, async () => {
    const conditions = [
      { slowdown: 4, megabits: 10, latency: 0 },
      { slowdown: 4, megabits: 10, latency: 40 },
      { slowdown: 1, megabits: 0, latency: 0 },
    ];
    const lines = [
      `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}`,
      'CPU slowed | Mbit/s | latency | first paint | ready | longest task   (medians of 5, ms)',
    ];
    for (const condition of conditions) {
      const visits: Visit[] = [];
      for (let round = 0; round < 5; round++) {
        visits.push(await visit(browser, site, condition));
      }
      const median = (of: (one: Visit) => number): string =>
        visits
          .map(of)
          .sort((a, b) => a - b)[2]!
          .toFixed(0);
      const { slowdown, megabits, latency } = condition;
      lines.push(
        [
          `${slowdown}x`,
          megabits === 0 ? 'any' : megabits,
          `${latency} ms`,
          median((one) => one.firstPaint),
          median((one) => one.ready),
          median((one) => one.longestTask),
        ].join(' | '),
      );
    }
    const { sent } = await visit(browser, site, conditions[2]!);
    lines.push('', 'Sent before Start can be pressed (gzip):');
    for (const { path, bytes } of sent) lines.push(`${bytes.toString().padStart(8)}  ${path}`);
    const total = sent.reduce((sum, { bytes }) => sum + bytes, 0);
    lines.push(`${total.toString().padStart(8)}  in all, of ${BUDGET}`);
    console.log(lines.join('\n'));
  });
});
