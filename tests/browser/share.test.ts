/** A teacher makes a lesson from the page, and students get just that. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually, openSite } from './driver.ts';
import type { Driven } from './driver.ts';
import { launchChromium, openPage } from './harness.ts';
import { unpackText } from '../../web/store/text/packed-text.ts';
import { html, startHost } from './hosts.ts';

let browser: Browser;
const open: { close: () => Promise<void> }[] = [];

beforeAll(async () => {
  browser = await launchChromium();
});

afterEach(async () => {
  for (const site of open.splice(0)) await site.close();
});

afterAll(async () => {
  await browser.close();
});

/** The page with its tab for sharing open. */
async function openShare(hash: string): Promise<Driven> {
  const driven = await openSite(browser, {
    hash: `${hash}&view=share`,
    options: { permissions: ['clipboard-read', 'clipboard-write'] },
  });
  open.push(driven);
  await driven.page.getByRole('tabpanel', { name: 'Share' }).waitFor();
  return driven;
}

const snippetOf = ({ page }: Driven): Promise<string> =>
  eventually(
    () => page.getByRole('textbox', { name: 'What to paste' }).inputValue(),
    (value) => value !== '',
  );

describe('sharing', () => {
  it('promises no run where the settings allow none', async () => {
    const { page } = await openSite(browser, {
      hash: 'channels=64&heads=5&view=share',
      state: 'blocked',
    }).then((driven) => {
      open.push(driven);
      return driven;
    });
    const panel = page.getByRole('tabpanel', { name: 'Share' });
    await expect
      .poll(() => panel.getByText(/With these settings no run can begin\. 64 channels/).count())
      .toBe(2);
    await expect.poll(() => panel.getByText('the very same run').count()).toBe(0);
  });

  it('says which texts go along in a link to the page', async () => {
    const along = 'These go along, too';
    const { page } = await openShare('scored=anna&probe=emma');
    await page.getByText(`${along}: the text of Attention, the text of Token by token.`).waitFor();
    const without = await openShare('layers=1&probe=');
    await without.page.getByText('Start gives the very same run').waitFor();
    await expect.poll(() => without.page.getByText(along).count()).toBe(0);
  });

  it('says what is wrong with a step to stop at, and gives no link that leaves it out', async () => {
    const driven = await openShare('steps=40');
    const { page } = driven;
    const stop = page.getByRole('textbox', { name: 'Train by itself, and stop at step' });
    const wrong = page.getByText('The step to stop at must be a whole number above 0');
    for (const text of ['-3', '2.5', 'ten']) {
      await stop.fill(text);
      await wrong.waitFor();
      await expect
        .poll(() => page.getByRole('textbox', { name: 'What to paste' }).inputValue())
        .toBe('');
    }
    await stop.fill('30');
    const has = (value: string): boolean => value.includes('stop=30');
    await eventually(() => snippetOf(driven), has);
    expect(await wrong.count()).toBe(0);
  });

  it('makes a link with text, settings, task and locks, which opens as just that lesson', async () => {
    const driven = await openShare('layers=1&steps=40');
    const { page, text, problems } = driven;
    await text.fill('anna\nbob\nclara & <dora>\n');
    await page.getByRole('textbox', { name: 'Task' }).fill('Train it.\n\nThen look.');
    await page.getByRole('textbox', { name: 'Name of the text' }).fill('Three & a <name>');
    const group = (name: string) => page.getByRole('group', { name, exact: true });
    await group('Show').getByRole('checkbox', { name: 'Attention' }).uncheck();
    await group('Lock: to be read, not changed').getByRole('checkbox', { name: 'Text' }).check();
    await group('Leave out').getByRole('checkbox', { name: 'New seed' }).check();
    const link = await eventually(
      () => snippetOf(driven),
      (value) => value.includes('packed=') && value.includes('hide=seed'),
    );
    // What comes from elsewhere on the page is said, too.
    await page.getByText(/Beside the text it carries: .*Layers 1, Steps 40/).waitFor();
    const teachers = page.getByRole('link', { name: 'For teachers: ready lessons' });
    await expect.poll(() => teachers.getAttribute('href')).toMatch(/\/docs\/en\/teaching\.html$/);
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByText('Copied.').waitFor();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(link);

    // The page itself can be sent on as well, and takes the text along. A person who opens it does
    // not land on the tab in which it was copied.
    await page.getByText('Opening it gives your own text').waitFor();
    const panel = page.getByRole('tabpanel', { name: 'Share' });
    await panel.getByRole('button', { name: 'Copy the link with my text' }).click();
    await panel.getByText(/^Copied, with your text/).waitFor();
    const copied = new URL(await page.evaluate(() => navigator.clipboard.readText()));
    expect(page.url()).toContain('view=share');
    const here = new URLSearchParams(new URL(page.url()).hash.slice(1));
    const there = new URLSearchParams(copied.hash.slice(1));
    expect(await unpackText(there.get('packed') ?? '')).toEqual(
      new TextEncoder().encode('anna\nbob\nclara & <dora>\n'),
    );
    here.delete('view');
    here.delete('text');
    there.delete('packed');
    expect(there.toString()).toBe(here.toString());

    const student = await openPage(browser, { locale: 'en-US' });
    open.push(student);
    await student.page.goto(link);
    await student.page.getByText('Then look.').waitFor();
    const field = student.page.getByRole('textbox', { name: 'The text to learn' });
    await eventually(
      () => field.inputValue(),
      (value) => value === 'anna\nbob\nclara & <dora>\n',
    );
    await student.page.getByRole('radio', { name: 'Three & a <name>' }).waitFor();
    await expect.poll(() => field.isDisabled()).toBe(true);
    await expect.poll(() => student.page.getByRole('button', { name: 'New seed' }).count()).toBe(0);
    await expect.poll(() => student.page.locator('#attention').count()).toBe(0);
    await student.page.getByRole('button', { name: 'Start', exact: true }).click();
    await student.page.locator('#run[data-state=finished]').waitFor({ state: 'attached' });
    await expect.poll(() => student.page.locator('[data-part=step]').textContent()).toBe('40 / 40');
    expect([...problems, ...student.problems]).toEqual([]);
  });

  it('keeps what was filled in while the teacher looks something up', async () => {
    const driven = await openShare('layers=1');
    const { page, problems } = driven;
    const task = page.getByRole('textbox', { name: 'Task' });
    const box = (group: string, name: string) =>
      page.getByRole('group', { name: group }).getByRole('checkbox', { name });
    await task.fill('Watch the second head.');
    await box('Show', 'Attention').uncheck();
    await box('Lock', 'Text').check();
    await page.getByRole('radio', { name: 'Frame' }).check();
    await page.getByLabel('Start when it comes into view').check();
    const before = await eventually(
      () => snippetOf(driven),
      (value) => value.includes('second') && value.includes('autostart'),
    );
    // The documentation opens beside the page, whose run would be gone otherwise.
    const opening = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'How it works' }).click();
    const docs = await opening;
    await docs.getByRole('heading', { name: 'How Glasshouse works' }).waitFor();
    const address = docs.url();
    await docs.close();
    await expect.poll(() => task.inputValue()).toBe('Watch the second head.');
    await page.goto(address);
    await page.goBack();
    await task.waitFor();
    // From the history of the browser the page may come as it was; a reload builds it anew.
    await page.reload();
    await task.waitFor();
    await expect.poll(() => task.inputValue()).toBe('Watch the second head.');
    await expect.poll(() => box('Show', 'Attention').isChecked()).toBe(false);
    await expect.poll(() => box('Lock', 'Text').isChecked()).toBe(true);
    await expect.poll(() => page.getByRole('radio', { name: 'Frame' }).isChecked()).toBe(true);
    await expect.poll(() => snippetOf(driven)).toBe(before);
    expect(problems).toEqual([]);
  });

  it('shares a text whole, as a file beside the page where it is too long for a link', async () => {
    const driven = await openShare('steps=40');
    const { page, text } = driven;
    // What hardly packs, more of it than a link holds.
    const letters = Array.from({ length: 90_000 }, (_, i) =>
      String.fromCharCode(
        97 + ((((i * 7919) ^ (i * i * 31)) >>> 3) % 26),
        65 + ((i * i * 17) % 23),
      ),
    ).join('');
    await text.fill(letters);
    await page.getByText('Too long to stand in the link itself').waitFor();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save text.txt' }).click();
    const saved = readFileSync(await (await saving).path(), 'utf8');
    expect(saved).toBe(letters);
    const link = await snippetOf(driven);
    const hash = createHash('sha256').update(letters).digest('hex');
    expect(link).toContain(`file=text.txt&sha256=${hash}`);
    // On a host of the teacher's own, the link trains on it.
    const host = await startHost();
    open.push(host);
    host.put('/site/text.txt', saved);
    const student = await openPage(browser, { locale: 'en-US' });
    open.push(student);
    await student.page.goto(`${host.url}site/embed.html${link.slice(link.indexOf('#'))}`);
    await student.page.getByRole('button', { name: 'Start', exact: true }).click();
    await student.page.locator('#run[data-state=finished]').waitFor({ state: 'attached' });

    await page.getByRole('radio', { name: 'Element' }).check();
    await expect.poll(() => snippetOf(driven)).toContain(letters);
    // The field shows the beginning of a file of this size only; a link names all of it.
    const file = {
      name: 'long.txt',
      mimeType: 'text/plain',
      buffer: Buffer.alloc(1_000_001, 'ab\n'),
    };
    await page.locator('#text input[type=file]').setInputFiles(file);
    await page.getByText(/too long to be shared in this form: 1,000,001 bytes/).waitFor();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'What to paste' }).inputValue())
      .toBe('');
    await page.getByRole('radio', { name: 'Link' }).check();
    const long = createHash('sha256').update(file.buffer).digest('hex');
    await eventually(
      () => snippetOf(driven),
      (value) => value.includes(`file=long.txt&sha256=${long}`),
    );
    // Markup would change a NUL.
    const bytes = { ...file, name: 'bytes.txt', buffer: Buffer.from('ab\0cd\n'.repeat(9)) };
    await page.locator('#text input[type=file]').setInputFiles(bytes);
    await eventually(
      () => snippetOf(driven),
      (value) => value.includes('packed='),
    );
    await page.getByRole('radio', { name: 'Frame' }).check();
    await expect.poll(() => snippetOf(driven)).toContain('packed=');
    await page.getByRole('radio', { name: 'Element' }).check();
    await page.getByText(/This text is not UTF-8, or/).waitFor();
    // A sample text has none of these troubles.
    await page.getByRole('radio', { name: 'Moby-Dick' }).check();
    await expect.poll(() => snippetOf(driven)).toContain('sample="moby"');
  });

  it.each(['Frame', 'Element'])('makes HTML that trains on somebody’s page: %s', async (form) => {
    const driven = await openShare('steps=60');
    const { page } = driven;
    await page.getByRole('radio', { name: form }).check();
    const snippet = await eventually(
      () => snippetOf(driven),
      (value) => value.startsWith('<'),
    );
    const host = await startHost();
    open.push(host);
    host.put('/week.html', html(snippet));
    const student = await openPage(browser, { locale: 'en-US' });
    open.push(student);
    await student.page.goto(`${host.url}week.html`);
    const inside = form === 'Frame' ? student.page.frameLocator('iframe') : student.page;
    await inside.locator('#run[data-state=ready]').waitFor({ state: 'attached' });
    if (form === 'Frame') {
      // The few lines beside the frame give it its height, and with it what is in it moves.
      const height = (): Promise<number> =>
        student.page.locator('iframe').evaluate((frame) => frame.getBoundingClientRect().height);
      let last = 900;
      await eventually(height, (now) => {
        const rests = now !== 900 && now === last;
        last = now;
        return rests;
      });
    }
    await inside.getByRole('button', { name: 'Start', exact: true }).click();
    await inside.locator('#run[data-state=finished]').waitFor({ state: 'attached' });
  });

  it('shows the lesson as students see it', async () => {
    const driven = await openShare('steps=60');
    const { page, problems } = driven;
    await page.setViewportSize({ width: 390, height: 700 });
    await snippetOf(driven);
    await page.getByRole('button', { name: 'Preview' }).click();
    // It opens below the button, and comes into sight.
    await page.getByText('The lesson is shown below.').waitFor();
    const top = async () => (await page.locator('iframe').boundingBox())!.y;
    await eventually(top, (at) => at > 0 && at < 350);
    const preview = page.frameLocator('iframe');
    await preview.getByRole('button', { name: 'Start', exact: true }).click();
    await preview.locator('#run[data-state=finished]').waitFor({ state: 'attached' });
    expect(problems).toEqual([]);
  });
});
