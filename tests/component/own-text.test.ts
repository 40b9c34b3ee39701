/**
 * The reader's own text: kept over a reload from every source, with its settings, and an
 * explanation where the text is missing.
 */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { filesWritten, focused } from '../browser/driver.ts';
import { useComponents } from './mount.ts';
import type { Component, MountOptions } from './mount.ts';

const mount = useComponents();

/** Mounts texts, settings, plan and model files, without chosen settings. */
const form = (options: MountOptions = {}): Promise<Component> =>
  mount(['text', 'settings', 'plan', 'model'], 'untouched', options);

/** Mounts the form on a page that stores texts. */
const keeping = (options: MountOptions = {}): Promise<Component> =>
  form({ keeps: true, ...options });

/** Chooses a text file through the page's file input. */
async function choose({ page }: Component, name: string, content: string): Promise<void> {
  const file = { name, mimeType: 'text/plain', buffer: Buffer.from(content) };
  await page.getByLabel('Open a file…').setInputFiles(file);
}

/** Sets the field's value at once: typing a long text takes a browser seconds. */
const putIn = (field: Locator, text: string): Promise<void> =>
  field.evaluate((area: HTMLTextAreaElement, all) => {
    area.value = all;
    area.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }, text);

const source = (page: Page, name: string): Locator => page.getByRole('radio', { name });
const back = (page: Page): Locator =>
  page.getByRole('button', { name: 'Back to the previous text' });
const note = (page: Page, said: string | RegExp): Locator =>
  page.locator('#text .note', { hasText: said });

const NAMES = 'anna\nhanna\n'.repeat(20);
const SONG = 'the lights go out\nand the road is long\n'.repeat(20);

describe('a reload', () => {
  it('brings an opened file back, byte for byte and by its name, that was never learned', async () => {
    const driven = await keeping({ hash: 'text=own', state: 'blocked' });
    const { page, text, reload } = driven;
    await text.fill('typed before\n'.repeat(20));
    const content = 'anna\r\nhanna\r\nnina\r\n'.repeat(20);
    await choose(driven, 'names.txt', content);
    await page.getByText('names.txt, 380 B').waitFor();
    await filesWritten(driven, 1);
    await reload();
    await page.getByText('names.txt, 380 B').waitFor();
    await expect.poll(() => text.inputValue()).toBe(content.replaceAll('\r', ''));
    // Viewing a sample and reloading does not lose the file's text.
    await source(page, 'Moby-Dick').check();
    await expect.poll(() => page.url()).toContain('text=moby');
    await page.getByText('Moby-Dick by Herman Melville').waitFor();
    // The sample's description appears before its text has loaded.
    await expect.poll(() => text.inputValue()).toMatch(/Ishmael|whale/i);
    await reload();
    await source(page, 'Your own').check();
    await page.getByText('names.txt, 380 B').waitFor();
    // A reload restores the most recently typed text.
    await text.fill('typed after\n'.repeat(20));
    // The settings of the sample do not suit so short a text.
    await expect.poll(() => page.url()).toMatch(/#text=own&preset=microgpt/);
    await reload();
    await expect.poll(() => text.inputValue()).toBe('typed after\n'.repeat(20));
  });

  it('brings back what was typed, however long, for the field to go on with', async () => {
    const driven = await keeping();
    const { text } = driven;
    const long = 'the quick brown fox jumps over the lazy dog\n'.repeat(23_000);
    await putIn(text, long);
    await filesWritten(driven, 1);
    await driven.reload();
    await expect.poll(async () => (await text.inputValue()).length).toBeGreaterThan(1000);
    await text.focus();
    await expect.poll(async () => (await text.inputValue()) === long).toBe(true);
    await expect.poll(() => text.isEditable()).toBe(true);
  });

  it('keeps the encoding that was chosen for a file', async () => {
    const driven = await keeping({ hash: 'text=own', state: 'blocked' });
    const { page, text } = driven;
    const readAs = page.getByLabel('Encoding');
    await page
      .locator('#text input[type=file]')
      .setInputFiles(new URL('../fixtures/texts/hu.txt', import.meta.url).pathname);
    await expect.poll(() => text.inputValue()).toBe('erdő, mező\n');
    expect(await readAs.inputValue()).toBe('windows-1250');
    await readAs.selectOption('Windows-1252');
    await expect.poll(() => text.inputValue()).toBe('erdõ, mezõ\n');
    await filesWritten(driven, 2);
    await driven.reload();
    await expect.poll(() => text.inputValue()).toBe('erdõ, mezõ\n');
    expect(await readAs.inputValue()).toBe('windows-1252');
    await readAs.selectOption('Windows-1250');
    await expect.poll(() => text.inputValue()).toBe('erdő, mező\n');
    // Typed text has no file encoding to choose.
    await text.fill('typed');
    await expect.poll(() => readAs.isVisible()).toBe(false);
  });

  it('is told of where the browser has no room for the text, before it is lost and after', async () => {
    // Uses a new context, because its storage stays full.
    const full = (page: Page) =>
      page.addInitScript(() => {
        IDBObjectStore.prototype.put = () => {
          throw new DOMException('no room', 'QuotaExceededError');
        };
      });
    const context = { userAgent: 'a browser without room' };
    const driven = await keeping({ context, before: full, state: '' });
    const { page, text, reload } = driven;
    await reload();
    await choose(driven, 'names.txt', NAMES);
    const told = page.getByText('This browser cannot save this text');
    await told.waitFor();
    await source(page, 'Moby-Dick').check();
    await told.waitFor({ state: 'hidden' });
    await source(page, 'Your own').check();
    await told.waitFor();
    await reload('blocked');
    await page
      .locator('[data-part=text-error]')
      .getByText('The browser lost your text when the page was reloaded.')
      .waitFor();
    // The page stores typed texts in another place.
    await text.fill(NAMES);
    await driven.reach('ready');
    await told.waitFor({ state: 'hidden' });
  });
});

describe('a sample text that is looked at', () => {
  it('loses nothing of the reader’s own text when one key is typed into it', async () => {
    const { page, text, reach, reload } = await keeping();
    await text.fill(SONG);
    await reach('ready');
    await source(page, 'Moby-Dick').check();
    await expect.poll(() => text.inputValue()).toMatch(/Ishmael|whale/i);
    await text.focus();
    await page.keyboard.press('x');
    await note(page, 'An earlier text of your own is saved.').waitFor();
    expect(await source(page, 'Your own').isChecked()).toBe(true);
    await page.keyboard.press('y');
    await reload();
    await expect.poll(() => text.inputValue()).toMatch(/Ishmael|whale/i);
    await back(page).click();
    await expect.poll(() => text.inputValue()).toBe(SONG);
    // The second press restores the text typed into the sample.
    await back(page).click();
    await expect.poll(() => text.inputValue()).toMatch(/Ishmael|whale/i);
  });

  it('changes nothing in how the reader’s own text is trained, and says whose preset it is', async () => {
    const { page, text } = await form({ hash: 'preset=microgpt' });
    await text.fill(SONG);
    await expect.poll(() => page.url()).toMatch(/#text=own&preset=microgpt$/);
    await source(page, 'Moby-Dick').check();
    await note(page, 'The preset is now gpt2, which suits this text.').waitFor();
    await source(page, 'English names').check();
    await note(page, 'The preset is now microgpt, which suits this text.').waitFor();
    await source(page, 'Moby-Dick').check();
    await source(page, 'Your own').check();
    await note(page, 'The preset is microgpt again, as before with this text.').waitFor();
    await expect.poll(() => page.url()).toMatch(/#text=own&preset=microgpt$/);
    await note(page, 'Read line by line').waitFor();
    // Typing keeps the settings and removes the note about them.
    await text.press('x');
    await note(page, 'The preset is microgpt again').waitFor({ state: 'hidden' });
    // A manual change made with a sample stays, and a note reports it.
    await source(page, 'Moby-Dick').check();
    await note(page, 'The preset is now gpt2').waitFor();
    await page.locator('#settings [data-option=channels] input').fill('96');
    await source(page, 'Your own').check();
    await note(page, 'Your changes to the settings are kept, although this text had the preset microgpt.').waitFor(); // prettier-ignore
    await expect.poll(() => page.url()).toMatch(/channels=96/);
    // The manual change also stays with the next sample.
    await source(page, 'Moby-Dick').check();
    // The note does not name what the page had set for Moby-Dick.
    await note(page, 'Your changes to the settings are kept: Channels 96.').waitFor();
    await source(page, 'Your own').check();
    await source(page, 'microgpt').check();
    await note(page, 'Your changes to the settings are kept').waitFor({ state: 'hidden' });
    // Typing into a sample also restores the reader's preset with the reader's text.
    await source(page, 'Moby-Dick').check();
    await note(page, 'The preset is now gpt2').waitFor();
    await text.press('x');
    await expect.poll(() => page.url()).toMatch(/#text=own&preset=gpt2&layers=2&steps=4000$/);
    await back(page).click();
    await expect.poll(() => page.url()).toMatch(/#text=own&preset=microgpt$/);
    await expect.poll(() => source(page, 'microgpt').isChecked()).toBe(true);
    // One press restores a manually chosen preset.
    await source(page, 'tinygpt').check();
    await source(page, 'Tang poems (Chinese)').check();
    await note(page, 'The preset is now microgpt').waitFor();
    await page.getByRole('button', { name: 'Keep tinygpt' }).click();
    await expect.poll(() => page.url()).toMatch(/#text=tang&preset=tinygpt$/);
    await note(page, 'The preset is now microgpt').waitFor({ state: 'hidden' });
    await note(page, 'This text suits the preset microgpt better.').waitFor();
  });
});

it('leaves a text over which a chat was pasted to come back, and the chat loses its dates at one press', async () => {
  const { page, text, reach } = await mount('page', 'untouched');
  await text.fill(SONG);
  await reach('ready');
  const said = ['hi', 'how are you', 'fine', 'see you tomorrow'];
  const chat = Array.from(
    { length: 40 },
    (_, at) => `[12.03.24, 18:${at + 10}:00] ${at % 2 ? 'Bea' : 'Anna'}: ${said[at % 4]!} ${at}`,
  );
  await text.fill(chat.join('\n'));
  await note(page, 'An earlier text of your own').waitFor();
  await page.getByRole('button', { name: /^Check the text/ }).click();
  const checks = page.locator('#text-check');
  await checks.getByText('Messages with a date or time: 40.').waitFor();
  await checks.getByText('“[12.03.24, 18:10:00] Anna: hi 0” → “Anna: hi 0”').waitFor();
  await checks.getByRole('button', { name: /^Remove dates and times/ }).click();
  await expect.poll(() => text.inputValue()).toMatch(/^Anna: hi 0\nBea: how are you 1\n/);
  await back(page).click();
  await expect.poll(() => text.inputValue()).toMatch(/^the lights go out/);
});

describe('a link to a run on somebody’s own text', () => {
  it.each([
    ['', /^This link does not include the text\. Ask for a link with the text/],
    ['&lang=zh', /^这个链接不含文本。/],
  ])('says quietly that the text is not in it: #text=own%s', async (lang, said) => {
    const driven = await keeping({ hash: `text=own&layers=1${lang}`, state: 'blocked' });
    const { page, run } = driven;
    const told = page.locator('[data-part=text-error]');
    await expect.poll(() => told.textContent()).toMatch(said);
    await expect.poll(() => told.getAttribute('class')).not.toContain('error');
    // The Start button shows no second message; it moves the focus to the text field.
    await expect.poll(() => page.getByText(/There is no text yet|还没有文本/).count()).toBe(0);
    await run.getByRole('button').first().click();
    const area = page.locator('#text textarea');
    await focused(area);
    await area.fill(NAMES);
    await driven.reach('ready');
    await expect.poll(() => told.isVisible()).toBe(false);
  });

  it('is told from the reader’s own text that one has only not typed yet', async () => {
    const { page, reload } = await keeping();
    await source(page, 'Your own').check();
    const asked = page.getByText('There is no text yet.').filter({ visible: true });
    await asked.waitFor();
    await reload('blocked');
    await asked.waitFor();
  });
});

it.each(['preset=tinygpt', 'preset=microgpt', 'lang=zh'])(
  'says of a text of nothing but blanks that, and nothing else, at #%s',
  async (hash) => {
    const { page, reach } = await form({ hash });
    const area = page.locator('#text textarea');
    await area.fill(' \n\t\u3000\n'.repeat(100));
    await page.getByText(/This text has only spaces|这篇文本只有空白/).waitFor();
    await reach('blocked');
    await expect.poll(() => page.locator('.error:visible').count()).toBe(0);
    await area.fill(NAMES);
    await reach('ready');
    await expect.poll(() => page.locator('.error:visible').count()).toBe(0);
  },
);

it('refuses RTF that is pasted or opened, and says what to do', async () => {
  const driven = await form();
  const { page, reach } = driven;
  const area = page.locator('#text textarea');
  await choose(driven, 'letter.txt', '{\\rtf1\\ansi hello}');
  await page
    .getByText(/letter\.txt is not a text but a document \(RTF\)\. Save it as plain/)
    .waitFor();
  await area.fill(`{\\rtf1\\ansi\\deff0 ${'anna\\par bea '.repeat(20)}}`);
  await page
    .getByText(/This is an RTF file.*Save it as plain text/)
    .first()
    .waitFor();
  await reach('blocked');
  await expect.poll(() => area.getAttribute('aria-invalid')).toBe('true');
  await area.fill(NAMES);
  await reach('ready');
});

it('speaks of the second of two wrong files', async () => {
  const driven = await form();
  const { page } = driven;
  const textError = page.locator('[data-part=text-error]');
  const modelError = page.locator('#model').getByText(/is not a model|no file of a model/);
  await choose(driven, 'empty.txt', '');
  await textError.getByText('empty.txt is empty.').waitFor();
  const model = { name: 'model.txt', mimeType: 'text/plain', buffer: Buffer.from('no model') };
  await page.getByLabel('Open a model…').setInputFiles(model);
  await modelError.waitFor();
  await expect.poll(() => textError.isVisible()).toBe(false);
  await choose(driven, 'nothing.txt', '');
  await textError.getByText('nothing.txt is empty.').waitFor();
  await expect.poll(() => modelError.count()).toBe(0);
});

// Encoding, hashing, storing and sending a megabyte on every key would delay typing.
it('takes letters of a long text in together, at a pause or when the field is left', async () => {
  const { page, text, reach, rest } = await form({ hash: 'text=own', state: 'blocked' });
  const encoded = (): Promise<number> => page.evaluate(() => window.encoded!.length);
  await page.evaluate(() => {
    window.encoded = [];
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called on the encoder below
    const { encode } = TextEncoder.prototype;
    TextEncoder.prototype.encode = function (letters = '') {
      if (letters.length > 90_000) window.encoded?.push(letters.length);
      return encode.call(this, letters);
    };
  });
  await putIn(text, 'the wind has fallen and the tide is out\n'.repeat(2500));
  await reach('ready');
  await rest();
  /** Types the letters in one task, without a pause; returns the number of full encodings. */
  const type = (letters: string, leave: boolean): Promise<number> =>
    text.evaluate(
      (area: HTMLTextAreaElement, [all, leaves]) => {
        window.encoded!.length = 0;
        area.focus();
        for (const letter of all) {
          area.setRangeText(letter, area.textLength, area.textLength, 'end');
          area.dispatchEvent(new InputEvent('input', { bubbles: true, data: letter }));
        }
        if (leaves) area.blur();
        return window.encoded!.length;
      },
      [letters, leave] as const,
    );
  expect(await type('and so', false)).toBe(0);
  await expect.poll(encoded).toBe(1);
  await rest();
  expect(await type(' to bed', true)).toBe(1);
  await expect.poll(() => text.inputValue().then((all) => all.slice(-13))).toBe('and so to bed');
});

declare global {
  interface Window {
    /** Lengths of the long texts passed to TextEncoder. */
    encoded?: number[];
  }
}

it('undo after a sample text was chosen brings back what was typed, as the reader’s own', async () => {
  const { page, text } = await form();
  await text.press('Control+A');
  await page.keyboard.type('my own words');
  await source(page, 'Moby-Dick').check();
  await expect.poll(() => text.inputValue()).toMatch(/Ishmael/);
  await page.keyboard.press('Control+Z');
  await expect.poll(() => text.inputValue()).toBe('my own words');
  await expect.poll(() => source(page, 'Your own').isChecked()).toBe(true);
  // A second undo, with nothing to bring back, leaves the text and its origin.
  await source(page, 'Moby-Dick').check();
  await expect.poll(() => text.inputValue()).toMatch(/Ishmael/);
  await page.keyboard.press('Control+Z');
  await page.keyboard.press('Control+Z');
  await page.keyboard.press('Control+Shift+Z');
  await expect.poll(() => text.inputValue()).toBe('my own words');
});

it('undo after a file was opened brings back what was typed, as the button does', async () => {
  const driven = await form();
  const { page, text } = driven;
  // Set by a script: the browser itself has nothing to undo.
  await putIn(text, 'my own words, and more of them');
  await source(page, 'Moby-Dick').check();
  await source(page, 'Your own').check();
  await choose(driven, 'song.txt', SONG);
  await expect.poll(() => text.inputValue()).toBe(SONG);
  await text.focus();
  await page.keyboard.press('Control+Z');
  await expect.poll(() => text.inputValue()).toBe('my own words, and more of them');
  await expect.poll(() => source(page, 'Your own').isChecked()).toBe(true);
});
