/** The page holds a screen wake lock while a run trains, and reports a run that was slowed down. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useComponents } from './mount.ts';

const mount = useComponents();

interface Locks {
  /** Locks held, and the number of requests. */
  held: number;
  asked: number;
}

const locks = (page: Page): Promise<Locks> =>
  page.evaluate(() => (globalThis as unknown as { locks: Locks }).locks);

/** Replaces the browser's wake locks: granted, refused as on a low battery, or missing. */
const screenLocks = (how: 'granted' | 'refused' | 'missing') => (page: Page) =>
  page.evaluate((answer) => {
    const noted: Locks = { held: 0, asked: 0 };
    const request = (): Promise<unknown> => {
      noted.asked += 1;
      if (answer === 'refused')
        return Promise.reject(new DOMException('low battery', 'NotAllowedError'));
      noted.held += 1;
      const release = (): Promise<void> => {
        noted.held -= 1;
        return Promise.resolve();
      };
      return Promise.resolve({ release });
    };
    Object.assign(globalThis, { locks: noted });
    const value = answer === 'missing' ? undefined : { request };
    Object.defineProperty(navigator, 'wakeLock', { value, configurable: true });
  }, how);

/** Sets the page's visibility state. */
const show = (page: Page, state: 'hidden' | 'visible'): Promise<void> =>
  page.evaluate((to) => {
    Object.defineProperty(document, 'visibilityState', { value: to, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);

it('keeps the screen awake while a run trains in sight, and only then', async () => {
  const { page, start, pause, advance } = await mount([], 'names', {
    stepwise: true,
    before: screenLocks('granted'),
  });
  const held = (count: number) => expect.poll(async () => (await locks(page)).held).toBe(count);
  expect(await locks(page)).toEqual({ held: 0, asked: 0 });
  await start.click();
  await advance(1);
  await held(1);
  await show(page, 'hidden');
  await held(0);
  await show(page, 'visible');
  await held(1);
  await pause.click();
  await held(0);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await held(1);
  expect((await locks(page)).asked).toBe(3);
});

it.each([
  ['refused', 1],
  ['missing', 0],
] as const)('trains on where a screen lock is %s', async (how, asked) => {
  const driven = await mount([], 'names', { stepwise: true, before: screenLocks(how) });
  await driven.start.click();
  await driven.advance(10);
  await expect.poll(() => locks(driven.page)).toEqual({ held: 0, asked });
  await driven.advance(30);
  await expect.poll(driven.step).toBe(30);
});

it('says that the browser slowed a run down while nobody saw the page', async () => {
  const { page, start, advance } = await mount([], 'names', {
    stepwise: true,
    before: screenLocks('granted'),
  });
  await start.click();
  await advance(10);
  await expect.poll(async () => (await locks(page)).held).toBe(1);
  const line = page.locator('#notice').getByText('the browser slowed training down');
  await show(page, 'hidden');
  await show(page, 'visible');
  expect(await line.count()).toBe(0);
  await show(page, 'hidden');
  await page.evaluate(() => {
    // Advances the page's clock by two minutes without a training step.
    const now = Date.now.bind(Date);
    Date.now = () => now() + 120_000;
  });
  await show(page, 'visible');
  await line.waitFor();
  // A recorded run reports 100 steps a second.
  expect(await line.textContent()).toMatch(/ of about 12,\d{3} steps in 2:0\d/);
  await page.locator('#notice').getByRole('button', { name: 'OK' }).click();
  await line.waitFor({ state: 'detached' });
});
