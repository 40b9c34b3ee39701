/** Runs as files: from one browser to another, with and without the text; and other files. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { readRunFile, writeRunFile } from '../../web/store/runs/run-file.ts';
import { eventually, firstLoss } from './driver.ts';
import type { Driven } from './driver.ts';
import { storedSaves, UnbrokenRun } from './saved-runs.ts';
import { useSites } from './sites.ts';

const VERSION_1 = join(import.meta.dirname, '../fixtures/run-file/version-1.glasshouse');
const OWN = 'anna\nhanna\nnina\nannika\nhanne\n'.repeat(30);
const SETTINGS = 'preset=microgpt&channels=16&layers=1&steps=300&pace=100';
const RECIPE = { preset: 'microgpt', changes: { channels: 16, layers: 1, steps: 300 } };

const site = useSites();

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const rowOf = (page: Page, name: string) =>
  page.locator('.runs-table tbody tr').filter({ hasText: name });
const told = ({ page }: Driven) => page.locator('[data-part=run-file]');

/** A run of the reader's own text, paused some steps on, with a name. */
async function ownRun(until: number): Promise<{ driven: Driven; at: number }> {
  const driven = await site({ hash: 'view=runs' });
  const { page } = driven;
  await driven.text.fill(OWN);
  await page.waitForURL(/text=own/);
  await page.goto(`${page.url().split('#')[0]!}#text=own&${SETTINGS}&view=runs`);
  await driven.reach('ready');
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Channels', exact: true }).inputValue())
    .toBe('16');
  await driven.start.click();
  await eventually(driven.step, (step) => step >= until);
  await driven.pause.click();
  await driven.reach('paused');
  const at = await driven.step();
  await eventually(
    () => storedSaves(page),
    (saves) => saves.some((save) => save.newest && save.step === at),
  );
  const row = page.locator('.runs-table tbody tr');
  await row.getByRole('button', { name: /^Rename/ }).click();
  await row.getByRole('textbox').fill('Mine');
  await row.getByRole('textbox').press('Enter');
  await row.getByRole('rowheader', { name: 'Mine' }).waitFor();
  return { driven, at };
}

/** Downloads the run of this name; `tick` changes whether its text goes along. */
async function download({ page }: Driven, name: string, tick: boolean): Promise<string> {
  const row = rowOf(page, name);
  await row.getByRole('button', { name: `Download: ${name}`, exact: true }).click();
  const box = row.getByRole('checkbox', { name: /^with its text/ });
  if (tick) await box.click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    row.getByRole('button', { name: 'Download the run', exact: true }).click(),
  ]);
  await row.getByText(`Saved: ${file.suggestedFilename()}`).waitFor();
  expect(file.suggestedFilename()).toMatch(/^glasshouse-run-[\w-]+\.glasshouse$/);
  return file.path();
}

async function open({ page }: Driven, file: string | { name: string; buffer: Buffer }) {
  const chosen = typeof file === 'string' ? { name: 'a.glasshouse', buffer: readFileSync(file) } : file; // prettier-ignore
  await page
    .getByLabel(/^(Open a run file…|打开训练文件…)$/)
    .setInputFiles({ ...chosen, mimeType: 'application/octet-stream' });
}

/** Trains on to the end, and gives the digest of what is saved then. */
async function digestAtEnd(driven: Driven, steps: number): Promise<string> {
  const { page } = driven;
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('Full');
  await press(page, 'Continue');
  await driven.reach('finished');
  const saves = await eventually(
    () => storedSaves(page),
    (all) => all.some((save) => save.newest && save.step === steps),
  );
  return saves.find((save) => save.newest && save.step === steps)!.digest;
}

describe('a downloaded run', () => {
  it('opens in another browser with its text, name, curve and samples, and trains on to the same bits', async () => {
    const { driven: first, at } = await ownRun(110);
    const before = {
      loss: await firstLoss(first),
      samples: await first.page.locator('.samples').innerText(),
    };
    const file = await download(first, 'Mine', true);

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
    expect(await second.page.locator('.runs-table tbody tr').count()).toBe(1);
    expect(second.problems).toEqual([]);
  });

  it('leaves the reader’s own text out unless that is ticked', async () => {
    const { driven, at } = await ownRun(10);
    const file = await download(driven, 'Mine', false);
    expect(readFileSync(file, 'latin1')).not.toContain('annika');
    // Where the text is, the file needs none: it is the run that is kept there.
    await driven.rewind.click();
    await open(driven, file);
    await expect.poll(() => driven.step()).toBe(at);
    expect(await driven.page.locator('.runs-table tbody tr').count()).toBe(1);
  });

  it('opens without its text, says so, and goes on once that is there', async () => {
    const run = await readRunFile(new Blob([readFileSync(VERSION_1)]), 'a');
    const file = await writeRunFile({ ...run, text: null });
    const driven = await site({ hash: 'view=runs' });
    const buffer = Buffer.from(await file.arrayBuffer());
    await open(driven, { name: 'a.glasshouse', buffer });
    await told(driven).getByText('The text that this run learned (258 B) is not').waitFor();
    await driven.text.fill(await run.text!.text());
    await expect.poll(() => driven.step()).toBe(37);
    await press(driven.page, 'Open: Version 1');
    await rowOf(driven.page, 'Version 1').getByText('this tab').waitFor();
    await driven.reach('paused');
    await expect.poll(() => driven.step()).toBe(37);
    const first = run.save.history.losses[0]!;
    expect(Math.fround(Number(await firstLoss(driven)))).toBe(first);
    expect(driven.problems).toEqual([]);
  });

  it('is had and opened where the browser keeps nothing', async () => {
    const before = (page: Page) =>
      page.addInitScript(() => {
        Object.defineProperty(IDBFactory.prototype, 'open', {
          value: () => {
            throw new DOMException('denied', 'SecurityError');
          },
        });
      });
    const first = await site({ hash: `${SETTINGS}&view=runs`, before });
    const { page } = first;
    await page.getByText('keeps nothing for this page').waitFor();
    await first.oneStep.click();
    await eventually(first.step, (step) => step === 1);
    await press(page, 'Download the run of this tab');
    // A sample text is nobody's own.
    const box = page.getByRole('checkbox', { name: /^with its text/ });
    expect(await box.isChecked()).toBe(true);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      press(page, 'Download the run'),
    ]);
    await told(first).getByText(`Saved: ${file.suggestedFilename()}`).waitFor();
    const second = await site({ hash: 'text=tang&view=runs', before });
    await open(second, await file.path());
    await second.reach('paused');
    await expect.poll(() => second.step()).toBe(1);
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

  it('opens wherever it is dropped or chosen', async () => {
    const driven = await site();
    const file = { name: 'a.glasshouse', mimeType: '', buffer: readFileSync(VERSION_1) };
    for (const place of ['#model', '#text']) {
      const input = driven.page.locator(`${place} input[type=file]:not([webkitdirectory])`);
      await input.first().setInputFiles(file);
      await driven.reach('paused');
      await expect.poll(() => driven.step()).toBe(37);
      await driven.rewind.click();
      await driven.reach('ready');
    }
  });

  it.each([
    ['en', /newer Glasshouse \(format 2\); this page reads up to format 1/, /is damaged.*“text”/, /18,750 of its 18,751 bytes/, /names\.txt is not a run file/, /w\.safetensors is a model/], // prettier-ignore
    ['zh', /格式 2.*只能读到格式 1/, /已损坏.*“text”/, /应有 18,751 字节，却只有 18,750 字节/, /names\.txt 不是训练文件/, /w\.safetensors 只是模型/], // prettier-ignore
  ] as const)(
    'that cannot be opened is refused by what is wrong, and nothing is lost (%s)',
    async (lang, newer, harmed, short, other, model) => {
      // prettier-ignore
      const driven = await site({ hash: `lang=${lang}&channels=16&view=runs` });
      const { page } = driven;
      await page.locator('#run [data-control=step]').or(driven.oneStep).first().click();
      await eventually(driven.step, (step) => step === 1);
      const whole = readFileSync(VERSION_1);
      const changed = (at: number, value: number): Buffer => {
        const bytes = Buffer.from(whole);
        bytes[at] = value;
        return bytes;
      };
      const cases: [string, Buffer, RegExp][] = [
        ['a.glasshouse', changed(8, 2), newer],
        ['a.glasshouse', changed(whole.length - 1, 0), harmed],
        ['a.glasshouse', whole.subarray(0, -1), short],
        ['names.txt', Buffer.from('anna\nhanna\n'), other],
        ['w.safetensors', whole.subarray(whole.indexOf('{"__metadata__') - 8), model],
      ];
      for (const [name, buffer, wanted] of cases) {
        await open(driven, { name, buffer });
        await told(driven).getByText(wanted).waitFor();
        // Above the run it is said as well: a file may have been dropped anywhere.
        await page.locator('#notice').getByText(wanted).waitFor();
        expect(await driven.step()).toBe(1);
      }
      await expect.poll(() => page.locator('.runs-table tbody tr').count()).toBe(1);
      expect(driven.problems).toEqual([]);
    },
  );
});
