/**
 * The notes of the glossary lead to the site's documentation wherever the site is known, and else
 * nowhere.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, FrameLocator, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { LOADER } from './anywidget-loader.ts';
import { openSite, openTab } from './driver.ts';
import { dist, launchChromium, openPage } from './harness.ts';
import type { WatchedPage } from './harness.ts';
import { html, startHost } from './hosts.ts';
import type { Host } from './hosts.ts';

let browser: Browser;
let host: Host;
const open: WatchedPage[] = [];
const embed = join(dist, 'embed');

beforeAll(async () => {
  browser = await launchChromium();
  host = await startHost();
  // The forms without the site around them, as a package or a CDN has them.
  for (const file of readdirSync(embed, { recursive: true, encoding: 'utf8' })) {
    const path = join(embed, file);
    if (statSync(path).isFile()) host.put(`/copy/${file}`, readFileSync(path));
  }
  host.put('/loader.js', LOADER);
});

afterEach(async () => {
  for (const page of open.splice(0)) await page.close();
});

afterAll(async () => {
  await browser.close();
  await host.close();
});

/** Somebody's page with an element whose module lies at this path. */
const element = (path: string): string => {
  host.put(
    '/course/lesson.html',
    html('<glasshouse-gpt></glasshouse-gpt>', `<script type="module" src="${path}"></script>`),
  );
  return `${host.url}course/lesson.html`;
};

/** A notebook whose widget came from this address, or as text. */
const widget = (source: string): string => {
  host.put('/course/source.json', JSON.stringify(source));
  const load = `import { load } from '/loader.js'; await load(await (await fetch('./source.json')).json(), {});`;
  host.put(
    '/course/notebook.html',
    html('<div id="cell"></div>', `<script type="module">${load}</script>`),
  );
  return `${host.url}course/notebook.html`;
};

/** Opens the note of the word "Loss"; the addresses of its links that can be seen. */
async function linksOf(url: string, framed = false): Promise<string[]> {
  const watched = await openPage(browser, { locale: 'en-US' });
  open.push(watched);
  await watched.page.goto(url);
  const inside: Page | FrameLocator = framed ? watched.page.frameLocator('iframe') : watched.page;
  await inside.locator('button[data-term=loss]').first().click();
  const note = inside.locator('.term-note');
  await note.getByRole('heading', { name: 'Loss' }).waitFor();
  await expect.poll(() => note.textContent()).toContain('How surprised the model was');
  // Two formulas in one place: what one token costs, and the mean of all.
  expect(await note.locator('math').count()).toBe(2);
  return note
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
}

test.each<[string, () => string, boolean?]>([
  ['an element', () => element('/site/embed/element.mjs')],
  ['a widget, from its address', () => widget(`${host.url}site/embed/widget.mjs`)],
  ['the page in one file, where the site has it', () => `${host.url}site/embed/glasshouse.html`],
  [
    'a frame',
    () => {
      host.put('/course/frame.html', html('<iframe src="/site/embed.html" height="600"></iframe>'));
      return `${host.url}course/frame.html`;
    },
    true,
  ],
])('%s of the site leads to its documentation', async (_, url, framed) => {
  const links = await linksOf(url(), framed);
  expect(links).toHaveLength(2);
  for (const link of links) {
    const { href, hash } = new URL(link);
    expect(href.startsWith(`${host.url}site/docs/en/`)).toBe(true);
    // The place in the page is there.
    const page = await (await fetch(href)).text();
    expect(page).toContain(`id="${hash.slice(1)}"`);
  }
});

test.each<[string, () => string]>([
  ['an element from a package', () => element('/copy/element.mjs')],
  [
    'a widget, as the text that a kernel sends',
    () => widget(readFileSync(join(embed, 'widget.mjs'), 'utf8')),
  ],
  ['the page in one file, on a disk', () => pathToFileURL(join(embed, 'glasshouse.html')).href],
])('%s knows of no documentation, and explains all the same', async (_, url) => {
  expect(await linksOf(url())).toEqual([]);
});

test.each([
  ['en', '#steps=60', 'Short receipt of this run', 'fingerprints'],
  ['zh', '#steps=60&lang=zh', '这次训练的短凭据', '指纹'],
])('hard words explain themselves where they stand: %s', async (lang, hash, label, words) => {
  const driven = await openSite(browser, { hash: `${hash}&view=tokens` });
  open.push(driven);
  const { page, problems } = driven;
  await page.locator('#run .primary').click();
  await driven.reach('finished');
  /** The names of the notes that the words in `place` open; what is hidden says nothing. */
  const explained = async (place: string, terms: readonly string[]): Promise<void> => {
    for (const term of terms) {
      const button = page.locator(`${place} [data-term=${term}]:visible`).first();
      await button.click();
      const note = page.locator('.term-note');
      await note.waitFor();
      expect([term, (await note.locator('.term-words').textContent())!.length > 20]).toEqual([
        term,
        true,
      ]);
      await page.keyboard.press('Escape');
    }
  };
  const zh = lang === 'zh';
  await explained('#loss', ['nat', 'random_guessing']);
  await explained('#loss', ['learning_rate', 'gradient_norm']);
  await page.locator('#attention').scrollIntoViewIfNeeded();
  await page.locator('#attention .habits').waitFor();
  await explained('#attention', ['entropy']);
  await page.locator('#closer').scrollIntoViewIfNeeded();
  await explained('#closer', ['loss', 'bits_per_character', 'perplexity']);
  await openTab(page, zh ? '一步一步写' : 'Write step by step');
  await explained('#closer', ['prediction_entropy']);
  await openTab(page, zh ? '逐个部件看模型' : 'The model, piece by piece');
  await explained('#closer', ['shape', 'gradient', 'deviation']);
  await openTab(page, zh ? '训练记录' : 'Runs');
  await page.getByRole('button', { name: label }).click();
  await page.locator('.term-note').getByText(words).waitFor();
  expect(problems).toEqual([]);
});

test('a note leaves the line that it explains in sight, and a tap beside it presses nothing but Start and its like', async () => {
  const driven = await openSite(browser, {
    hash: 'steps=60',
    options: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  });
  open.push(driven);
  const { page, problems } = driven;
  const note = page.locator('.term-note');
  const button = page.locator('#run .fact-loss .term');
  await button.tap();
  await note.waitFor();
  // The number below the word as well: at the lower edge the note stands above both.
  const line = (await page.locator('#run .fact-loss').boundingBox())!;
  const apart = (a: typeof line, b: typeof line): boolean =>
    a.y + a.height <= b.y || a.y >= b.y + b.height;
  expect(apart(line, (await note.boundingBox())!)).toBe(true);
  const vocabulary = page.locator('#plan .term').first();
  const figure = vocabulary.locator('xpath=ancestor::div[1]');
  const choice = page.getByRole('radio', { name: 'Moby-Dick' });
  await page.touchscreen.tap(...(await middle(page.locator('label', { has: choice }))));
  await note.waitFor({ state: 'hidden' });
  expect(await choice.isChecked()).toBe(false);
  await vocabulary.tap();
  await note.waitFor();
  const beside = [(await figure.boundingBox())!, (await note.boundingBox())!] as const;
  expect(apart(...beside)).toBe(true);
  await expect.poll(() => driven.run.getAttribute('data-state')).toBe('ready');
  await page.keyboard.press('Escape');
  // Training starts and pauses at a press, whatever is being read.
  await button.tap();
  await note.waitFor();
  await page.touchscreen.tap(...(await middle(driven.start)));
  await driven.reach('finished');
  await note.waitFor({ state: 'hidden' });
  expect(problems).toEqual([]);
});

/** Where a finger presses something. */
async function middle(what: Locator): Promise<[number, number]> {
  const { x, y, width, height } = (await what.boundingBox())!;
  return [x + width / 2, y + height / 2];
}
