/**
 * Tests the main use of the page with the real engine: from a pasted text to a trained model.
 * tests/component covers the rest.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { canvasContent, eventually, firstLoss, meanLoss } from './driver.ts';
import { siteUrl } from './harness.ts';
import { storedSaves } from './saved-runs.ts';
import { useSites } from './sites.ts';

const names = readFileSync(
  join(import.meta.dirname, '../../public/texts/first-names-en.txt'),
  'utf8',
);

const site = useSites();

it('learns pasted text, without a request to another site: loss falls, attention changes, samples appear', async () => {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const driven = await site({ options: { permissions } });
  const { page, text, start, pause, rewind, oneStep, problems, requests } = driven;
  await page.evaluate((all) => navigator.clipboard.writeText(all), names);
  await text.focus();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('ControlOrMeta+V');
  await eventually(
    () => page.getByRole('radio', { name: 'Your own' }).isChecked(),
    (checked) => checked,
  );

  const map = page.locator('.attention-canvas');
  await map.waitFor();
  const untrained = await eventually(
    () => canvasContent(map),
    ({ colours }) => colours > 3,
  );

  await start.click();
  await eventually(driven.step, (step) => step >= 320);
  await pause.click();
  await driven.reach('paused');
  const stoppedAt = await driven.step();

  // Guessing has loss ln 27 = 3.30. Losses of single names vary, so the test uses means of 100.
  await expect.poll(() => meanLoss(driven, '201–300')).toBeLessThan(2.7);
  await expect.poll(() => meanLoss(driven, '201–300')).toBeGreaterThan(1.5);
  const first = await firstLoss(driven);
  expect(Math.abs(Number(first) - Math.log(27))).toBeLessThan(0.3);

  const trained = await eventually(
    () => canvasContent(map),
    ({ print }) => print !== untrained.print,
  );
  expect(trained.colours).toBeGreaterThan(3);

  const samples = page.locator('.samples');
  await expect.poll(() => samples.getByText('step 0', { exact: true }).count()).toBe(1);
  await expect.poll(() => samples.locator('li').count()).toBeGreaterThan(2);
  // A left border separates texts that share a line.
  const line = samples.locator('.written').nth(1);
  await expect
    .poll(() => line.evaluate((text) => getComputedStyle(text).borderLeftStyle))
    .toBe('solid');

  // Pause stops training, and the step button trains exactly one step.
  await expect.poll(() => driven.step()).toBe(stoppedAt);
  await oneStep.click();
  await eventually(driven.step, (step) => step === stoppedAt + 1);
  // Each step is announced, replacing the earlier announcement.
  const spoken = driven.run.locator('[data-part=spoken]');
  for (const more of [1, 2]) {
    const at = (stoppedAt + more).toLocaleString('en');
    await spoken.filter({ hasText: new RegExp(`^Paused at step ${at}\\.?$`) }).waitFor({ state: 'attached' }); // prettier-ignore
    if (more === 1) await oneStep.click();
  }

  await page.getByRole('button', { name: 'Write' }).click();
  await page.getByText(`Written at step ${(stoppedAt + 2).toLocaleString('en')}`).waitFor();

  await rewind.click();
  await eventually(driven.step, (step) => step === 0);
  await oneStep.click();
  await eventually(driven.step, (step) => step === 1);
  await expect.poll(() => firstLoss(driven)).toBe(first);
  expect(problems).toEqual([]);
  const home = new URL(siteUrl()).origin;
  expect(requests.filter((url) => new URL(url).origin !== home)).toEqual([]);
});

it('takes impatient presses of the controls without harm', async () => {
  const driven = await site({ hash: 'pace=100' });
  const { page, start, problems } = driven;
  await start.dblclick();
  const main = page.locator('#run .primary');
  for (let press = 0; press < 6; press++) await main.click();
  // Commands run in order, so no earlier press may take effect after the rewind.
  await driven.rewind.click();
  await eventually(driven.step, (step) => step === 0);
  await driven.oneStep.click();
  await eventually(driven.step, (step) => step > 0);
  await driven.reach('paused');
  await expect.poll(() => driven.step()).toBe(1);
  expect(problems).toEqual([]);
});

// All other page tests set the data saver, except those with option `preload`.
it('fetches nothing ahead for a reader who saves data, and keeps runs all the same', async () => {
  const { page, oneStep, requests } = await site();
  await oneStep.click();
  await eventually(
    () => storedSaves(page),
    (saves) => saves.length === 1,
  );
  const ahead =
    /assets\/(looking-back|fork|file-store|sort-files|write|share|story|zh|model-parts)-/;
  expect(requests.filter((url) => ahead.test(url))).toEqual([]);
});
