/** Every input error appears at the control that can correct it, and no other input is lost. */
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { useComponents } from './mount.ts';
import type { Component, MountOptions } from './mount.ts';

const mount = useComponents();
const folder = mkdtempSync(join(tmpdir(), 'glasshouse-'));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Mounts text, settings and plan, without chosen settings. */
const form = (options: MountOptions = {}, more: readonly string[] = []): Promise<Component> =>
  mount(['text', 'settings', 'plan', ...more], 'untouched', options);

/** Writes a file with this content and returns its path. */
function fileOf(name: string, content: Uint8Array | string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const choose = ({ page }: Component, path: string): Promise<void> =>
  page.locator('#text input[type=file]').setInputFiles(path);

/** Checks that the sample text works again after an error. */
async function recovers(driven: Component): Promise<void> {
  await driven.page.getByRole('radio', { name: 'English names' }).check();
  await driven.reach('ready');
}

describe('texts that cannot be learned', () => {
  it('the reader’s own text before it is there: asked for once, and not as a mistake', async () => {
    const driven = await form();
    const { page } = driven;
    await page.getByRole('radio', { name: 'Your own' }).check();
    await driven.reach('blocked');
    const said = page.getByText('There is no text yet.').filter({ visible: true });
    await expect.poll(() => said.count()).toBe(1);
    await expect.poll(() => said.getAttribute('class')).not.toContain('error');
    await expect.poll(() => driven.text.getAttribute('aria-invalid')).toBe('false');
    await driven.text.fill('anna\nbea\n');
    await driven.reach('ready');
  });

  it('what was wrong is not read out once it is mended', async () => {
    const { page, text } = await form({ hash: 'preset=tinygpt' });
    const spoken = page.locator('[data-part=spoken]');
    await text.fill('x');
    await expect.poll(() => spoken.textContent()).toMatch(/needs at least/);
    await text.fill('');
    await expect.poll(() => spoken.textContent()).toBe('');
    await text.fill('long enough for a context of tokens '.repeat(9));
    await expect.poll(() => spoken.textContent()).toBe('Ready, at step 0');
  });

  it.each([
    ['photo.txt', '\x89PNG\r\n\x1a\n', /photo\.txt is not a text but a picture \(PNG\)/],
    ['chat', 'SQLite format 3\0', /chat is not a text but a database \(SQLite\)/],
    ['paper', '%PDF-1.4', /paper is not a text but a document \(PDF\)/],
    ['empty.txt', '', /empty\.txt is empty\. Your text stays as it was\./],
  ])('%s: refused by its bytes, and what was there stays', async (name, content, message) => {
    const driven = await form();
    const { page, text } = driven;
    const before = await text.inputValue();
    await choose(driven, fileOf(name, Buffer.from(content, 'latin1')));
    await page.locator('[data-part=text-error]').getByText(message).waitFor();
    await expect.poll(() => text.inputValue()).toBe(before);
    // The sample is not labelled as the reader's own text.
    const sample = page.getByRole('radio', { name: 'English names' });
    await expect.poll(() => sample.isChecked()).toBe(true);
    expect(page.url()).not.toContain('text=own');
    await recovers(driven);
  });

  it('a drawing in SVG is text', async () => {
    const driven = await form();
    await choose(driven, fileOf('drawing.svg', '<svg>\n</svg>\n'.repeat(9)));
    await driven.page.getByText('drawing.svg,').waitFor();
  });

  it('an empty text: asks for one, and louder where Start was pressed in vain', async () => {
    const driven = await form();
    await driven.text.fill('');
    await driven.page.getByText('There is no text yet.').first().waitFor();
    await driven.reach('blocked');
    const asked = driven.page.locator('[data-part=text-error]');
    const isError = () => asked.evaluate((line) => line.classList.contains('error'));
    await expect.poll(() => isError()).toBe(false);
    await driven.start.click();
    await expect.poll(() => isError()).toBe(true);
    await expect.poll(() => driven.text.getAttribute('aria-invalid')).toBe('true');
    expect(await driven.step()).toBe(0);
    await recovers(driven);
  });

  it('one character as a stream: says how much is needed', async () => {
    const driven = await form({ hash: 'preset=tinygpt' });
    await driven.text.fill('x');
    const said = driven.page.getByText(/The text has 1 token, but a context of 64/);
    await said.first().waitFor();
    await expect.poll(() => driven.text.inputValue()).toBe('x');
    await recovers(driven);
  });

  it('one character as a document can be learned', async () => {
    const driven = await form();
    await driven.text.fill('x');
    const vocabulary = driven.page.locator('[data-part=plan-vocab]');
    await expect.poll(() => vocabulary.textContent()).toBe('2');
    await driven.reach('ready');
  });

  it('a text shorter than the context: says so at the text, and a shorter context mends it', async () => {
    const driven = await form({ hash: 'preset=tinygpt' });
    await driven.text.fill('Not quite long enough for that.');
    const said = driven.page.locator('[data-part=text-error]').getByText(/needs at least/);
    await said.waitFor();
    await driven.page.getByRole('textbox', { name: 'Context', exact: true }).fill('4');
    await driven.reach('ready');
  });

  it('a text with NUL: learned', async () => {
    const driven = await form({ hash: 'steps=20' });
    await choose(driven, fileOf('nul.txt', 'ab\0cd\nef\0gh\n'));
    // Characters a to h, NUL and the newline.
    const vocabulary = driven.page.locator('[data-part=plan-vocab]');
    await expect.poll(() => vocabulary.textContent()).toBe('10');
    await driven.train();
    await driven.reach('finished');
  });

  it('bytes of all values: no text in any encoding', async () => {
    const bytes = Uint8Array.from({ length: 4000 }, (_, index) => (index * 7) % 256);
    const driven = await form();
    await choose(driven, fileOf('bytes.txt', bytes));
    await driven.page.getByText('bytes.txt is not a text but binary data.').waitFor();
    await recovers(driven);
  });

  it('a file with characters that its encoding does not have: says how many, and is not called whole', async () => {
    const driven = await form({}, ['text-check']);
    const { page } = driven;
    const broken = Buffer.concat([Buffer.from('pårdon\ncafé\nête\n'.repeat(9)), Buffer.of(0xff)]);
    await choose(driven, fileOf('broken.txt', broken));
    await page
      .getByText('1 character cannot be read in this encoding and appears as � in the text.')
      .waitFor();
    await page.getByRole('button', { name: 'Check the text' }).click();
    await page.getByText('Characters that were lost when the file was read: 1.').waitFor();
  });

  it('control characters, in pictures: signs stand for them', async () => {
    const driven = await mount(['text', 'attention'], 'small');
    const { page } = driven;
    await choose(driven, fileOf('log.txt', 'a \x1b[31m\0\ufffe red\nb\n'.repeat(9)));
    await driven.page.getByText('log.txt,').waitFor();
    await driven.reach('ready');
    await driven.oneStep.click();
    await expect.poll(() => driven.step()).toBe(1);
    const attention = page.locator('#attention');
    await attention.getByRole('button', { name: 'Arcs' }).click();
    await attention.getByRole('button', { name: 'Save as PNG: the attention arcs' }).click();
    await attention.getByText('Saved: ').waitFor();
  });

  it('a file beyond the limit: refused before it is read, and what was there stays', async () => {
    const path = join(folder, 'huge.txt');
    const handle = openSync(path, 'w');
    ftruncateSync(handle, 300e6);
    closeSync(handle);
    const driven = await form();
    const before = await driven.text.inputValue();
    await choose(driven, path);
    await driven.page.getByText('The file has 300 MB, but at most 256 MB').first().waitFor();
    await expect.poll(() => driven.text.inputValue()).toBe(before);
    await recovers(driven);
  });
});

describe('settings that cannot be', () => {
  it('heads that do not divide channels: marked at both, said at one', async () => {
    const driven = await form();
    const { page } = driven;
    const field = (name: string) => page.getByRole('textbox', { name, exact: true });
    const place = (): Promise<number> =>
      field('Heads').evaluate((one) => one.getBoundingClientRect().top + scrollY);
    await page.getByText('5,000 steps cover 60% of the text').waitFor();
    const stays = await place();
    await field('Heads').fill('5');
    const text = '64 channels cannot be shared equally by 5 heads';
    const said = page.locator('#settings').getByText(text).filter({ visible: true });
    await said.waitFor();
    expect(await place()).toBeCloseTo(stays, 0);
    for (const name of ['Heads', 'Channels']) {
      await expect.poll(() => field(name).getAttribute('aria-invalid')).toBe('true');
    }
    await field('Heads').fill('8');
    await driven.reach('ready');
    await expect.poll(() => said.count()).toBe(0);
  });

  it.each([
    ['Layers', '0', 'Layers is 0, but must be from 1 to 96'],
    ['Layers', '-3', 'Layers is −3, but must be from 1 to 96'],
    ['Context', '1e99', 'must be from 2 to 8,192'],
    ['Batch', '2.5', 'Batch is 2.5, but must be a whole number'],
    ['Steps', 'many', 'Steps must be a number from 1 to 1,000,000,000'],
    ['Learning rate', '', 'Learning rate must be a number from 0 to 10'],
  ])('%s of “%s”: “%s”', async (name, value, message) => {
    const driven = await form();
    const { page } = driven;
    const input = page.getByRole('textbox', { name, exact: true });
    await input.fill(value);
    await page.locator('.field').filter({ has: input }).getByText(message).waitFor();
    await expect.poll(() => input.getAttribute('aria-invalid')).toBe('true');
    // The typed value stays, and Start moves the focus to it.
    await expect.poll(() => input.inputValue()).toBe(value);
    await driven.start.click();
    const hasFocus = () => input.evaluate((element) => element === document.activeElement);
    await expect.poll(hasFocus).toBe(true);
    await expect.poll(() => driven.step()).toBe(0);
  });

  it('several in an address: all are said at once, at the fields and at Start', async () => {
    const hash = 'layers=0&batch=2.5&lr=hot&heads=3&channels=16&sample=tang&view=nothing';
    const { page, run } = await mount('page', 'untouched', { hash, state: 'blocked' });
    const all = [
      'Layers is 0, but must be from 1 to 96.',
      'Batch is 2.5, but must be a whole number.',
      'Learning rate must be a number from 0 to 10.',
      '16 channels cannot be shared equally by 3 heads. Choose a number of heads that divides the channels.',
    ];
    const message = run.locator('[data-part=run-message]');
    await expect.poll(() => message.textContent()).toBe(all.join(' '));
    for (const said of all) await page.locator('#settings').getByText(said).first().waitFor();
    // Unknown parameters are named; the address keeps only those that the reader can correct.
    await page.getByText('sample=tang, view=nothing').waitFor();
    await expect.poll(() => page.url()).not.toMatch(/nothing|sample/);
    expect(page.url()).toMatch(/[#&]lr=hot(&|$)/);
    await page.getByRole('textbox', { name: 'Learning rate', exact: true }).fill('0.01');
    await expect.poll(() => page.url()).toMatch(/[#&]lr=0\.01(&|$)/);
  });

  it('a model that cannot be, in the address: said where the curve would be, until it is mended', async () => {
    const options = { hash: 'layers=999', state: 'blocked' };
    const { page, reach } = await form(options, ['loss']);
    const hint = page.locator('.loss-hint');
    await hint.getByText('The curve appears as soon as training can begin.').waitFor();
    await page.getByRole('textbox', { name: 'Layers', exact: true }).fill('1');
    await reach('ready');
    await hint.getByText('The curve begins at the dotted line').waitFor();
  });

  it('a model too large for the memory: said before any is taken', async () => {
    const options = { hash: 'channels=8192&layers=96&heads=64', state: 'blocked' };
    const { page, start } = await mount('page', 'untouched', options);
    const said = page.getByText(/This needs 1\.2 TB of memory, but at most 4\.2 GB/);
    await said.first().waitFor();
    // The disabled button still leads to the reason when pressed.
    await expect.poll(() => start.getAttribute('aria-disabled')).toBe('true');
    await start.click({ force: true });
    const told = page.locator('[data-part=run-message]');
    const hasFocus = () => told.evaluate((element) => element === document.activeElement);
    await expect.poll(hasFocus).toBe(true);
    expect(await told.textContent()).not.toContain('previous run');
    await page.getByRole('button', { name: 'Back to the preset' }).click();
    await expect.poll(() => start.getAttribute('aria-disabled')).toBe('false');
  });

  it('a model too large for the memory: counted all the same, with what it would need', async () => {
    const driven = await form();
    const { page } = driven;
    const shown = (part: string): Promise<string | null> =>
      page.locator(`[data-part=plan-${part}]`).textContent();
    await page.getByRole('textbox', { name: 'Channels' }).fill('8192');
    await driven.reach('blocked');
    // The token count of the text is unchanged: 27 tokens with 8,192 numbers each.
    await expect.poll(() => shown('parameters')).toMatch(/^1,61\d,\d{3},\d{3}$/);
    const needed = page.getByText(`This needs ${String(await shown('memory'))} of memory`);
    await needed.first().waitFor();
    expect(await shown('vocab')).toBe('27');
    expect(await shown('random')).toBe('3.30');
    // The panels below still show the previous model.
    const message = driven.run.locator('[data-part=run-message]');
    await expect
      .poll(() => message.textContent())
      .toContain('You are still looking at the previous run.');
    // A new text has other tokens, and the page has not counted them yet.
    await driven.text.fill('anna hanna nina\n'.repeat(40));
    await expect.poll(() => shown('parameters')).toBe('–');
  });

  it('a loss that stops being a number: says where and what to do', async () => {
    const driven = await mount(['settings', 'loss'], 'diverged');
    const { page } = driven;
    await driven.start.click();
    await driven.reach('diverged');
    const said = page.getByText(/At step \d+ the loss stopped being a number/);
    await said.first().waitFor();
    await page.getByRole('button', { name: /tenth of the learning rate/ }).click();
    await driven.reach('ready');
    const rate = page.getByRole('textbox', { name: 'Learning rate', exact: true });
    await expect.poll(() => rate.inputValue()).toBe('1');
  });
});

describe('words the model has no tokens for', () => {
  it('are named for the attention text, and the last picture stays', async () => {
    const { page, probe } = await mount('attention', 'names');
    await page.locator('.attention-canvas').waitFor();
    // The message names every missing character, blanks by their names.
    await probe.fill('zoë 猫\t😀 Éé');
    const all =
      'no token for “ë” (U+00EB), the space, “猫” (U+732B), the tab, “😀” (U+1F600) and 2 more: its training text';
    await page.getByText(all).waitFor();
    await expect.poll(() => page.locator('.attention-canvas').isVisible()).toBe(true);
    await probe.fill('zoe');
    await expect.poll(() => page.getByText('no token for “ë”').count()).toBe(0);
  });

  it.each([
    // The poems contain a full-width comma, but no question mark.
    [
      '',
      'no token for the plain “,” (U+002C): its training text',
      'no token for “？” (U+FF1F): its training text',
    ],
    ['lang=zh', '半角的“,”（U+002C）', '“？” (U+FF1F)'],
  ])('are told from signs that look like them, with %s', async (hash, plain, other) => {
    const { page } = await mount('attention', 'tang', { hash });
    const probe = page.locator('#attention').getByRole('textbox').first();
    for (const [text, said] of [
      ['春,', plain],
      ['春？', other],
    ] as const) {
      await probe.fill(text);
      await page.locator('#attention').getByText(said).waitFor();
    }
  });

  it('are not left over from a sample text: its prompt goes when one types another text', async () => {
    // Makes the window tall enough for both prompts: the page updates visible panels only.
    const viewport = { width: 1280, height: 2400 };
    const panels = ['text', 'ask', 'plan', 'write'];
    const { page, text, prompt } = await mount(panels, 'tang', { viewport });
    const prompts = async (): Promise<string> =>
      (await Promise.all((await prompt.all()).map((field) => field.inputValue()))).join();
    await expect.poll(prompts).toBe('春,春');
    await text.fill('tick tock\n'.repeat(20));
    await expect.poll(prompts).toBe(',');
    await page.locator('[data-part=plan-vocab]').filter({ hasText: /^7$/ }).waitFor();
    await expect.poll(() => page.locator('.error:visible').count()).toBe(0);
  });

  it('are named for the prompt', async () => {
    const { page, prompt } = await mount('ask', 'names');
    await prompt.fill('愛 z');
    await page.getByRole('button', { name: 'Write' }).click();
    await page.getByText('no token for “愛” (U+611B), the space: its training text').waitFor();
    await expect.poll(() => prompt.inputValue()).toBe('愛 z');
  });
});
