/** A reader shares what the model wrote: as a picture, as text, and by links with the text. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { objections } from './axe.ts';
import { eventually } from './driver.ts';
import type { Driven } from './driver.ts';
import { usePages } from './sites.ts';

const open = usePages();
const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const dialogOf = (page: Page) =>
  page.getByRole('dialog', { name: /^(Share what it wrote|分享它写的文字)$/ });
const opener = (page: Page) =>
  page.locator('#samples').getByRole('button', { name: /^(Share|分享)$/ });

/** The page after a short run. */
async function trained(how: Parameters<typeof open.site>[0]): Promise<Driven> {
  const driven = await open.site(how);
  await driven.run.locator('.primary').click();
  await driven.reach('finished');
  return driven;
}

/** The same with the dialog open. */
async function card(how: Parameters<typeof open.site>[0]): Promise<Driven> {
  const driven = await trained(how);
  await opener(driven.page).click();
  await dialogOf(driven.page).waitFor();
  return driven;
}

/** What a share sheet was given. */
interface Shared {
  readonly text: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

/** A share sheet that ends in this error, or takes what it is given if that is empty. */
const shareSheet = (error: string) => (page: Page) =>
  page.addInitScript((name) => {
    Object.assign(navigator, {
      canShare: ({ files }: ShareData) => files?.length === 1,
      share: ({ files, text }: ShareData) => {
        if (name !== '') return Promise.reject(new DOMException('no', name));
        const [file] = files ?? [];
        const shared = { text, name: file?.name, type: file?.type, size: file?.size };
        Object.assign(globalThis, { shared });
        return Promise.resolve();
      },
    });
  }, error);

describe('the card', () => {
  it('is a picture of the three lines that were chosen, and the same in words', async () => {
    const { page } = await card({ hash: 'steps=60', options: clipboard });
    const dialog = dialogOf(page);
    const boxes = dialog.getByRole('checkbox');
    const chosen = dialog.getByRole('checkbox', { checked: true });
    expect(await chosen.count()).toBe(3);
    // With three chosen no other can be, until one is not.
    expect(await boxes.nth(4).isDisabled()).toBe(true);
    await boxes.nth(1).uncheck();
    await boxes.nth(4).check();
    const rows = dialog.locator('.card-line');
    const lines = await Promise.all([0, 2, 4].map((at) => rows.nth(at).innerText()));
    await dialog.getByRole('textbox', { name: 'What it learned from' }).fill('my own names');
    await dialog.getByRole('button', { name: 'Copy the text' }).click();
    await dialog.getByText('Copied.').waitFor();
    const text = await copied(page);
    expect(text).toBe(
      [
        ...lines,
        '',
        'Step 60, learned from my own names',
        'A model of 103,808 numbers, grown from nothing in a browser tab',
        'Glasshouse',
      ].join('\n'),
    );
    const picture = dialog.getByRole('img');
    expect(await picture.getAttribute('aria-label')).toBe(`The card as it will be shared. ${text}`);

    const coming = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Save the picture' }).click();
    const saved = await coming;
    expect(saved.suggestedFilename()).toMatch(/^glasshouse-card-names-.*step-60\.png$/);
    const file = await readFile(await saved.path());
    expect(file.subarray(1, 4).toString()).toBe('PNG');
    expect([file.readUInt32BE(16), file.readUInt32BE(20)]).toEqual([1200, 630]);
    await dialog.getByText(`Saved: ${saved.suggestedFilename()}`).waitFor();
  });

  it('says of each line its step where they differ, from the first step to the last', async () => {
    const { page } = await card({ hash: 'steps=60', options: clipboard });
    const dialog = dialogOf(page);
    const boxes = dialog.getByRole('checkbox');
    const last = (await boxes.count()) - 1;
    for (const at of [1, 2]) await boxes.nth(at).uncheck();
    await boxes.nth(last).check();
    const rows = dialog.locator('.card-line');
    await dialog.getByRole('button', { name: 'Copy the text' }).click();
    await dialog.getByText('Copied.').waitFor();
    expect((await copied(page)).split('\n').slice(0, 4)).toEqual([
      `step 0: ${await rows.nth(last).innerText()}`,
      `step 60: ${await rows.nth(0).innerText()}`,
      '',
      'Learned from English first names',
    ]);
    await boxes.nth(0).uncheck();
    await boxes.nth(last).uncheck();
    await dialog.getByText('Choose at least one line.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Save the picture' }).isDisabled()).toBe(true);
  });

  it('has what the model wrote when it was asked, with its beginning paler', async () => {
    const driven = await trained({ hash: 'steps=60' });
    const { page } = driven;
    await driven.prompt.fill('an');
    await page.getByRole('button', { name: 'Write', exact: true }).click();
    await page.getByText('Written at step 60').first().waitFor();
    await opener(page).click();
    const first = dialogOf(page).locator('.card-line').first();
    expect(await first.locator('.given').innerText()).toBe('an');
    expect(await first.locator('.written').innerText()).toContain(
      await page.locator('[data-part=answer]').innerText(),
    );
  });

  it('goes through the share sheet of the system as a file with its text', async () => {
    const { page } = await card({ hash: 'steps=60', before: shareSheet('') });
    const dialog = dialogOf(page);
    await dialog.getByRole('button', { name: 'Share', exact: true }).click();
    const read = () => page.evaluate(() => (globalThis as { shared?: Shared }).shared ?? null);
    const shared = await eventually(read, (one) => one !== null);
    expect(shared).toMatchObject({ type: 'image/png' });
    expect(shared?.name).toMatch(/step-60\.png$/);
    expect(shared?.size).toBeGreaterThan(5000);
    expect(shared?.text).toContain('Step 60, learned from English first names');
  });

  it('has no button for a share sheet where the system lacks one', async () => {
    const { page } = await card({ hash: 'steps=60' });
    const share = dialogOf(page).getByRole('button', { name: 'Share', exact: true });
    expect(await share.count()).toBe(0);
  });

  it('is saved instead where sharing is refused', async () => {
    const { page } = await card({ hash: 'steps=60', before: shareSheet('NotAllowedError') });
    const dialog = dialogOf(page);
    const coming = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Share', exact: true }).click();
    const name = (await coming).suggestedFilename();
    await dialog.getByText(`Sharing was refused. The picture is saved instead: ${name}`).waitFor();
  });

  it('says nothing where the reader leaves the share sheet', async () => {
    const { page } = await card({ hash: 'steps=60', before: shareSheet('AbortError') });
    const dialog = dialogOf(page);
    await dialog.getByRole('button', { name: 'Copy the text' }).click();
    await expect.poll(() => dialog.locator('.card-share > .note').textContent()).not.toBe('');
    await dialog.getByRole('button', { name: 'Share', exact: true }).click();
    await expect.poll(() => dialog.locator('.card-share > .note').textContent()).toBe('');
  });

  it('is made by keys alone, and gives the focus back', async () => {
    const { page } = await trained({ hash: 'steps=60' });
    await opener(page).focus();
    await page.keyboard.press('Enter');
    const dialog = dialogOf(page);
    await dialog.waitFor();
    const isInside = () => dialog.evaluate((one) => one.contains(document.activeElement));
    expect(await isInside()).toBe(true);
    await dialog.getByRole('checkbox').first().focus();
    await page.keyboard.press('Space');
    await expect.poll(() => dialog.getByRole('checkbox', { checked: true }).count()).toBe(2);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    const hasFocus = () => opener(page).evaluate((one) => one === document.activeElement);
    await expect.poll(hasFocus).toBe(true);
  });

  it.each([
    ['light', 360],
    ['dark', 1366],
  ] as const)('has room and passes axe in Chinese, %s, %i wide', async (colorScheme, width) => {
    const viewport = { width, height: 740 };
    const options = { ...clipboard, locale: 'zh-CN', viewport, colorScheme };
    const { page } = await card({ hash: 'text=tang&steps=20', options });
    const dialog = dialogOf(page);
    const isTooWide = (one: HTMLElement) => one.scrollWidth > one.clientWidth;
    expect(await dialog.evaluate(isTooWide)).toBe(false);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    expect(await objections(page, 'dialog')).toEqual([]);
    await dialog.getByRole('button', { name: '复制文字' }).click();
    await dialog.getByText('已复制。').waitFor();
    expect(await copied(page)).toMatch(/\n第 20 步，学自唐诗\n一个由 [\d,]+ 个数组成的模型，/);
  });
});

describe('a link with the reader’s own text', () => {
  const mine = 'anna\nhanna\njohanna\n'.repeat(12);

  it('stands below that text alone, and opens elsewhere with the text and its settings', async () => {
    const { page, text, reach } = await open.site({ hash: 'steps=77', options: clipboard });
    const copy = page.locator('#text-link').getByRole('button');
    await expect.poll(() => copy.isVisible()).toBe(false);
    await text.fill(mine);
    await reach('ready');
    await copy.and(page.getByRole('button', { name: 'Copy the link with my text' })).click();
    await page.getByText(/^Copied, with your text: [\d,]+ characters\.$/).waitFor();
    const link = await copied(page);
    expect(link).not.toContain('text=own');
    const settings = await page.locator('#settings').textContent();

    const elsewhere = await open.page();
    await elsewhere.page.goto(link);
    await elsewhere.page.locator('#run[data-state=ready]').waitFor({ state: 'attached' });
    const field = elsewhere.page.getByRole('textbox', { name: 'The text to learn' });
    await expect.poll(() => field.inputValue()).toBe(mine);
    await expect.poll(() => elsewhere.page.locator('#settings').textContent()).toBe(settings);
  });

  it('is what the card gives, too', async () => {
    const driven = await open.site({ hash: 'text=own&steps=20', state: '', options: clipboard });
    const { page } = driven;
    await driven.text.fill(mine);
    await driven.reach('ready');
    await driven.start.click();
    await driven.reach('finished');
    await opener(page).click();
    const dialog = dialogOf(page);
    const from = dialog.getByRole('textbox', { name: 'What it learned from' });
    expect(await from.inputValue()).toBe('a text of my own');
    await dialog.getByRole('button', { name: 'Copy the link with my text' }).click();
    await dialog.getByText(/^Copied, with your text/).waitFor();
    expect(await copied(page)).toMatch(/[#&]packed=[\w-]{20,}/);
  });

  it('is not made of a text that is too long, which is said with what to do', async () => {
    const { page } = await open.site({ options: clipboard });
    // Digits without order hardly shrink.
    let seed = 1;
    const next = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0);
    const long = Array.from({ length: 16_000 }, () => String(next())).join('\n');
    const file = { name: 'long.txt', mimeType: 'text/plain', buffer: Buffer.from(long) };
    await page.getByLabel('Open a file…').setInputFiles(file);
    await page.getByText('long.txt, ').waitFor();
    await page.locator('#text-link').getByRole('button').click();
    await page
      .getByText(
        /^Not copied: your text has [\d,]+ packed characters, and a link holds up to 60,000 packed characters\. Shorten it/,
      )
      .waitFor();
  });

  it('can be copied by hand where the clipboard is refused', async () => {
    const before = (page: Page) =>
      page.addInitScript(() => {
        navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));
      });
    const driven = await open.site({ hash: 'text=own', state: '', before });
    await driven.text.fill(mine);
    await driven.reach('ready');
    await driven.page.locator('#text-link').getByRole('button').click();
    await driven.page.getByText('copy it by hand').waitFor();
    const field = driven.page.locator('#text-link').getByRole('textbox', { name: 'The link' });
    expect(await field.inputValue()).toContain('packed=');
    const isSelected = (one: HTMLInputElement) => one.selectionEnd === one.value.length;
    expect(await field.evaluate(isSelected)).toBe(true);
  });
});
