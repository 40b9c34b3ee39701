/** An opened file in any encoding: field, plan, engine and receipt have the same text. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eventually, filesWritten } from './driver.ts';
import type { Driven } from './driver.ts';
import { useSites } from './sites.ts';

const site = useSites();
const fixtures = join(import.meta.dirname, '../fixtures');
const SMALL = 'preset=microgpt&channels=16&layers=1&steps=12';

function choose({ page }: Driven, name: string): Promise<void> {
  return page.locator('#text input[type=file]').setInputFiles(join(fixtures, 'texts', name));
}

const readAs = ({ page }: Driven) => page.getByLabel('Encoding');

it('the encoding is chosen beside the file, and read at once, also after a reload', async () => {
  const driven = await site({ hash: 'text=own', state: 'blocked' });
  const { page, text } = driven;
  await choose(driven, 'hu.txt');
  await expect.poll(() => text.inputValue()).toBe('erdő, mező\n');
  expect(await readAs(driven).inputValue()).toBe('windows-1250');
  await readAs(driven).selectOption('Windows-1252');
  await expect.poll(() => text.inputValue()).toBe('erdõ, mezõ\n');
  await filesWritten(driven, 2);
  await page.reload();
  await expect.poll(() => text.inputValue()).toBe('erdõ, mezõ\n');
  expect(await readAs(driven).inputValue()).toBe('windows-1252');
  await readAs(driven).selectOption('Windows-1250');
  await expect.poll(() => text.inputValue()).toBe('erdő, mező\n');
  // What is typed is in no encoding.
  await text.fill('typed');
  await expect.poll(() => readAs(driven).isVisible()).toBe(false);
  expect(driven.problems).toEqual([]);
});

it('lines that end with CR are documents, which is said and can be taken back', async () => {
  const driven = await site({ hash: SMALL });
  const { page } = driven;
  await choose(driven, 'names-cr.txt');
  await page.getByText('Learned line by line: 47 lines').waitFor();
  const said = page.getByText('47 line ends (CR) were converted. Undo');
  await said.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('47 line ends (CR) are kept as they are. Convert').waitFor();
  await page.getByText('Learned line by line: 1 line').waitFor();
  await page.getByRole('button', { name: 'Convert', exact: true }).click();
  await page.getByText('Learned line by line: 47 lines').waitFor();
});

it('UTF-16 with one byte too many is read without it', async () => {
  const driven = await site({ hash: SMALL });
  await choose(driven, 'utf16-odd.txt');
  await expect.poll(() => driven.text.inputValue()).toBe('anna\nbob\n');
  await driven.page
    .getByText('1 byte at the end was left over and is not part of the text.')
    .waitFor();
});

it('a byte order mark is not a token', async () => {
  const driven = await site({ hash: SMALL });
  await choose(driven, 'bom.txt');
  await expect.poll(() => driven.text.inputValue()).toBe('anna\nbob\n');
  // a, b, n, o and the token that begins each document.
  await expect.poll(() => driven.page.locator('[data-part=plan-vocab]').textContent()).toBe('5');
});

it.each([
  ['chat.sqlite', /chat\.sqlite is not a text but a database \(SQLite\)/],
  ['paper-noext', /paper-noext is not a text but a document \(PDF\)/],
])('%s is refused, and its type is said', async (name, message) => {
  const driven = await site();
  await choose(driven, name);
  await driven.page.locator('[data-part=text-error]').getByText(message).waitFor();
});

it('ckpt.pt is opened as a model, wherever it was chosen, and the part that it lacks is named', async () => {
  const driven = await site();
  await choose(driven, 'ckpt.pt');
  await driven.page.locator('#model').getByRole('alert').filter({ hasText: 'data.pkl' }).waitFor(); // prettier-ignore
});

/** The line of the receipt when the run is over: of its last step, not of where it began. */
async function receiptOf(driven: Driven): Promise<string> {
  await driven.page.getByRole('button', { name: /^(?:Start|Continue)$/ }).click();
  await driven.reach('finished');
  const step = String(await driven.step());
  return eventually(
    async () => (await driven.page.locator('[data-part=receipt]').textContent()) ?? '',
    (line) => line.startsWith('gh1-') && line.split('-')[3] === step,
  );
}

it('CR LF and LF are one text, opened or typed: the receipts are equal', async () => {
  const lines: string[] = [];
  for (const name of ['names-lf.txt', 'names-crlf.txt']) {
    const driven = await site({ hash: `${SMALL}&view=runs` });
    await choose(driven, name);
    await driven.page.getByText('Learned line by line: 47 lines').waitFor();
    lines.push(await receiptOf(driven));
  }
  const driven = await site({ hash: `${SMALL}&view=runs` });
  await driven.text.fill(readFileSync(join(fixtures, 'texts/names-crlf.txt'), 'utf8'));
  await driven.page.getByText('Learned line by line: 47 lines').waitFor();
  lines.push(await receiptOf(driven));
  expect(new Set(lines).size).toBe(1);
});

it('a checkpoint of the bytes as they lay in the file goes on, and its receipt is true', async () => {
  const json = readFileSync(join(fixtures, 'raw-crlf.receipt.json'), 'utf8');
  const { line } = JSON.parse(json) as { line: string };
  const driven = await site({ hash: 'text=own&view=runs', state: 'blocked' });
  const { page } = driven;
  await choose(driven, 'names-crlf.txt');
  await driven.reach('ready');
  await page
    .locator('#model input[type=file]:not([webkitdirectory])')
    .setInputFiles(join(fixtures, 'raw-crlf.safetensors'));
  await eventually(driven.step, (step) => step === 6);
  expect(await receiptOf(driven)).toBe(line);
  expect(driven.problems).toEqual([]);
});

it('a receipt of the bytes as they lay in the file is true', async () => {
  const json = readFileSync(join(fixtures, 'raw-crlf.receipt.json'), 'utf8');
  const driven = await site({ hash: `${SMALL}&view=runs` });
  const { page } = driven;
  await choose(driven, 'names-crlf.txt');
  await page.getByText('Learned line by line: 47 lines').waitFor();
  await receiptOf(driven);
  const finding = page.locator('[data-part=receipt-finding]');
  const check = async (whole: string): Promise<void> => {
    await page
      .getByRole('textbox', { name: 'Another receipt: its line, or the whole' })
      .fill(whole);
    await page.getByRole('button', { name: 'Check it', exact: true }).click();
    await expect.poll(() => finding.textContent()).toContain('True: all 12 steps');
  };
  await check(json);
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the full receipt' }).click();
  await check(readFileSync(await (await coming).path(), 'utf8'));
});
