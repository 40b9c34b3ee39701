/**
 * Tests the package in projects of several bundlers: the README's library snippet gives the same
 * losses as in Node, and the element trains on a bundled sample text. The page may log no warnings.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { OTHERS, OURS, makeProject } from '../builds/projects.ts';
import { launchChromium, openPage } from './harness.ts';

const folder = join(import.meta.dirname, '../../build/builds');
const bundlers = Object.entries(
  process.env['BUILDS'] === undefined ? OURS : { ...OURS, ...OTHERS },
);
/** First loss on `names` with the preset microgpt; other tests expect the same value. */
const FIRST = 3.2760283946990967;

interface Found {
  readonly losses: number[];
  readonly same: boolean;
  readonly name: string;
}

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
});

describe('the package trains as library and as element', () => {
  test.each(bundlers)('%s', { timeout: 120_000 }, async (name, bundler) => {
    const project = join(folder, name.replace(/\W+/g, '-'));
    await makeProject(project, bundler);
    const { url, close } = await bundler.serve(project);
    const { page, problems, close: leave } = await openPage(browser, {});
    try {
      await page.goto(url);
      const library = await page.waitForFunction(() => (globalThis as { library?: Found }).library);
      const { losses, same, name: written } = (await library.jsonValue()) as Found;
      expect(losses).toHaveLength(200);
      expect(losses.at(-1)).toBeLessThan(losses[0]! / 2);
      expect(same).toBe(true);
      expect(written).toMatch(/^[a-z]+$/);
      const first = await page.evaluate(async () => {
        await customElements.whenDefined('glasshouse-gpt');
        const element = document.querySelector('glasshouse-gpt') as unknown as {
          start: () => void;
          losses: () => readonly number[];
        };
        // `start` is called before the element is ready; training begins once it is.
        element.start();
        for (;;) {
          const [loss] = element.losses();
          if (loss !== undefined) return loss;
          if (performance.now() > 30_000) throw new Error('it does not train');
          await new Promise((resolve) => requestAnimationFrame(resolve));
        }
      });
      expect(first).toBe(FIRST);
      expect(problems).toEqual([]);
    } finally {
      await leave();
      await close();
    }
  });
});
