/**
 * Tests numbers of model parts that need the real engine: at full speed, and of a tensor too large
 * to record. tests/component/part-numbers covers the rest.
 */
import { expect, it } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { useSites } from './sites.ts';

const site = useSites();

const openPart = (page: Page, name: RegExp): Promise<void> =>
  page.getByRole('group', { name: 'Architecture of the model' }).getByRole('button', { name }).click(); // prettier-ignore
const partOf = (page: Page, name: string): Locator => page.locator(`[data-part=${name}]`);

it('explains the number that the map shows, at full speed too', async () => {
  const { page, start } = await site({
    hash: 'layers=1&channels=16&heads=2&context=12&steps=200000&view=model-parts',
  });
  await openPart(page, /^MLP: widen/);
  const map = page.getByRole('application', { name: /^Output, 1 × 11 × 64\./ });
  await map.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await partOf(page, 'number-origin').locator('tr').last().waitFor();
  await start.click();
  // Offscreen panels do not update.
  await map.scrollIntoViewIfNeeded();
  // The map and its sums are drawn within two turns of the event loop.
  const explained = new Set<string>();
  const look = async (): Promise<number> => {
    const [step, shown, result] = await page.evaluate(() => {
      const of = (part: string) => document.querySelector(`[data-part=${part}]`)?.textContent ?? '';
      const sum = document.querySelector('[data-part=number-origin] tr:last-child td:last-child');
      return [of('values-step'), /: (\S+)$/.exec(of('tensor-readout'))?.[1], sum?.textContent];
    });
    if (shown === result) explained.add(step);
    return explained.size;
  };
  await expect.poll(look).toBe(3);
});

it('thins out what is too large, says so, and shows every number around a chosen cell', async () => {
  const large = 'text=moby&preset=gpt2&layers=1&channels=128&heads=1&view=model-parts';
  const { page } = await site({ hash: large });
  const [readout, thinned] = ['tensor-readout', 'values-thinned'].map((one) => partOf(page, one));
  await openPart(page, /^Token embedding/);
  await page.getByRole('combobox', { name: 'Show' }).selectOption('wte.weight');
  const map = page.getByRole('application', { name: /^Parameter wte\.weight, 1,024 × 128/ });
  await map.waitFor();
  await page.getByText('the picture has one row in 2 and one column in 1.').waitFor();
  await map.focus();
  for (const key of ['ArrowDown', 'PageDown', 'PageDown', 'PageDown', 'ArrowDown']) {
    await page.keyboard.press(key);
  }
  await expect.poll(() => readout!.textContent()).toMatch(/^token number 74, channel 1:/);
  await page.keyboard.press('Enter');
  const whole = page.getByRole('button', { name: 'Back to the whole' });
  await whole.waitFor();
  await thinned!.waitFor({ state: 'hidden' });
  await page.keyboard.press('Home');
  await expect.poll(() => readout!.textContent()).toMatch(/^token number 79, /);
  await whole.click();
  await thinned!.waitFor();
});
