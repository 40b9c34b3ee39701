/** Tests that a run saved as a file resumes in another browser with identical bits. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { firstLoss, writtenTexts } from './driver.ts';
import { fullSpeed, press, rows, savedAt, trainTo } from './kept-run-page.ts';
import { storedSaves, UnbrokenRun } from './saved-runs.ts';
import { useSites } from './sites.ts';

const OWN = 'anna\nhanna\nnina\nannika\nhanne\n'.repeat(30);
const SETTINGS = 'preset=microgpt&channels=16&layers=1&steps=300&pace=100';
const RECIPE = { preset: 'microgpt', changes: { channels: 16, layers: 1, steps: 300 } };

const site = useSites();

it('opens a downloaded run in another browser with its text, name, curve and samples, and trains on to the same bits', async () => {
  const first = await site({ hash: 'view=runs' });
  await first.text.fill(OWN);
  await first.page.waitForURL(/text=own/);
  await first.page.evaluate((settings) => {
    location.hash = `text=own&${settings}&view=runs`;
  }, SETTINGS);
  const channels = first.page.getByRole('textbox', { name: 'Channels', exact: true });
  await expect.poll(() => channels.inputValue()).toBe('16');
  await first.reach('ready');
  const at = await trainTo(first, 110);
  await first.page.getByRole('button', { name: /^Rename/ }).click();
  await first.page.getByRole('textbox', { name: 'Name of the run' }).fill('Mine');
  await first.page.keyboard.press('Enter');
  await first.page.getByRole('rowheader', { name: 'Mine' }).waitFor();
  const before = {
    loss: await firstLoss(first),
    samples: await writtenTexts(first.page),
  };
  await press(first.page, 'Download: Mine');
  await first.page.getByRole('checkbox', { name: /^with its text/ }).check();
  const coming = first.page.waitForEvent('download');
  await press(first.page, 'Download the run');
  const file = await (await coming).path();

  const second = await site({ hash: 'text=tang&view=runs' });
  await second.page.getByLabel('Open a run file…').setInputFiles({
    ...{ name: 'a.glasshouse', mimeType: 'application/octet-stream' },
    buffer: readFileSync(file),
  });
  await second.reach('paused');
  await expect.poll(() => second.step()).toBe(at);
  expect(await second.text.inputValue()).toBe(OWN);
  await second.page.getByRole('row').filter({ hasText: 'Mine' }).getByText('this tab').waitFor();
  expect(await firstLoss(second)).toBe(before.loss);
  expect(await writtenTexts(second.page)).toBe(before.samples);
  await fullSpeed(second);
  await press(second.page, 'Continue');
  await second.reach('finished');
  await savedAt(second, 300);
  const [end] = (await storedSaves(second.page)).filter((save) => save.newest);
  const unbroken = await UnbrokenRun.begin(OWN, RECIPE);
  expect(end?.digest).toBe(await unbroken.digestAt(300, 'own'));
  unbroken.close();
  // The list shows the original run and its continuation as one run.
  expect(await rows(second)).toHaveLength(1);
  expect(second.problems).toEqual([]);
});
