/**
 * Settings that suit a text in links, frames and elements: only where the host asks, or the
 * reader's own text.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packText } from '../../web/store/text/packed-text.ts';
import { siteUrl } from './harness.ts';
import { html, startHost } from './hosts.ts';
import type { Host } from './hosts.ts';
import { usePages } from './sites.ts';

const pages = usePages();
const PROSE = readFileSync(join(import.meta.dirname, '../../public/texts/moby-dick-en.txt'), 'utf8')
  .replace(/\s+/g, ' ')
  .slice(2000, 5197);
const SONG = 'I walk the line tonight with you,\n'.repeat(82);

let host: Host;
let packed: string;

beforeAll(async () => {
  host = await startHost();
  packed = await packText(new TextEncoder().encode(PROSE));
});

afterAll(() => host.close());

const line = (page: Page) => page.locator('#fit .fit-text, [part~=fit] .fit-text');
const buttons = (page: Page) => page.locator('#fit .buttons button, [part~=fit] .buttons button');
const preset = (page: Page, name: string) => page.getByRole('radio', { name: `(${name})` });
const steps = (page: Page) => page.getByLabel('Steps', { exact: true });
const field = (page: Page) => page.getByRole('textbox', { name: 'The text to learn' });

describe.each([
  ['a link', ''],
  ['a frame', 'embed.html'],
])('%s', (_, path) => {
  const open = (words: string) => pages.site({ url: siteUrl(`${path}#packed=${packed}${words}`) });

  it('with a text and no settings means what it meant: microgpt', async () => {
    const { page } = await open('');
    await expect.poll(() => preset(page, 'microgpt').isChecked()).toBe(true);
    await expect.poll(() => steps(page).inputValue()).toBe('5000');
    await expect.poll(() => line(page).count()).toBe(1);
    expect(await line(page).textContent()).toBe('');
  });

  it('with the word fit has settings that suit it, and keeps those that it names', async () => {
    const { page } = await open('&fit=1&layers=3');
    await expect.poll(() => line(page).textContent()).toMatch(/^Set for this text: running text/);
    await expect.poll(() => preset(page, 'tinygpt').isChecked()).toBe(true);
    await expect.poll(() => page.getByLabel('Layers', { exact: true }).inputValue()).toBe('3');
    await expect.poll(() => steps(page).inputValue()).not.toBe('2000');
  });

  it('with a preset beside it has that preset', async () => {
    const { page } = await open('&fit=1&preset=gpt2');
    await expect.poll(() => preset(page, 'gpt2').isChecked()).toBe(true);
    await expect.poll(() => steps(page).inputValue()).toBe('2000');
  });

  it('with the word fit leaves what the reader then changes or takes back', async () => {
    const { page } = await open('&fit=1');
    await expect.poll(() => line(page).textContent()).toMatch(/^Set for this text/);
    await page.getByLabel('Layers', { exact: true }).fill('3');
    await field(page).press('End');
    await field(page).pressSequentially(' more');
    await expect.poll(() => line(page).textContent()).toMatch(/^Other settings would suit/);
    expect(await page.getByLabel('Layers', { exact: true }).inputValue()).toBe('3');
  });
});

describe('a lesson', () => {
  it('with locked settings offers none and changes none, whatever the reader pastes', async () => {
    const { page, text, reach } = await pages.site({
      url: siteUrl('embed.html#steps=50&lock=settings'),
    });
    await text.fill(PROSE);
    await reach('ready');
    await expect.poll(() => line(page).count()).toBe(1);
    await expect.poll(() => preset(page, 'microgpt').isChecked()).toBe(true);
    expect(await steps(page).inputValue()).toBe('50');
    expect(await line(page).textContent()).toBe('');
    expect(await buttons(page).count()).toBe(0);
    // It is said what is left out, and nothing can be done about it here.
    await page.getByText('of the text will not be learned').waitFor();
    expect(await page.getByRole('button', { name: 'Fit the settings to the text' }).count()).toBe(
      0,
    );
  });

  it('that asks for fitted settings and locks them follows the text', async () => {
    const { page, text } = await pages.site({
      url: siteUrl('embed.html#text=names&fit=1&lock=settings'),
    });
    await expect.poll(() => preset(page, 'microgpt').isChecked()).toBe(true);
    await text.fill(PROSE);
    await expect.poll(() => preset(page, 'tinygpt').isChecked()).toBe(true);
    await expect.poll(() => line(page).textContent()).toMatch(/^Set for this text/);
    expect(await buttons(page).count()).toBe(0);
  });
});

describe('the element', () => {
  const MODULE = '<script type="module" src="/site/embed/element.mjs"></script>';
  async function visit(attributes: string): Promise<Page> {
    host.put(
      '/fit.html',
      html(`<glasshouse-gpt ${attributes}><pre slot="text">${SONG}</pre></glasshouse-gpt>`, MODULE),
    );
    const { page } = await pages.page();
    await page.goto(`${host.url}fit.html`);
    await page.locator('#run[data-state=ready]').waitFor();
    return page;
  }

  it('with a text and no settings means what it meant: microgpt', async () => {
    const page = await visit('');
    await expect.poll(() => preset(page, 'microgpt').isChecked()).toBe(true);
    await expect.poll(() => steps(page).inputValue()).toBe('5000');
  });

  it('with the attribute fit has settings that suit it, and those of the next text', async () => {
    const page = await visit('fit="1"');
    await expect.poll(() => preset(page, 'tinygpt').isChecked()).toBe(true);
    await page.evaluate(() => {
      const element = document.querySelector('glasshouse-gpt') as unknown as { text: string };
      element.text = 'anna\nbob\ncarla\ndora\n'.repeat(60);
    });
    await expect.poll(() => preset(page, 'microgpt').isChecked()).toBe(true);
    await expect.poll(() => steps(page).inputValue()).toBe('1200');
  });
});
