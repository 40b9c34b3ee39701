/** Tests returning to two steps of a real run; tests/component/moments covers the rest. */
import { expect, it } from 'vitest';
import { train } from './driver.ts';
import { useSites } from './sites.ts';

const site = useSites();

it('writes the texts of earlier steps, and goes back to one', async () => {
  const driven = await site({
    hash: 'steps=30&layers=1&channels=16&lr=0.03&view=moments',
    options: { viewport: { width: 1280, height: 1600 } },
  });
  const { page } = driven;
  await train(driven);
  const tab = page.locator('.tab-moments');
  await tab.scrollIntoViewIfNeeded();
  const rows = tab.locator('.moments-texts li');
  const written = rows.locator('.written');
  await expect.poll(() => written.count()).toBe(5);
  await expect.poll(() => written.allTextContents()).not.toContain('…');
  const texts = await written.allTextContents();
  expect(new Set(texts).size).toBeGreaterThan(2);
  await rows.nth(3).getByRole('button', { name: 'step 10' }).click();
  await expect.poll(() => driven.lookBack.inputValue()).toBe('10');
  // Seed 1, as the rows. The first answer to an empty prompt has another.
  const write = page.locator('#ask').getByRole('button', { name: 'Write', exact: true });
  await write.click();
  await page.getByRole('button', { name: 'Length, seed and more' }).click();
  await page.locator('#ask').getByRole('textbox', { name: 'Seed', exact: true }).fill('1');
  await write.click();
  await expect.poll(() => page.locator('[data-part=answer]').textContent()).toBe(texts[3]);
});
