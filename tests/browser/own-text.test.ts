/**
 * Tests the reader's own text on the whole page: from a link, as the text of an opened run, and in
 * two tabs. tests/component/own-text.test.ts covers the rest.
 */
import { describe, expect, it } from 'vitest';
import { filesWritten } from './driver.ts';
import type { Driven } from './driver.ts';
import { packText } from '../../web/store/text/packed-text.ts';
import { siteUrl } from './harness.ts';
import { storedSaves } from './saved-runs.ts';
import { useSites } from './sites.ts';

const site = useSites();

/** Selects a text file in the file input. */
async function choose({ page }: Driven, name: string, content: string): Promise<void> {
  const file = { name, mimeType: 'text/plain', buffer: Buffer.from(content) };
  await page.getByLabel('Open a file…').setInputFiles(file);
}

describe('a reload', () => {
  it('takes the text that a link holds, brings it back after a reload, and keeps the reader’s own beside it', async () => {
    const sent = 'anna\nbob\n'.repeat(9);
    const { page } = await site({ hash: 'text=own', state: 'blocked' });
    const field = page.getByRole('textbox', { name: 'The text to learn' });
    await field.fill('mine\nand more\n'.repeat(9));
    await page.locator('#run[data-state=ready]').waitFor();
    const packed = await packText(new TextEncoder().encode(sent));
    // Changing only the fragment corresponds to pasting a link into the address bar.
    await page.evaluate((hash) => {
      location.hash = hash;
    }, `packed=${packed}&steps=77`);
    await expect.poll(() => field.inputValue()).toBe(sent);
    expect(new URL(page.url()).hash).not.toContain('packed');
    expect(new URL(page.url()).hash).toContain('steps=77');
    await page.reload();
    await expect.poll(() => field.inputValue()).toBe(sent);
    await page.getByRole('button', { name: 'Back to the previous text' }).click();
    await expect.poll(() => field.inputValue()).toContain('mine');
    await page.goto(siteUrl('#packed=!!'));
    await page.getByText('The text in this link cannot be read').first().waitFor();
    // After a reload the field stays empty and the previous text can be restored.
    await page.reload();
    await page.getByRole('button', { name: 'Back to the previous text' }).waitFor();
    expect(await field.inputValue()).toBe('');
    await page.getByRole('button', { name: 'Back to the previous text' }).click();
    await expect.poll(() => field.inputValue()).toContain('mine');
  });

  it('keeps the text whose place that of an opened run took', async () => {
    const driven = await site({ hash: 'channels=8&heads=1&layers=1&steps=20' });
    const { page, text, start } = driven;
    await text.fill('anna\nhanna\n'.repeat(20));
    await driven.reach('ready');
    await start.click();
    await driven.reach('finished');
    await expect.poll(async () => (await storedSaves(page)).length).toBe(1);
    await choose(driven, 'other.txt', 'tick tock\n'.repeat(20));
    await page.getByText('other.txt, 200 B').waitFor();
    await filesWritten(driven, 1);
    await page.reload();
    await page.getByText('other.txt, 200 B').waitFor();
    await page.getByRole('button', { name: 'Open it' }).click();
    const back = page.getByRole('button', { name: 'Back to the previous text' });
    await page.getByText('This is the text of the run that was opened.').waitFor();
    await back.waitFor();
    // The stored file is reused for its second role, not written again.
    await filesWritten(driven, 1);
    await page.reload();
    await expect.poll(() => text.inputValue()).toBe('anna\nhanna\n'.repeat(20));
    await back.click();
    await page.getByText('other.txt, 200 B').waitFor();
  });

  it('is not pushed out by what another tab opened after it', async () => {
    const driven = await site();
    const { page } = driven;
    await choose(driven, 'mine.txt', 'anna\nhanna\n'.repeat(20));
    await page.getByText('mine.txt, 220 B').waitFor();
    await filesWritten(driven, 1);
    const other = await page.context().newPage();
    await other.goto(page.url());
    for (let size = 1; size <= 9; size++) {
      const content = 'tick tock\n'.repeat(20 + size);
      const file = { name: `${size}.txt`, mimeType: 'text/plain', buffer: Buffer.from(content) };
      await other.getByLabel('Open a file…').setInputFiles(file);
      await other.getByText(`${size}.txt, ${200 + 10 * size} B`).waitFor();
    }
    // Each tab stores only the files that it may need; the first tab keeps its file.
    await filesWritten(driven, 6);
    await page.reload();
    await page.getByText('mine.txt, 220 B').waitFor();
    await driven.reach('ready');
    await other.close();
  });
});
