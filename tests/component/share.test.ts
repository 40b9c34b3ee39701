/** The Share tab creates a lesson: its text, settings and locks in each form. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { readLesson } from '../../web/store/address/lesson.ts';
import { readSent } from '../../web/store/text/sent-text.ts';
import { useComponents } from './mount.ts';
import type { Component, MountOptions } from './mount.ts';
import { inSandbox, MAY_BE_DROPPED } from './sandbox.ts';

const mount = useComponents();

/** Mounts the Share tab with the text. */
const openShare = (hash: string, options: MountOptions = {}): Promise<Component> =>
  mount(['text', 'share'], 'untouched', { hash, ...options });

const snippet = (page: Page): Promise<string> =>
  page.getByRole('textbox', { name: 'What to paste' }).inputValue();
const panelOf = (page: Page): Locator => page.getByRole('tabpanel', { name: 'Share' });
const box = (page: Page, group: string, name: string): Locator =>
  page.getByRole('group', { name: group }).getByRole('checkbox', { name });
const textOf = async (link: string): Promise<string> =>
  new TextDecoder().decode((await readSent(new URL(link).hash, link)).text);

it('promises no run where the settings allow none', async () => {
  const { page } = await openShare('channels=64&heads=5', { state: 'blocked' });
  const said = panelOf(page).getByText(/These settings cannot start a run\. 64 channels/);
  await expect.poll(() => said.count()).toBe(2);
  expect(await panelOf(page).getByText('exactly the same run').count()).toBe(0);
});

it.each([
  ['scored=anna&probe=emma', ': the text of Attention, the text of Token by token.'],
  ['layers=1&probe=', null],
])('says which texts go along in a link to the page with %s', async (hash, list) => {
  const { page } = await openShare(hash);
  await page.getByText('Start then gives exactly the same run').waitFor();
  const along = page.getByText(`The link also contains${list ?? ''}`);
  await expect.poll(() => along.count()).toBe(list === null ? 0 : 1);
});

it('says what is wrong with a step to stop at, and gives no link that leaves it out', async () => {
  const { page } = await openShare('steps=40');
  const stop = page.getByRole('textbox', { name: 'Train automatically and stop at step' });
  const wrong = page.getByText('The step to stop at must be a whole number above 0');
  for (const text of ['-3', '2.5', 'ten']) {
    await stop.fill(text);
    await wrong.waitFor();
    await expect.poll(() => snippet(page)).toBe('');
  }
  await stop.fill('30');
  await expect.poll(() => snippet(page)).toContain('stop=30');
  expect(await wrong.count()).toBe(0);
});

it('makes and copies a link with text, settings, task and locks, and one to the page itself', async () => {
  const mine = 'anna\nbob\nclara & <dora>\n';
  const context = { permissions: ['clipboard-read', 'clipboard-write'] };
  const { page, text } = await openShare('layers=1&steps=40', { context });
  const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  await text.fill(mine);
  await page.getByRole('textbox', { name: 'Task' }).fill('Train it.\n\nThen look.');
  await page.getByRole('textbox', { name: 'Name of the text' }).fill('Three & a <name>');
  // A panel without a name of its own in the form has that of its title.
  await box(page, 'Show', 'The toy').waitFor();
  await box(page, 'Show', 'Attention').uncheck();
  await box(page, 'Lock (read-only for students)', 'Text').check();
  await box(page, 'Hide buttons', 'New seed').check();
  await expect.poll(() => snippet(page)).toMatch(/packed=.*hide=seed|hide=seed.*packed=/);
  const link = await snippet(page);
  const words = new URLSearchParams(new URL(link).hash.slice(1));
  const { show, lock, hide, task } = readLesson(words);
  expect([show?.has('loss'), show?.has('attention'), [...lock], [...hide], task]).toEqual([
    ...[true, false, ['text'], ['seed'], 'Train it.\n\nThen look.'],
  ]);
  expect([words.get('layers'), words.get('steps'), words.get('view')]).toEqual(['1', '40', null]);
  const sent = await readSent(new URL(link).hash, link);
  expect([await textOf(link), sent.textName]).toEqual([mine, 'Three & a <name>']);
  // The note lists the settings chosen outside this tab.
  await page.getByText(/Besides the text it contains: .*Layers 1, Steps 40/).waitFor();
  const teachers = page.getByRole('link', { name: 'For teachers: ready lessons' });
  expect(await teachers.getAttribute('href')).toMatch(/\/docs\/en\/teaching\.html$/);
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByText('Copied.').waitFor();
  await expect.poll(copied).toBe(link);

  await page.getByText('The link opens your own text').waitFor();
  await panelOf(page).getByRole('button', { name: 'Copy the link with my text' }).click();
  await panelOf(page)
    .getByText(/^Copied, with your text/)
    .waitFor();
  const whole = await copied();
  expect(await textOf(whole)).toBe(mine);
  // A reader of the link does not start in the Share tab.
  expect(page.url()).toContain('view=share');
  const here = new URLSearchParams(new URL(page.url()).hash.slice(1));
  const there = new URLSearchParams(new URL(whole).hash.slice(1));
  here.delete('view');
  here.delete('text');
  there.delete('packed');
  expect(there.toString()).toBe(here.toString());
});

it('keeps what was filled in while the teacher looks something up', async () => {
  const { page, reload } = await openShare('layers=1', { keeps: true });
  const task = page.getByRole('textbox', { name: 'Task' });
  const frame = page.getByRole('radio', { name: 'Frame' });
  await task.fill('Watch the second head.');
  await box(page, 'Show', 'Attention').uncheck();
  await box(page, 'Lock', 'Text').check();
  await frame.check();
  await page.getByLabel('Start when scrolled into view').check();
  await expect.poll(() => snippet(page)).toMatch(/second.*autostart|autostart.*second/);
  const before = await snippet(page);
  // The documentation opens in a new tab, because leaving the page would end the run.
  const docs = page.getByRole('link', { name: 'For teachers', exact: true });
  expect(await docs.getAttribute('target')).toBe('_blank');
  await reload();
  await expect.poll(() => task.inputValue()).toBe('Watch the second head.');
  expect(await box(page, 'Show', 'Attention').isChecked()).toBe(false);
  expect(await box(page, 'Lock', 'Text').isChecked()).toBe(true);
  expect(await frame.isChecked()).toBe(true);
  await expect.poll(() => snippet(page)).toBe(before);
});

it('shares a text whole, as a file beside the page where it is too long for a link', async () => {
  const { page, text } = await openShare('steps=40');
  const form = (name: string): Promise<void> => page.getByRole('radio', { name }).check();
  const open = (name: string, buffer: Buffer): Promise<void> =>
    page.locator('#text input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer });
  const sha256 = (bytes: string | Buffer): string =>
    createHash('sha256').update(bytes).digest('hex');
  // Letters that compress little, too many for a link.
  const letters = Array.from({ length: 90_000 }, (_, i) =>
    String.fromCharCode(97 + ((((i * 7919) ^ (i * i * 31)) >>> 3) % 26), 65 + ((i * i * 17) % 23)),
  ).join('');
  await text.fill(letters);
  await page.getByText('The text is too long for the link itself').waitFor();
  const saving = page.waitForEvent('download');
  const leave = await inSandbox(page);
  await page.getByRole('button', { name: 'Save text.txt' }).click();
  await panelOf(page).getByText(MAY_BE_DROPPED).waitFor();
  await leave();
  expect(readFileSync(await (await saving).path(), 'utf8')).toBe(letters);
  await expect.poll(() => snippet(page)).toContain(`file=text.txt&sha256=${sha256(letters)}`);
  await form('Element');
  await expect.poll(() => snippet(page)).toContain(letters);
  // The field shows only the beginning of a file this large; a link names the whole file.
  const long = Buffer.alloc(1_000_001, 'ab\n');
  await open('long.txt', long);
  await page.getByText(/too long for this form: 1,000,001 bytes/).waitFor();
  await expect.poll(() => snippet(page)).toBe('');
  await form('Link');
  await expect.poll(() => snippet(page)).toContain(`file=long.txt&sha256=${sha256(long)}`);
  // HTML would alter a NUL character.
  await open('bytes.txt', Buffer.from('ab\0cd\n'.repeat(9)));
  await expect.poll(() => snippet(page)).toContain('packed=');
  await form('Frame');
  await expect.poll(() => snippet(page)).toMatch(/^<iframe.*packed=/s);
  await form('Element');
  await page.getByText(/This text is not UTF-8 or/).waitFor();
  // A sample text fits into every form.
  await form('Moby-Dick');
  await expect.poll(() => snippet(page)).toContain('sample="moby"');
});
