/**
 * Tests the loss chart on the page: settings that survive a reload, and checkpoints of a run whose
 * loss is drawn.
 */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { eventually, saved, train } from './driver.ts';
import type { Driven } from './driver.ts';
import { storedSaves } from './saved-runs.ts';
import { useSites } from './sites.ts';

const site = useSites();
const TINY = 'layers=1&channels=16&heads=1';

/** Waits until a finished run with this number of steps is stored. */
async function kept({ page, reach }: Driven, steps: number): Promise<void> {
  await reach('finished');
  await eventually(
    () => storedSaves(page),
    (all) => all.some(({ step, newest }) => newest && step === steps),
  );
}

it('shows the same curves, with the same choices, after a reload and beside the run that is opened again', async () => {
  const driven = await site({ hash: `steps=30&${TINY}`, preload: true });
  const { page } = driven;
  const loss = page.locator('#loss');
  const earlier = page.getByRole('list', { name: 'Earlier runs' });
  const first = earlier.getByRole('checkbox', { name: /^Run 1/ });
  const second = earlier.getByRole('checkbox', { name: /^Run 2/ });
  const bits = loss.getByRole('radio', { name: 'bits per character' });
  const logLoss = loss.getByRole('checkbox', { name: 'Loss logarithmic' });
  const smoothing = loss.getByRole('slider', { name: 'Smoothing' });
  const trainAt = async (hash: string, steps: number): Promise<void> => {
    await page.evaluate((to) => {
      location.hash = to;
    }, hash);
    await expect.poll(() => driven.text.inputValue()).toMatch(/\p{Script=Han}/u);
    await page.getByRole('button', { name: 'Restart with these changes' }).click();
    await expect.poll(driven.step).toBe(steps);
    await kept(driven, steps);
  };
  await train(driven);
  await kept(driven, 30);
  const poems = `text=tang&preset=microgpt&${TINY}`;
  await trainAt(`${poems}&steps=20`, 20);
  await trainAt(`${poems}&steps=25&seed=2`, 25);
  // Another text starts with the run on names unticked; the test ticks it and unticks the other.
  await expect.poll(() => first.isChecked()).toBe(false);
  await first.check();
  await second.uncheck();
  await bits.check();
  await logLoss.check();
  await smoothing.fill('4');
  const shown = async (): Promise<unknown[]> => [
    await first.isChecked(),
    await second.isChecked(),
    await bits.isChecked(),
    await logLoss.isChecked(),
    await loss.getByRole('checkbox', { name: 'Steps logarithmic' }).isChecked(),
    await smoothing.inputValue(),
  ];
  const chosen = [true, false, true, true, false, '4'];
  await expect.poll(shown).toEqual(chosen);
  const ended = await earlier.getByRole('listitem').allTextContents();
  await page.reload();
  await driven.reach('ready');
  await first.waitFor();
  await expect.poll(shown).toEqual(chosen);
  await page.getByRole('button', { name: 'Open it' }).click();
  await expect.poll(driven.step).toBe(25);
  await expect.poll(shown).toEqual(chosen);
  expect(await earlier.getByRole('listitem').allTextContents()).toEqual(ended);
  // Removed runs also disappear from session storage.
  for (let left = 2; left > 0; left--) {
    await earlier.getByRole('button', { name: /^Remove Run/ }).first().click(); // prettier-ignore
  }
  await expect
    .poll(() => page.evaluate(() => sessionStorage.getItem('glasshouse.earlier')))
    .toBe(null);
});

it('draws no second curve beside a checkpoint of the run that is drawn, and keeps no copy of it', async () => {
  const driven = await site({ hash: `steps=20&${TINY}`, preload: true });
  const { page } = driven;
  const earlier = page.getByRole('list', { name: 'Earlier runs' }).getByRole('listitem');
  await train(driven);
  await kept(driven, 20);
  const saves = await storedSaves(page);
  const { path } = await saved(driven, page.getByRole('button', { name: 'Checkpoint' }));
  const file = { name: 'run.safetensors', mimeType: '', buffer: await readFile(path) };
  await page.locator('#model input[type=file]:not([webkitdirectory])').setInputFiles(file);
  await page.locator('[data-part=model-facts]').waitFor();
  await expect.poll(driven.step).toBe(20);
  await expect.poll(() => earlier.count()).toBe(0);
  const known = page.locator('#notice', { hasText: 'is already saved under “Runs”' });
  await known.waitFor();
  await expect.poll(() => storedSaves(page)).toEqual(saves);
  await known.getByRole('button', { name: 'Open the saved run' }).click();
  await known.waitFor({ state: 'hidden' });
  await expect.poll(driven.step).toBe(20);
});
