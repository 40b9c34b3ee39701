/** Runs as files, from one browser to another, go on to the same bits. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { firstLoss } from './driver.ts';
import type { Driven } from './driver.ts';
import { fullSpeed, press, rows, savedAt, trainTo } from './kept-run-page.ts';
import { storedSaves, UnbrokenRun } from './saved-runs.ts';
import { useSites } from './sites.ts';

const VERSION_1 = join(import.meta.dirname, '../fixtures/run-file/version-1.glasshouse');
const OWN = 'anna\nhanna\nnina\nannika\nhanne\n'.repeat(30);
const SETTINGS = 'preset=microgpt&channels=16&layers=1&steps=300&pace=100';
const RECIPE = { preset: 'microgpt', changes: { channels: 16, layers: 1, steps: 300 } };

const site = useSites();

const rowOf = (page: Page, name: string) =>
  page.locator('.runs-table tbody tr').filter({ hasText: name });

const open = ({ page }: Driven, path: string): Promise<void> =>
  page.getByLabel('Open a run file…').setInputFiles({
    ...{ name: 'a.glasshouse', mimeType: 'application/octet-stream' },
    buffer: readFileSync(path),
  });

/** Trains on to the end, and gives the digest of what is saved then. */
async function digestAtEnd(driven: Driven, steps: number): Promise<string> {
  const { page } = driven;
  await fullSpeed(driven);
  await press(page, 'Continue');
  await driven.reach('finished');
  await savedAt(driven, steps);
  return (await storedSaves(page)).find((save) => save.newest && save.step === steps)!.digest;
}

describe('a downloaded run', () => {
  it('opens in another browser with its text, name, curve and samples, and trains on to the same bits', async () => {
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
      samples: await first.page.locator('.samples').innerText(),
    };
    await press(first.page, 'Download: Mine');
    await first.page.getByRole('checkbox', { name: /^with its text/ }).check();
    const coming = first.page.waitForEvent('download');
    await press(first.page, 'Download the run');
    const file = await (await coming).path();

    const second = await site({ hash: 'text=tang&view=runs' });
    await open(second, file);
    await second.reach('paused');
    await expect.poll(() => second.step()).toBe(at);
    expect(await second.text.inputValue()).toBe(OWN);
    await rowOf(second.page, 'Mine').getByText('this tab').waitFor();
    expect(await firstLoss(second)).toBe(before.loss);
    expect(await second.page.locator('.samples').innerText()).toBe(before.samples);
    const unbroken = await UnbrokenRun.begin(OWN, RECIPE);
    expect(await digestAtEnd(second, 300)).toBe(await unbroken.digestAt(300, 'own'));
    unbroken.close();
    // It is the same run, under one name.
    expect(await rows(second)).toHaveLength(1);
    expect(second.problems).toEqual([]);
  });
});

describe('a run file', () => {
  it('of version 1 opens, and goes on to the bits of a run that never stopped', async () => {
    const driven = await site({ hash: 'view=runs' });
    await open(driven, VERSION_1);
    await driven.reach('paused');
    await expect.poll(() => driven.step()).toBe(37);
    await rowOf(driven.page, 'Version 1').getByText('this tab').waitFor();
    const text = 'anna\nhanna\nnina\nannika\nhanne\nina\nlina\nleni\n'.repeat(6);
    const recipe = { channels: 8, layers: 1, heads: 2, steps: 60 };
    const unbroken = await UnbrokenRun.begin(text, { preset: 'microgpt', changes: recipe });
    expect(await digestAtEnd(driven, 60)).toBe(await unbroken.digestAt(60, 'own'));
    unbroken.close();
  });
});
