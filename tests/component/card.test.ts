/** The reader shares a generated text: as a picture, as plain text and by links. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { giftLines } from '../../web/store/address/gift.ts';
import { readSent } from '../../web/store/text/sent-text.ts';
import { objections } from '../browser/axe.ts';
import { useComponents } from './mount.ts';
import type { Component, MountOptions, RecordingName } from './mount.ts';
import { inSandbox, MAY_BE_DROPPED } from './sandbox.ts';

const mount = useComponents();

const context = { permissions: ['clipboard-read', 'clipboard-write'] };
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const dialogOf = (page: Page) =>
  page.getByRole('dialog', { name: /^(Share what it wrote|分享它写的文字)$/ });
const opener = (page: Page) =>
  page.locator('#samples').getByRole('button', { name: /^(Share|分享)$/ });
const picture = (page: Page) => dialogOf(page).getByRole('img');
const note = (page: Page) => dialogOf(page).locator('.card-share > .note');

/**
 * The result of the system's share sheet: accepted or an error name; null if the sheet is missing.
 */
type ShareSheet = 'takes' | 'NotAllowedError' | 'AbortError' | null;

/** Replaces the system's share sheet; `shared` holds the data that the sheet accepts. */
const shareSheet = (how: ShareSheet) => (page: Page) =>
  page.evaluate((answer) => {
    Object.assign(globalThis, { shared: null });
    const canShare = ({ files }: ShareData): boolean => files?.length === 1;
    const share = ({ files, text }: ShareData): Promise<void> => {
      if (answer !== 'takes') return Promise.reject(new DOMException('no', answer!));
      const { name, type, size } = files![0]!;
      Object.assign(globalThis, { shared: { text, name, type, size } });
      return Promise.resolve();
    };
    const value = answer === null ? { canShare: undefined, share: undefined } : { canShare, share };
    Object.assign(navigator, value);
  }, how);

/** Mounts the samples of a trained model with their card. */
const trained = (
  options: MountOptions = {},
  recording: RecordingName = 'names',
): Promise<Component> =>
  mount(['samples', 'ask', 'card'], recording, { context, step: 60, ...options });

async function openCard(...how: Parameters<typeof trained>): Promise<Page> {
  const { page } = await trained(...how);
  await opener(page).click();
  await picture(page).waitFor();
  return page;
}

async function copyText(page: Page): Promise<string> {
  await dialogOf(page).getByRole('button', { name: 'Copy the text' }).click();
  await dialogOf(page).getByText('Copied.').waitFor();
  return copied(page);
}

const textsOf = (rows: Locator, places: readonly number[]): Promise<string[]> =>
  Promise.all(places.map((at) => rows.nth(at).innerText()));

describe('the card', () => {
  it('has three lines, and no more can be chosen until one is given up', async () => {
    const page = await openCard();
    const boxes = dialogOf(page).getByRole('checkbox');
    expect(await dialogOf(page).getByRole('checkbox', { checked: true }).count()).toBe(3);
    expect(await boxes.nth(4).isDisabled()).toBe(true);
    await boxes.nth(1).uncheck();
    await expect.poll(() => boxes.nth(4).isDisabled()).toBe(false);
  });

  it('has the lines of the step that is looked at, and none of later ones', async () => {
    const { page, lookBack, rest } = await trained();
    await lookBack.focus();
    await page.keyboard.press('Home');
    await rest();
    await opener(page).click();
    await picture(page).waitFor();
    expect(await copyText(page)).toContain('\nStep 0, learned from');
    expect(await dialogOf(page).innerText()).not.toMatch(/step (?!0\b)\d/i);
  });

  it('is a picture of the chosen lines, and the same in words', async () => {
    const page = await openCard();
    const dialog = dialogOf(page);
    await dialog.getByRole('checkbox').nth(1).uncheck();
    await dialog.getByRole('checkbox').nth(4).check();
    await dialog.getByRole('textbox', { name: 'What it learned from' }).fill('my own names');
    const text = await copyText(page);
    expect(text.split('\n')).toEqual([
      ...(await textsOf(dialog.locator('.card-line'), [0, 2, 4])),
      '',
      'Step 60, learned from my own names',
      'A model of 103,808 numbers, grown from nothing in a browser tab',
      'Glasshouse, component.test/',
    ]);
    await expect
      .poll(() => picture(page).getAttribute('aria-label'))
      .toBe(`The card as it will be shared. ${text}`);
  });

  it('is saved as a PNG of 1200 × 630 pixels', async () => {
    const page = await openCard();
    const coming = page.waitForEvent('download');
    await dialogOf(page).getByRole('button', { name: 'Save the picture' }).click();
    const saved = await coming;
    expect(saved.suggestedFilename()).toMatch(/^glasshouse-card-names-.*step-60\.png$/);
    const file = await readFile(await saved.path());
    expect(file.subarray(1, 4).toString()).toBe('PNG');
    expect([file.readUInt32BE(16), file.readUInt32BE(20)]).toEqual([1200, 630]);
    await dialogOf(page).getByText(`Saved: ${saved.suggestedFilename()}`).waitFor();
  });

  it('says of each line its step where they differ, from the first step to the last', async () => {
    const page = await openCard();
    const dialog = dialogOf(page);
    const boxes = dialog.getByRole('checkbox');
    const last = (await boxes.count()) - 1;
    for (const at of [1, 2]) await boxes.nth(at).uncheck();
    await boxes.nth(last).check();
    const [newest, oldest] = await textsOf(dialog.locator('.card-line'), [0, last]);
    expect((await copyText(page)).split('\n').slice(0, 4)).toEqual([
      `step 0: ${oldest!}`,
      `step 60: ${newest!}`,
      '',
      'Learned from English first names',
    ]);
  });

  it('is not made without a line', async () => {
    const page = await openCard();
    for (const at of [0, 1, 2]) await dialogOf(page).getByRole('checkbox').nth(at).uncheck();
    await dialogOf(page).getByText('Choose at least one line.').waitFor();
    const save = dialogOf(page).getByRole('button', { name: 'Save the picture' });
    expect(await save.isDisabled()).toBe(true);
  });

  it('begins with what the model wrote when it was asked, its prompt paler', async () => {
    const { page, prompt } = await trained();
    await prompt.fill('an');
    await page.getByRole('button', { name: 'Write', exact: true }).click();
    await page.getByText('Written at step 60').first().waitFor();
    await opener(page).click();
    const first = dialogOf(page).locator('.card-line').first();
    expect(await first.locator('.given').innerText()).toBe('an');
    const answer = await page.locator('[data-part=answer]').innerText();
    expect(await first.locator('.written').innerText()).toContain(answer);
    const colour = (part: string) =>
      first.locator(part).evaluate((one) => getComputedStyle(one).color);
    expect(await colour('.given')).not.toBe(await colour('.written'));
  });

  it('goes through the share sheet of the system as a file with its text', async () => {
    const page = await openCard({ before: shareSheet('takes') });
    await dialogOf(page).getByRole('button', { name: 'Share', exact: true }).click();
    await expect
      .poll(() => page.evaluate(() => (globalThis as { shared?: unknown }).shared))
      .toEqual({
        type: 'image/png',
        name: expect.stringMatching(/step-60\.png$/) as string,
        size: expect.toSatisfy((size: number) => size > 5000) as number,
        text: expect.stringContaining('Step 60, learned from English first names') as string,
      });
  });

  it('has no button for a share sheet where the system lacks one', async () => {
    const page = await openCard({ before: shareSheet(null) });
    const share = dialogOf(page).getByRole('button', { name: 'Share', exact: true });
    expect(await share.count()).toBe(0);
  });

  it('is saved instead where sharing is refused', async () => {
    const page = await openCard({ before: shareSheet('NotAllowedError') });
    const coming = page.waitForEvent('download');
    await dialogOf(page).getByRole('button', { name: 'Share', exact: true }).click();
    const name = (await coming).suggestedFilename();
    const saved = `Sharing was refused, so the picture was saved instead: ${name}`;
    await expect.poll(() => note(page).textContent()).toBe(saved);
    const leave = await inSandbox(page);
    await dialogOf(page).getByRole('button', { name: 'Share', exact: true }).click();
    await expect.poll(() => note(page).textContent()).toMatch(MAY_BE_DROPPED);
    await leave();
  });

  it('says nothing where the reader leaves the share sheet', async () => {
    const page = await openCard({ before: shareSheet('AbortError') });
    await copyText(page);
    expect(await note(page).textContent()).not.toBe('');
    await dialogOf(page).getByRole('button', { name: 'Share', exact: true }).click();
    await expect.poll(() => note(page).textContent()).toBe('');
  });

  it('is made by keys alone, and gives the focus back', async () => {
    const { page } = await trained();
    await opener(page).focus();
    await page.keyboard.press('Enter');
    const dialog = dialogOf(page);
    await dialog.waitFor();
    expect(await dialog.evaluate((one) => one.contains(document.activeElement))).toBe(true);
    await dialog.getByRole('checkbox').first().focus();
    await page.keyboard.press('Space');
    await expect.poll(() => dialog.getByRole('checkbox', { checked: true }).count()).toBe(2);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await expect
      .poll(() => opener(page).evaluate((one) => one === document.activeElement))
      .toBe(true);
  });

  it.each([
    ['light', 360],
    ['dark', 1366],
  ] as const)('has room and passes axe in Chinese, %s, %i wide', async (colorScheme, width) => {
    const viewport = { width, height: 740 };
    const page = await openCard({ hash: 'lang=zh', viewport, colorScheme, step: 20 }, 'tang');
    const dialog = dialogOf(page);
    expect(await dialog.evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(false);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    expect(await objections(page, 'dialog')).toEqual([]);
    await dialog.getByRole('button', { name: '复制文字' }).click();
    await dialog.getByText('已复制。').waitFor();
    expect(await copied(page)).toMatch(/\n第 20 步，学自唐诗\n一个由 [\d,]+ 个数组成的模型，/);
  });
});

describe('a link with the reader’s own text', () => {
  const mine = 'anna\nhanna\njohanna\n'.repeat(12);
  const linkLine = (page: Page) => page.locator('#text-link');

  it('stands below that text alone, and holds the text and its settings', async () => {
    const { page, text, reach } = await mount(['text', 'text-link', 'settings'], 'names', {
      context,
    });
    const copy = linkLine(page).getByRole('button');
    expect(await copy.isVisible()).toBe(false);
    await text.fill(mine);
    await reach('ready');
    await copy.and(page.getByRole('button', { name: 'Copy the link with my text' })).click();
    await page.getByText(/^Copied, with your text: /).waitFor();
    const link = new URL(await copied(page));
    await page.getByText(`with your text: ${String(link.href.length)} characters.`).waitFor();
    const sent = await readSent(link.hash, link.href);
    expect(new TextDecoder().decode(sent.text)).toBe(mine);
    const words = new URLSearchParams(link.hash.slice(1));
    expect([words.get('steps'), words.get('text')]).toEqual(['60', null]);
  });

  it('is what the card gives, too', async () => {
    const page = await openCard({ text: mine, step: 20 }, 'rhyme');
    const dialog = dialogOf(page);
    const from = dialog.getByRole('textbox', { name: 'What it learned from' });
    expect(await from.inputValue()).toBe('a text of my own');
    await dialog.getByRole('button', { name: 'Copy the link with my text' }).click();
    await dialog.getByText(/^Copied, with your text/).waitFor();
    const { hash } = new URL(await copied(page));
    expect(hash).toMatch(/[#&]packed=[\w-]{20,}/);
    // And the chosen lines, with which the page greets the reader of the link.
    const chosen = dialog.locator('label:has(input:checked) .card-line');
    const lines = giftLines(new URLSearchParams(hash.slice(1)).get('card')!);
    expect([...lines].sort()).toEqual((await chosen.allInnerTexts()).sort());
  });

  it('is not made of a text that is too long, which is said with what to do', async () => {
    const { page, hold } = await mount(['text', 'text-link'], 'names', { context });
    // The page does not send a text this long to the engine.
    await hold('setText');
    // Random digits compress little.
    let seed = 1;
    const next = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0);
    const long = Array.from({ length: 16_000 }, () => String(next())).join('\n');
    const file = { name: 'long.txt', mimeType: 'text/plain', buffer: Buffer.from(long) };
    await page.getByLabel('Open a file…').setInputFiles(file);
    await page.getByText('long.txt, ').waitFor();
    await linkLine(page).getByRole('button').click();
    await page
      .getByText(
        /^Not copied: your text has [\d,]+ packed characters, and a link holds up to 60,000 packed characters\. Shorten it/,
      )
      .waitFor();
  });

  it('can be copied by hand where the clipboard is refused', async () => {
    const { page } = await mount(['text', 'text-link'], 'rhyme', {
      text: mine,
      before: (one) =>
        one.evaluate(() => {
          navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));
        }),
    });
    await linkLine(page).getByRole('button').click();
    await page.getByText('copy it by hand').waitFor();
    const field = linkLine(page).getByRole('textbox', { name: 'The link' });
    expect(await field.inputValue()).toContain('packed=');
    const isSelected = (one: HTMLInputElement) => one.selectionEnd === one.value.length;
    expect(await field.evaluate(isSelected)).toBe(true);
  });
});
