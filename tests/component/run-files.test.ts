/** Run files: questions and messages when the reader downloads and opens them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { readRunFile, writeRunFile } from '../../web/store/runs/run-file.ts';
import { firstLoss } from '../browser/driver.ts';
import { press, rows } from '../browser/kept-run-page.ts';
import { fileAt, fileOf } from '../browser/model-files.ts';
import type { ChosenFile } from '../browser/model-files.ts';
import { useComponents } from './mount.ts';
import type { Component } from './mount.ts';
import { allowStorage, denyOpening } from './storage.ts';

const mount = useComponents();

const VERSION_1 = fileAt(join(import.meta.dirname, '../fixtures/run-file/version-1.glasshouse'));
/** Options for a browser that stores runs. */
const KEEPS = { keeps: true, before: allowStorage };
const OWN = 'anna\nhanna\nnina\nannika\nhanne\n'.repeat(30);

const told = ({ page }: Component): Locator => page.locator('[data-part=run-file]');

const open = ({ page }: Component, file: ChosenFile): Promise<void> =>
  page.getByLabel(/^(Open a run file…|打开训练文件…)$/).setInputFiles(file);

/** Confirms the download form and returns the file. */
async function downloaded({ page }: Component): Promise<ChosenFile> {
  const coming = page.waitForEvent('download');
  await press(page, 'Download the run');
  const download = await coming;
  expect(download.suggestedFilename()).toMatch(/^glasshouse-run-[\w-]+\.glasshouse$/);
  await page.getByText(`Saved: ${download.suggestedFilename()}`).waitFor();
  return fileOf('a.glasshouse', readFileSync(await download.path()));
}

it('leaves the reader’s own text out of a file unless that is ticked', async () => {
  const options = { ...KEEPS, hash: 'text=own', text: OWN, step: 10 };
  const driven = await mount(['text', 'notice', 'runs'], 'names', options);
  const { page, step } = driven;
  await page.getByRole('button', { name: /^Download: / }).click();
  expect(await page.getByRole('checkbox', { name: /^with its text/ }).isChecked()).toBe(false);
  const file = await downloaded(driven);
  expect(file.buffer.toString('latin1')).not.toContain('annika\nhanne');
  expect((await readRunFile(new Blob([new Uint8Array(file.buffer)]), 'a')).text).toBeNull();
  // A browser that stores the text opens the file without it and finds the stored run.
  await driven.rewind.click();
  await open(driven, file);
  await expect.poll(step).toBe(10);
  expect(await rows(driven)).toHaveLength(1);
});

it('opens a run without its text, says so, and goes on once that is there', async () => {
  const run = await readRunFile(new Blob([new Uint8Array(VERSION_1.buffer)]), 'a');
  const file = await writeRunFile({ ...run, text: null });
  const panels = ['text', 'model', 'loss', 'notice', 'runs'];
  const driven = await mount(panels, 'names', KEEPS);
  const { page, text, step, reach, rest } = driven;
  await open(driven, fileOf('a.glasshouse', new Uint8Array(await file.arrayBuffer())));
  await told(driven).getByText('The training text of this run (258 B) is not').waitFor();
  await text.fill(await run.text!.text());
  // The text is taken in at a pause in typing.
  await rest();
  await expect.poll(step).toBe(37);
  await press(page, 'Open: Version 1');
  const row = page.locator('.runs-table tbody tr').filter({ hasText: 'Version 1' });
  await row.getByText('this tab').waitFor();
  await reach('paused');
  await expect.poll(step).toBe(37);
  expect(Math.fround(Number(await firstLoss(driven)))).toBe(run.save.history.losses[0]);
});

it('has and opens runs where the browser keeps nothing', async () => {
  const options = { keeps: true, before: denyOpening };
  const first = await mount(['text', 'notice', 'runs'], 'names', { ...options, step: 10 });
  const { page } = first;
  await page.getByText('saves nothing for this page, as in').waitFor();
  await press(page, 'Download the run of this tab');
  // A sample text is not the reader's own, so the file includes it by default.
  expect(await page.getByRole('checkbox', { name: /^with its text/ }).isChecked()).toBe(true);
  const file = await downloaded(first);
  const second = await mount(['text', 'notice', 'runs'], 'tang', options);
  await open(second, file);
  await second.reach('paused');
  await expect.poll(second.step).toBe(10);
});

it('opens a run file wherever it is chosen', async () => {
  const driven = await mount(['text', 'model', 'notice'], 'names', KEEPS);
  for (const place of ['#model', '#text']) {
    const input = driven.page.locator(`${place} input[type=file]:not([webkitdirectory])`);
    await input.first().setInputFiles(VERSION_1);
    await driven.reach('paused');
    await expect.poll(driven.step).toBe(37);
    await driven.rewind.click();
    await driven.reach('ready');
  }
});

it.each([
  ['en', /newer Glasshouse \(format 2\); this page reads up to format 1/, /is damaged.*“text”/, /18,750 of its 18,751 bytes/, /names\.txt is not a run file/, /w\.safetensors is a model/], // prettier-ignore
  ['zh', /格式 2.*只能读到格式 1/, /已损坏.*“text”/, /应有 18,751 字节，却只有 18,750 字节/, /names\.txt 不是训练文件/, /w\.safetensors 只是模型/], // prettier-ignore
] as const)(
  'refuses a run file by what is wrong with it, and nothing is lost (%s)',
  async (lang, newer, harmed, short, other, model) => {
    const options = { ...KEEPS, hash: `lang=${lang}`, step: 10 };
    const driven = await mount(['notice', 'runs'], 'names', options);
    const whole = VERSION_1.buffer;
    const changed = (at: number, value: number): ChosenFile => {
      const bytes = Buffer.from(whole);
      bytes[at] = value;
      return fileOf('a.glasshouse', bytes);
    };
    for (const [file, wanted] of [
      [changed(8, 2), newer],
      [changed(whole.length - 1, 0), harmed],
      [fileOf('a.glasshouse', whole.subarray(0, -1)), short],
      [fileOf('names.txt', 'anna\nhanna\n'), other],
      [fileOf('w.safetensors', whole.subarray(whole.indexOf('{"__metadata__') - 8)), model],
    ] as const) {
      await open(driven, file);
      await told(driven).getByText(wanted).waitFor();
      // The notice above the run repeats the error: the reader may have dropped the file anywhere.
      await driven.page.locator('#notice').getByText(wanted).waitFor();
      expect(await driven.step()).toBe(10);
    }
    await expect.poll(() => rows(driven)).toHaveLength(1);
  },
);
