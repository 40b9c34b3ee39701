/**
 * Tests settings fitted to the reader's own text across reloads and with saved runs. Choice and
 * display of these settings are tested in tests/component/fit.test.ts.
 */
import { expect, it } from 'vitest';
import { openTab, train } from './driver.ts';
import type { Driven } from './driver.ts';
import { storedSaves } from './saved-runs.ts';
import { useSites } from './sites.ts';

const site = useSites();
const PROSE = 'The tide came in and the tide went out, and nobody said a word about it. '.repeat(
  40,
);
const NAMES = 'anna\nbob\ncarla\ndora\nemil\nfrieda\ngustav\nhanna\n'.repeat(30);

const line = ({ page }: Driven): Promise<string | null> =>
  page.locator('#fit').getByRole('status').textContent();
const hash = ({ page }: Driven): Promise<string> => page.evaluate(() => location.hash);

it('goes on fitting after a reload', async () => {
  const driven = await site();
  await driven.text.fill(PROSE);
  await expect.poll(() => hash(driven)).toContain('preset=tinygpt');
  await driven.page.reload();
  await driven.reach('ready');
  await expect.poll(() => hash(driven)).toContain('preset=tinygpt');
  await driven.text.fill(NAMES);
  await expect.poll(() => line(driven)).toMatch(/^Set for this text: a list of 240 lines/);
});

it('says nothing of a text but that of the opened run', async () => {
  const driven = await site({ hash: 'steps=20', preload: true });
  const { page } = driven;
  await driven.text.fill(NAMES);
  await page.locator('#fit').getByRole('button', { name: 'Keep my settings' }).click();
  await train(driven);
  await expect.poll(async () => (await storedSaves(page)).length).toBe(1);
  await page.getByRole('button', { name: 'New seed' }).click();
  await train(driven);
  await driven.text.fill(PROSE);
  await expect.poll(() => line(driven)).toMatch(/^Other settings would suit/);
  await openTab(page, 'Runs');
  await page
    .locator('#closer')
    .getByRole('button', { name: 'Open: Own text (Steps 20)', exact: true })
    .click();
  await expect.poll(() => driven.text.inputValue()).toBe(NAMES);
  await expect.poll(() => line(driven)).toBe('');
});
