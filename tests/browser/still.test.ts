/**
 * Tests that page content does not shift while the page loads, nor in a whole visit. Stability
 * during a run is tested in tests/component/still.test.ts.
 */
import { expect, test } from 'vitest';
import { atRest, eachTab } from './driver.ts';
import { siteUrl } from './harness.ts';
import { STILL, sumOf, watchShiftsFromStart } from './layout-shifts.ts';
import { usePages } from './sites.ts';

const open = usePages();

test.each([
  [1440, 900, 'lang=zh'],
  [1280, 720, 'view=runs'],
  [820, 1180, ''],
  [390, 844, 'lang=zh'],
  [360, 640, ''],
])('shifts nothing as it loads on a slow machine: %i × %i, %s', async (width, height, hash) => {
  const { page } = await open.page({ viewport: { width, height } });
  const shifts = await watchShiftsFromStart(page);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.goto(siteUrl(`#text=names&${hash}`));
  await page.locator('#run[data-state=ready]').waitFor();
  await atRest(page);
  const seen = await shifts();
  expect(sumOf(seen), JSON.stringify(seen)).toBeLessThan(STILL);
});

test.each([
  [1366, 768],
  [390, 844],
])('shifts nothing in a whole visit, in every tab too: %i × %i', async (width, height) => {
  const { page } = await open.page({ viewport: { width, height } });
  const shifts = await watchShiftsFromStart(page);
  await page.goto(siteUrl('#text=names&steps=120'));
  await page.locator('#run[data-state=ready]').waitFor();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.locator('#run[data-state=finished]').waitFor();
  await atRest(page);
  const lookBack = page.getByRole('slider', { name: 'Look back' });
  await lookBack.fill('60');
  await atRest(page);
  await lookBack.press('End');
  await atRest(page);
  await eachTab(page, () => atRest(page));
  const seen = await shifts();
  expect(sumOf(seen), JSON.stringify(seen)).toBeLessThan(STILL);
});
