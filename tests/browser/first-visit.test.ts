/**
 * Tests a first visit in real time. Interactions are tested in tests/component/first-visit.test.ts.
 */
import { expect, it } from 'vitest';
import { useSites } from './sites.ts';

const site = useSites();

it('trains on a pasted text slowly enough to be watched, with its words in sight', async () => {
  const viewport = { width: 390, height: 844 };
  const driven = await site({ options: { viewport, hasTouch: true }, unfold: false });
  const { page } = driven;
  const meals = ['pan', 'tor', 'lin', 'mesa'].flatMap((first) =>
    ['cake', 'soup', 'roll', 'pie'].map((last) => `${first}${last}\n`),
  );
  await driven.text.fill(meals.join('').repeat(5));
  await driven.reach('ready');
  await driven.start.click();
  const pressed = performance.now();
  const newest = page.locator('#samples li:first-child .written').first();
  const inSight = (): Promise<boolean> =>
    newest.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
  await newest.waitFor();
  await expect.poll(inSight).toBe(true);
  await driven.reach('finished', 60_000);
  expect(performance.now() - pressed).toBeGreaterThan(15_000);
}, 90_000);
