/**
 * Tests that links, frames and elements can request settings that fit the text. Choice of settings
 * and locks of lessons are tested in tests/component/fit.test.ts.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packText } from '../../web/store/text/packed-text.ts';
import { siteUrl } from './harness.ts';
import { html, startHost } from './hosts.ts';
import type { Host } from './hosts.ts';
import { usePages } from './sites.ts';
import type { Page } from 'playwright-core';

const pages = usePages();
const PROSE = 'The tide came in and the tide went out, and nobody said a word about it. '.repeat(
  40,
);
const SONG = 'I walk the line tonight with you,\n'.repeat(82);

let host: Host;

beforeAll(async () => {
  host = await startHost();
});

afterAll(() => host.close());

const isChosen = (page: Page, name: string): Promise<boolean> =>
  page.getByRole('radio', { name: `(${name})` }).isChecked();
const steps = (page: Page): Promise<string> =>
  page.getByLabel('Steps', { exact: true }).inputValue();

it.each([
  ['a link', ''],
  ['a frame', 'embed.html'],
])('fits the text of %s that asks for it', async (_, path) => {
  const packed = await packText(new TextEncoder().encode(PROSE));
  const { page } = await pages.site({ url: siteUrl(`${path}#packed=${packed}&fit=1`) });
  await expect
    .poll(() => page.locator('#fit .fit-text').textContent())
    .toMatch(/^Set for this text: running text/);
  expect(await isChosen(page, 'tinygpt')).toBe(true);
});

/** Opens a page with an element that has these attributes and contains a text. */
async function visit(attributes: string): Promise<Page> {
  const MODULE = '<script type="module" src="/site/embed/element.mjs"></script>';
  const element = `<glasshouse-gpt ${attributes}><pre slot="text">${SONG}</pre></glasshouse-gpt>`;
  host.put('/fit.html', html(element, MODULE));
  const { page } = await pages.page();
  await page.goto(`${host.url}fit.html`);
  await page.locator('#run[data-state=ready]').waitFor();
  return page;
}

it('keeps microgpt for the text of an element that does not ask', async () => {
  const page = await visit('');
  await expect.poll(() => isChosen(page, 'microgpt')).toBe(true);
  await expect.poll(() => steps(page)).toBe('5000');
});

it('fits the text of an element with the attribute fit, and its next text', async () => {
  const page = await visit('fit="1"');
  await expect.poll(() => isChosen(page, 'tinygpt')).toBe(true);
  await page.evaluate(() => {
    const element = document.querySelector('glasshouse-gpt') as unknown as { text: string };
    element.text = 'anna\nbob\ncarla\ndora\n'.repeat(60);
  });
  await expect.poll(() => isChosen(page, 'microgpt')).toBe(true);
  await expect.poll(() => steps(page)).toBe('1200');
});
