/**
 * The reader's own text: kept over a reload however it came, and said in words where it is not
 * there.
 */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { eventually, filesWritten } from './driver.ts';
import type { Driven } from './driver.ts';
import { packText } from '../../web/store/text/packed-text.ts';
import { siteUrl } from './harness.ts';
import { storedSaves } from './saved-runs.ts';
import { useSites } from './sites.ts';

const site = useSites();

/** A text file, chosen as a person would. */
async function choose({ page }: Driven, name: string, content: string): Promise<void> {
  const file = { name, mimeType: 'text/plain', buffer: Buffer.from(content) };
  await page.getByLabel('Open a file…').setInputFiles(file);
}

const source = (page: Page, name: string) => page.getByRole('radio', { name });

describe('a reload', () => {
  it('takes the text that a link holds, brings it back after a reload, and keeps the reader’s own beside it', async () => {
    const sent = 'anna\nbob\n'.repeat(9);
    const { page } = await site({ hash: 'text=own', state: 'blocked' });
    const field = page.getByRole('textbox', { name: 'The text to learn' });
    await field.fill('mine\nand more\n'.repeat(9));
    await page.locator('#run[data-state=ready]').waitFor();
    const packed = await packText(new TextEncoder().encode(sent));
    // Another fragment of the same page, as when a link is pasted over it.
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
    // Nor is it there after a reload, as if it were that of the link: it can come back.
    await page.reload();
    await page.getByRole('button', { name: 'Back to the previous text' }).waitFor();
    expect(await field.inputValue()).toBe('');
    await page.getByRole('button', { name: 'Back to the previous text' }).click();
    await expect.poll(() => field.inputValue()).toContain('mine');
  });

  it('brings an opened file back, byte for byte and by its name, that was never learned', async () => {
    const driven = await site({ hash: 'text=own', state: 'blocked' });
    const { page, text } = driven;
    await text.fill('typed before\n'.repeat(20));
    const content = 'anna\r\nhanna\r\nnina\r\n'.repeat(20);
    await choose(driven, 'names.txt', content);
    await page.getByText('names.txt, 380 B').waitFor();
    await filesWritten(driven, 1);
    await page.reload();
    await page.getByText('names.txt, 380 B').waitFor();
    await driven.reach('ready');
    await expect.poll(() => text.inputValue()).toBe(content.replaceAll('\r', ''));
    // A sample that is looked at and reloaded does not lose it either.
    await source(page, 'Moby-Dick').check();
    await expect.poll(() => page.url()).toContain('text=moby');
    await page.getByText('Moby-Dick by Herman Melville').waitFor();
    // What is said of it is there before it is.
    await expect.poll(() => text.inputValue()).toMatch(/Ishmael|whale/i);
    await page.reload();
    await driven.reach('ready');
    await source(page, 'Your own').check();
    await page.getByText('names.txt, 380 B').waitFor();
    // What is typed next is what comes back next.
    await text.fill('typed after\n'.repeat(20));
    await page.reload();
    await expect.poll(() => text.inputValue()).toBe('typed after\n'.repeat(20));
    expect(driven.problems).toEqual([]);
  });

  it('brings back what was typed, however long, for the field to go on with', async () => {
    const driven = await site();
    const long = 'the quick brown fox jumps over the lazy dog\n'.repeat(30_000);
    await driven.text.fill(long);
    await filesWritten(driven, 1);
    await driven.page.reload();
    await eventually(
      async () => (await driven.text.inputValue()).length,
      (length) => length > 1000,
    );
    await driven.text.focus();
    await expect.poll(async () => (await driven.text.inputValue()) === long).toBe(true);
    await expect.poll(() => driven.text.isEditable()).toBe(true);
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
    // The file is there already, and is not written anew for its other place.
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
    // Of each tab no more stay than it may need: the first keeps its one.
    await filesWritten(driven, 6);
    await page.reload();
    await page.getByText('mine.txt, 220 B').waitFor();
    await driven.reach('ready');
    await other.close();
  });

  it('is told of where the browser has no room for the text, before it is lost and after', async () => {
    const full = (page: Page) =>
      page.addInitScript(() => {
        IDBObjectStore.prototype.put = () => {
          throw new DOMException('no room', 'QuotaExceededError');
        };
      });
    const driven = await site({ before: full });
    const { page } = driven;
    await choose(driven, 'names.txt', 'anna\nhanna\n'.repeat(20));
    const told = page.getByText('This browser cannot keep this text');
    await told.waitFor();
    await source(page, 'Moby-Dick').check();
    await told.waitFor({ state: 'hidden' });
    await source(page, 'Your own').check();
    await told.waitFor();
    await page.reload();
    await page
      .locator('[data-part=text-error]')
      .getByText('The browser did not keep your text over the reload.')
      .waitFor();
    await driven.reach('blocked');
    // A text is what it takes, and the field takes one.
    await driven.text.fill('anna\nhanna\n'.repeat(20));
    await driven.reach('ready');
    await told.waitFor({ state: 'hidden' });
  });
});

describe('a sample text that is looked at', () => {
  const mine = 'the lights go out\nand the road is long\n'.repeat(20);
  const note = (page: Page, said: string) => page.locator('#text .note', { hasText: said });

  it('loses nothing of the reader’s own text when one key is typed into it', async () => {
    const driven = await site();
    const { page, text } = driven;
    await text.fill(mine);
    await driven.reach('ready');
    await source(page, 'Moby-Dick').check();
    await expect.poll(() => text.inputValue()).toMatch(/Ishmael|whale/i);
    await text.focus();
    await page.keyboard.press('x');
    await note(page, 'An earlier text of your own is kept.').waitFor();
    expect(await source(page, 'Your own').isChecked()).toBe(true);
    await page.keyboard.press('y');
    await page.reload();
    await expect.poll(() => text.inputValue()).toMatch(/Ishmael|whale/i);
    const back = page.getByRole('button', { name: 'Back to the previous text' });
    await back.click();
    await expect.poll(() => text.inputValue()).toBe(mine);
    // Nor is what was typed into the sample lost.
    await back.click();
    await expect.poll(() => text.inputValue()).toMatch(/Ishmael|whale/i);
    expect(driven.problems).toEqual([]);
  });

  it('changes nothing in how the reader’s own text is trained, and says whose preset it is', async () => {
    const driven = await site({ hash: 'preset=microgpt' });
    const { page, text } = driven;
    await text.fill(mine);
    await expect.poll(() => page.url()).toMatch(/#text=own$/);
    await source(page, 'Moby-Dick').check();
    await note(page, 'The preset is now tinygpt, which suits this text.').waitFor();
    await source(page, 'English names').check();
    await note(page, 'The preset is now microgpt, which suits this text.').waitFor();
    await source(page, 'Moby-Dick').check();
    await source(page, 'Your own').check();
    await note(page, 'The preset is microgpt again, as it was with this text.').waitFor();
    await expect.poll(() => page.url()).toMatch(/#text=own$/);
    await note(page, 'Learned line by line').waitFor();
    // Typing keeps the settings, and the note about them goes.
    await text.press('x');
    await note(page, 'The preset is microgpt again').waitFor({ state: 'hidden' });
    // What is changed by hand with a sample stays, and that is said as well.
    await source(page, 'Moby-Dick').check();
    await note(page, 'The preset is now tinygpt').waitFor();
    await page.locator('#settings [data-option=channels] input').fill('96');
    await source(page, 'Your own').check();
    await note(page, 'The settings stay as you changed them with the other text; this one had the preset microgpt.').waitFor(); // prettier-ignore
    await expect.poll(() => page.url()).toMatch(/channels=96/);
    // With the next sample, too.
    await source(page, 'Moby-Dick').check();
    await note(page, 'The settings stay as you changed them: Channels 96.').waitFor();
    await source(page, 'Your own').check();
    await page.getByRole('radio', { name: 'microgpt' }).check();
    await note(page, 'The settings stay as you changed').waitFor({ state: 'hidden' });
    // The same where a sample was typed into.
    await source(page, 'Moby-Dick').check();
    await note(page, 'The preset is now tinygpt').waitFor();
    await text.press('x');
    await expect.poll(() => page.url()).toMatch(/#text=own&preset=tinygpt$/);
    await page.getByRole('button', { name: 'Back to the previous text' }).click();
    await expect.poll(() => page.url()).toMatch(/#text=own$/);
    await expect.poll(() => page.getByRole('radio', { name: 'microgpt' }).isChecked()).toBe(true);
    // A preset that was chosen by hand is one press away.
    await page.getByRole('radio', { name: 'tinygpt' }).check();
    await source(page, 'Tang poems (Chinese)').check();
    await note(page, 'The preset is now microgpt').waitFor();
    await page.getByRole('button', { name: 'Keep tinygpt' }).click();
    await expect.poll(() => page.url()).toMatch(/#text=tang&preset=tinygpt$/);
    await note(page, 'The preset is now microgpt').waitFor({ state: 'hidden' });
    await note(page, 'This text suits the preset microgpt better.').waitFor();
  });
});

describe('a chat that was pasted over another text', () => {
  it('leaves that one to come back, and loses its dates at one press', async () => {
    const driven = await site();
    const { page, text } = driven;
    await text.fill('the lights go out\nand the road is long\n'.repeat(20));
    await driven.reach('ready');
    const said = ['hi', 'how are you', 'fine', 'see you tomorrow'];
    const chat = Array.from(
      { length: 40 },
      (_, at) =>
        `[12.03.24, 18:${String(at + 10)}:00] ${at % 2 ? 'Bea' : 'Anna'}: ${said[at % 4]!} ${String(at)}`,
    );
    await text.fill(chat.join('\n'));
    await page.locator('#text .note', { hasText: 'An earlier text of your own' }).waitFor();
    await page.getByRole('button', { name: /^Check the text/ }).click();
    const checks = page.locator('#doctor');
    await checks.getByText('Messages with a date or time: 40.').waitFor();
    await checks.getByText('“[12.03.24, 18:10:00] Anna: hi 0” → “Anna: hi 0”').waitFor();
    await checks.getByRole('button', { name: /^Remove dates and times/ }).click();
    await expect.poll(() => text.inputValue()).toMatch(/^Anna: hi 0\nBea: how are you 1\n/);
    await page.getByRole('button', { name: 'Back to the previous text' }).click();
    await expect.poll(() => text.inputValue()).toMatch(/^the lights go out/);
    expect(driven.problems).toEqual([]);
  });
});

describe('a link to a run on somebody’s own text', () => {
  it.each([
    [
      '',
      /^This address does not carry its text, which is somebody’s own\. Ask for a link with the text/,
    ],
    ['&lang=zh', /^这个网址用的是某人自己的文本，但网址里不带文本。/],
  ])('says quietly that the text is not in it: #text=own%s', async (lang, said) => {
    const driven = await site({ hash: `text=own&layers=1${lang}`, state: 'blocked' });
    const { page, run } = driven;
    const told = page.locator('[data-part=text-error]');
    await expect.poll(() => told.textContent()).toMatch(said);
    await expect.poll(() => told.getAttribute('class')).not.toContain('error');
    // Start says nothing else, and leads there.
    await expect.poll(() => page.getByText(/There is no text yet|还没有文本/).count()).toBe(0);
    await run.getByRole('button').first().click();
    const area = page.locator('#text textarea');
    await expect.poll(() => area.evaluate((field) => field === document.activeElement)).toBe(true);
    await area.fill('anna\nhanna\n'.repeat(20));
    await driven.reach('ready');
    await expect.poll(() => told.isVisible()).toBe(false);
  });

  it('is told from the reader’s own text that one has only not typed yet', async () => {
    const driven = await site();
    const { page } = driven;
    await source(page, 'Your own').check();
    const asked = page.getByText('There is no text yet.').filter({ visible: true });
    await asked.waitFor();
    await page.reload();
    await asked.waitFor();
  });
});

describe('a text of nothing but blanks', () => {
  it.each(['preset=tinygpt', 'preset=microgpt', 'lang=zh'])(
    'is told about itself and nothing else, at #%s',
    async (hash) => {
      const driven = await site({ hash });
      const { page } = driven;
      const area = page.locator('#text textarea');
      await area.fill(' \n\t\u3000\n'.repeat(100));
      await page.getByText(/This text has only spaces|这篇文本只有空白/).waitFor();
      await driven.reach('blocked');
      await expect.poll(() => page.locator('.error:visible').count()).toBe(0);
      await area.fill('anna\nhanna\n'.repeat(20));
      await driven.reach('ready');
      await expect.poll(() => page.locator('.error:visible').count()).toBe(0);
    },
  );
});

describe('of two wrong files', () => {
  it('the second one is what is spoken of', async () => {
    const driven = await site();
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
});

// A key must not wait until a megabyte is encoded, hashed, kept and sent.
it('takes letters of a long text in together, at a pause or when the field is left', async () => {
  const driven = await site({
    hash: 'text=own',
    state: 'blocked',
    before: (page) =>
      page.addInitScript(() => {
        const encoded: number[] = [];
        Object.assign(globalThis, { encoded });
        // eslint-disable-next-line @typescript-eslint/unbound-method -- called on the encoder below
        const { encode } = TextEncoder.prototype;
        TextEncoder.prototype.encode = function (text = '') {
          if (text.length > 900_000) encoded.push(text.length);
          return encode.call(this, text);
        };
      }),
  });
  const { page, text } = driven;
  // In one piece: a browser takes seconds to type it line by line.
  await text.evaluate((area, all) => {
    (area as HTMLTextAreaElement).value = all;
    area.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }, 'the wind has fallen and the tide is out\n'.repeat(25_000));
  await driven.reach('ready');
  /**
   * Types these letters in one task, so that there is no pause; answers how often all was encoded.
   */
  const type = (letters: string, leave: boolean): Promise<number> =>
    text.evaluate(
      (field, [all, leaves]) => {
        const area = field as HTMLTextAreaElement;
        const { encoded } = globalThis as unknown as { encoded: number[] };
        encoded.length = 0;
        area.focus();
        for (const letter of all) {
          area.setRangeText(letter, area.textLength, area.textLength, 'end');
          area.dispatchEvent(new InputEvent('input', { bubbles: true, data: letter }));
        }
        if (leaves) area.blur();
        return encoded.length;
      },
      [letters, leave] as const,
    );
  const encodings = (): Promise<number> =>
    page.evaluate(() => (globalThis as unknown as { encoded: number[] }).encoded.length);
  expect(await type('and so', false)).toBe(0);
  await expect.poll(encodings).toBe(1);
  expect(await type(' to bed', true)).toBe(1);
  await expect.poll(() => text.inputValue().then((all) => all.slice(-13))).toBe('and so to bed');
});
