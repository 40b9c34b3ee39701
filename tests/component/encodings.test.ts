/** A file in any encoding yields the same text in field, plan, engine and receipt. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useComponents } from './mount.ts';
import type { Component } from './mount.ts';

const mount = useComponents();
const fixtures = join(import.meta.dirname, '../fixtures');

/** Mounts the text and the receipt of a small run. */
const mountText = (): Promise<Component> =>
  mount(['text', 'plan', 'runs'], 'untouched', {
    hash: 'preset=microgpt&channels=16&layers=1&steps=12',
  });

const choose = ({ page }: Component, name: string): Promise<void> =>
  page.locator('#text input[type=file]').setInputFiles(join(fixtures, 'texts', name));
const isRead = ({ page }: Component): Promise<void> =>
  page.getByText('Read line by line: 47 lines').waitFor();

/** Trains to the end and reads the receipt. */
async function receiptOf({ page, train }: Component): Promise<string> {
  await train();
  const receipt = page.locator('[data-part=receipt]');
  await expect.poll(() => receipt.textContent()).toMatch(/^gh1-microgpt-s42-12-/);
  return (await receipt.textContent())!;
}

it('makes documents of lines that end with CR, which is said and can be taken back', async () => {
  const driven = await mountText();
  const { page } = driven;
  await choose(driven, 'names-cr.txt');
  await isRead(driven);
  const said = page.getByText('47 line ends (CR) were converted. Undo');
  await said.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('47 line ends (CR) are kept as they are. Convert').waitFor();
  await page.getByText('Read line by line: 1 line').waitFor();
  await page.getByRole('button', { name: 'Convert', exact: true }).click();
  await isRead(driven);
});

it('reads UTF-16 with one byte too many without that byte, and says so', async () => {
  const driven = await mountText();
  await choose(driven, 'utf16-odd.txt');
  await expect.poll(() => driven.text.inputValue()).toBe('anna\nbob\n');
  const said = '1 byte at the end was left over and is not part of the text.';
  await driven.page.getByText(said).waitFor();
});

it('learns one text from CR LF and LF, opened or typed: the receipts are equal', async () => {
  const driven = await mountText();
  const { page, text, rewind, reach, rest } = driven;
  const learned = async (): Promise<string> => {
    await rest();
    const line = await receiptOf(driven);
    // Before step 1 a run adopts a new text at once.
    await rewind.click();
    await reach('ready');
    return line;
  };
  const opened = async (name: string): Promise<string> => {
    await choose(driven, name);
    await page.getByText(`${name}, `).waitFor();
    return learned();
  };
  const typed = async (letters: string): Promise<string> => {
    await text.fill(letters);
    await page.getByText('.txt, ').waitFor({ state: 'hidden' });
    return learned();
  };
  const receipt = await opened('names-lf.txt');
  expect(await typed('anna\nbob\n')).not.toBe(receipt);
  expect(await opened('names-crlf.txt')).toBe(receipt);
  expect(await typed(readFileSync(join(fixtures, 'texts/names-crlf.txt'), 'utf8'))).toBe(receipt);
});

it('finds a receipt of the bytes as they lay in the file true', async () => {
  const json = readFileSync(join(fixtures, 'raw-crlf.receipt.json'), 'utf8');
  const driven = await mountText();
  const { page } = driven;
  await choose(driven, 'names-crlf.txt');
  await isRead(driven);
  await receiptOf(driven);
  const finding = page.locator('[data-part=receipt-finding]');
  const check = async (whole: string): Promise<void> => {
    await page
      .getByRole('textbox', {
        name: 'Check another receipt: paste its short line or the full JSON',
      })
      .fill(whole);
    await page.getByRole('button', { name: 'Check it', exact: true }).click();
    await expect.poll(() => finding.textContent()).toContain('True: all 12 steps');
  };
  await check(json);
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the full receipt' }).click();
  const file = await coming;
  await page.getByText(`Saved: ${file.suggestedFilename()}`).waitFor();
  await check(readFileSync(await file.path(), 'utf8'));
});
