/** Tests the display of verbatim memorised text on a real saved run. */
import { expect, it } from 'vitest';
import { openTab, train } from './driver.ts';
import { press, savedAt } from './kept-run-page.ts';
import { useSites } from './sites.ts';

const site = useSites();

it('comes back with a kept run', async () => {
  // Prefetching includes the code that saves runs.
  const driven = await site({ hash: 'channels=16&layers=1&steps=20', preload: true });
  const { page } = driven;
  await train(driven);
  await savedAt(driven, 20);
  await openTab(page, 'Copied or new?');
  const said = page.locator('[data-part=memorised-said]');
  const text =
    /^At step 20 it continues \d+% of \d+ prompts from the training text word for word\.$/;
  await said.getByText(text).waitFor();
  const before = await said.textContent();
  await page.reload();
  await press(page, 'Open it');
  await openTab(page, 'Copied or new?');
  await expect.poll(() => said.textContent()).toBe(before);
  // Waits for the texts above the button, which would move it under the press.
  await page.locator('[data-part=copied-said]').getByText(/\S/).waitFor();
  await page.locator('[data-part=baselines-said]').getByText(/\S/).waitFor();
  await page.getByRole('button', { name: 'All steps as a table' }).click();
  const rows = page.getByRole('region', { name: 'All steps as a table' }).locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(5);
});
