/**
 * Tests the tab that compares samples with the training text: its search worker, and models whose
 * training text is unknown.
 */
import { expect, it } from 'vitest';
import { openTab, train } from './driver.ts';
import { choose, useFolder } from './model-files.ts';
import { useSites } from './sites.ts';

const site = useSites();
const { save } = useFolder();

it('looks texts up in a second worker, one at a time, and says where the text is not known', async () => {
  const driven = await site({ hash: 'steps=20&layers=1&view=copied' });
  const { page } = driven;
  await train(driven);
  const tab = page.locator('.tab-copied');
  await tab.getByText(/^Of the 6 texts written at step 20, \d (is a whole line|are whole lines) of your text\./).waitFor(); // prettier-ignore
  await expect.poll(() => page.workers().length).toBe(2);
  await page.getByRole('textbox', { name: 'Steps', exact: true }).fill('10');
  await page.getByRole('button', { name: 'Restart with these changes' }).click();
  await tab.getByText(/written at step 10, /).waitFor();
  await expect.poll(() => page.workers().length).toBe(2);
  // Weights files contain no training text.
  await choose(driven, await save(driven, 'Weights', 'names.safetensors'));
  await page.getByRole('radio', { name: 'Only write' }).click();
  await openTab(page, 'Copied or new?');
  await page.locator('[data-part=copied-status]').getByText(/not known here/).waitFor(); // prettier-ignore
});
