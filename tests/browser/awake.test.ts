/** While a run trains: the screen stays awake, and a run that was slowed down is said to be. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { eventually } from './driver.ts';
import { useSites } from './sites.ts';

const site = useSites();
const SMALL = 'channels=16&layers=1&steps=100000';

/** What the stub noted: the locks that are held, and how often one was asked for. */
const locks = (page: Page): Promise<{ held: number; asked: number }> =>
  page.evaluate(() => (globalThis as unknown as { locks: { held: number; asked: number } }).locks);

/** A stand-in for the browser's locks of the screen; `refuses` as on a low battery. */
const stub = (page: Page, refuses = false): Promise<unknown> =>
  page.addInitScript((isRefused: boolean) => {
    const noted = { held: 0, asked: 0 };
    const request = (): Promise<unknown> => {
      noted.asked += 1;
      if (isRefused) return Promise.reject(new DOMException('low battery', 'NotAllowedError'));
      noted.held += 1;
      const release = (): Promise<void> => {
        noted.held -= 1;
        return Promise.resolve();
      };
      return Promise.resolve({ release });
    };
    Object.assign(globalThis, { locks: noted });
    Object.defineProperty(navigator, 'wakeLock', { value: { request } });
  }, refuses);

/** The page is hidden, or seen again, as far as it can tell. */
const show = (page: Page, state: 'hidden' | 'visible'): Promise<void> =>
  page.evaluate((to) => {
    Object.defineProperty(document, 'visibilityState', { value: to, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);

it('keeps the screen awake while a run trains in sight, and only then', async () => {
  const driven = await site({ hash: SMALL, before: stub });
  const { page } = driven;
  const held = (count: number) => expect.poll(async () => (await locks(page)).held).toBe(count);
  expect(await locks(page)).toEqual({ held: 0, asked: 0 });
  await driven.start.click();
  await held(1);
  await show(page, 'hidden');
  await held(0);
  await show(page, 'visible');
  await held(1);
  await driven.pause.click();
  await held(0);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await held(1);
  expect((await locks(page)).asked).toBe(3);
  expect(driven.problems).toEqual([]);
});

it.each(['refused', 'missing'])('trains on where such a lock is %s', async (how) => {
  const before = (page: Page): Promise<unknown> =>
    how === 'refused'
      ? stub(page, true)
      : page.addInitScript(() =>
          Object.defineProperty(navigator, 'wakeLock', { value: undefined }),
        );
  const driven = await site({ hash: `${SMALL}&pace=30`, before });
  await driven.start.click();
  await eventually(driven.step, (step) => step > 20);
  if (how === 'refused') {
    await expect.poll(() => locks(driven.page)).toEqual({ held: 0, asked: 1 });
  }
  expect(driven.problems).toEqual([]);
});

it('says that the browser slowed a run down while nobody saw the page', async () => {
  const driven = await site({ hash: `${SMALL}&pace=30` });
  const { page } = driven;
  await driven.start.click();
  await eventually(driven.step, (step) => step > 60);
  const line = page.locator('#notice').getByText('the browser slowed the run down');
  await show(page, 'hidden');
  await show(page, 'visible');
  expect(await line.count()).toBe(0);
  await show(page, 'hidden');
  await page.evaluate(() => {
    // Two minutes pass for the page, of which the run has none.
    const now = Date.now.bind(Date);
    Date.now = () => now() + 120_000;
  });
  await show(page, 'visible');
  await line.waitFor();
  expect(await line.textContent()).toMatch(/ of about 3,\d{3} steps in 2:0\d/);
  await page.locator('#notice').getByRole('button', { name: 'OK' }).click();
  await line.waitFor({ state: 'detached' });
});
