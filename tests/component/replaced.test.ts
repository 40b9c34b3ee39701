/**
 * Work in progress and its replacement: another language interrupts nothing, another run cancels
 * work of the previous run. Runs themselves: runs-faults.test.ts; repeated pairs:
 * twins-text.test.ts; the index of a text: copied.test.ts.
 */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useComponents } from './mount.ts';
import type { Component } from './mount.ts';

const mount = useComponents();

interface Work {
  readonly begin: (driven: Component) => Promise<unknown>;
  /** The amount of visible work; 0 after it has ended. */
  readonly amount: (page: Page) => Promise<number>;
}

const bringDice = (page: Page): Promise<unknown> =>
  page.locator('[id$=-write-body]').evaluate((one) => one.scrollIntoView());

const WORK: Readonly<Record<string, Work>> = {
  'a film that is made': {
    begin: async ({ page, lookBack }) => {
      // The film's recording pauses while the tab is hidden.
      await page.evaluate(() => {
        Object.defineProperty(document, 'hidden', { configurable: true, value: true });
      });
      await lookBack.fill('5');
      await page.getByRole('button', { name: 'Save as film' }).click();
    },
    amount: (page) => page.getByRole('button', { name: /^(Cancel the film|停止制作)/ }).count(),
  },
  'a text that is written': {
    begin: async ({ page, hold }) => {
      await hold('sample');
      await page.locator('#ask').getByRole('button', { name: 'Write', exact: true }).click();
    },
    amount: (page) =>
      page
        .locator('#ask')
        .getByRole('button', { name: /^(Stop|停)$/ })
        .count(),
  },
  'a text that is drawn': {
    begin: async ({ page }) => {
      await bringDice(page);
      await page.getByRole('button', { name: 'Next token', exact: true }).click();
    },
    amount: async (page) => {
      // A panel outside the window updates once it is visible again.
      await bringDice(page);
      return page.locator('.written-tokens .piece:not(.given)').count();
    },
  },
};

const PLACES: Readonly<Record<string, (driven: Component) => Promise<unknown>>> = {
  'another language': ({ page }) => page.locator('#lang').selectOption('zh'),
  Rewind: ({ page }) => page.getByRole('button', { name: 'Rewind', exact: true }).click(),
  'New seed': ({ page }) => page.getByRole('button', { name: 'New seed', exact: true }).click(),
};

const CASES = Object.keys(WORK).flatMap((work) => Object.keys(PLACES).map((by) => [work, by]));

it.each(CASES)('%s: %s takes its place', async (work, by) => {
  const view = work.includes('written') ? 'ask' : 'write';
  const driven = await mount('page', 'held', { step: 60, hash: `view=${view}` });
  const { page } = driven;
  const { begin, amount } = WORK[work]!;
  const there = (): Promise<number> => amount(page);
  await begin(driven);
  await expect.poll(there).toBe(1);
  await PLACES[by]!(driven);
  const isKept = by === 'another language';
  if (isKept) await page.getByRole('button', { name: '倒回' }).first().waitFor();
  else await driven.release('sample');
  await expect.poll(there).toBe(isKept ? 1 : 0);
  await page.evaluate(() => Reflect.deleteProperty(document, 'hidden'));
});
