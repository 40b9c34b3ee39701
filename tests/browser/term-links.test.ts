/**
 * Tests that glossary notes link to the site's documentation if the site's address is known, and
 * contain no links otherwise.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FrameLocator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { LOADER } from './anywidget-loader.ts';
import { dist } from './harness.ts';
import { html, useVisits } from './hosts.ts';

const visits = useVisits();
const embed = join(dist, 'embed');

beforeAll(() => {
  // A copy of the embedded forms without the site, as in a package or on a CDN.
  for (const file of readdirSync(embed, { recursive: true, encoding: 'utf8' })) {
    const path = join(embed, file);
    if (statSync(path).isFile()) visits.host.put(`/copy/${file}`, readFileSync(path));
  }
  visits.host.put('/loader.js', LOADER);
});

/** Creates a host page with an element from the module at this path; returns its URL. */
const element = (path: string): string => {
  visits.host.put(
    '/course/lesson.html',
    html(
      '<glasshouse-gpt show="loss"></glasshouse-gpt>',
      `<script type="module" src="${path}"></script>`,
    ),
  );
  return `${visits.host.url}course/lesson.html`;
};

/** Creates a notebook with a widget from an address or from source text; returns its URL. */
const widget = (source: string): string => {
  visits.host.put('/course/source.json', JSON.stringify(source));
  const load = `import { load } from '/loader.js'; await load(await (await fetch('./source.json')).json(), { show: ['loss'] });`;
  visits.host.put(
    '/course/notebook.html',
    html('<div id="cell"></div>', `<script type="module">${load}</script>`),
  );
  return `${visits.host.url}course/notebook.html`;
};

/** Opens the note for "Loss"; returns the URLs of its visible links. */
async function linksOf(url: string, framed = false): Promise<string[]> {
  const { page } = await visits.goto(url);
  const inside: Page | FrameLocator = framed ? page.frameLocator('iframe') : page;
  // A press while panels are still added may miss its button.
  await inside.locator('[data-rest]').waitFor({ state: 'attached' });
  await inside.locator('button[data-term=loss]').first().click();
  const note = inside.locator('.term-note');
  await note.getByRole('heading', { name: 'Loss' }).waitFor();
  await expect.poll(() => note.textContent()).toContain('How surprised the model was');
  // The note has two formulas: the loss of one token, and the mean.
  await note.getByRole('button', { name: 'Formula' }).click();
  await expect.poll(() => note.locator('math').count()).toBe(2);
  return note
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
}

test.each<[string, () => string, boolean?]>([
  ['an element', () => element('/site/embed/element.mjs')],
  ['a widget, from its address', () => widget(`${visits.host.url}site/embed/widget.mjs`)],
  [
    'the page in one file, where the site has it',
    () => `${visits.host.url}site/embed/glasshouse.html`,
  ],
  [
    'a frame',
    () => {
      visits.host.put(
        '/course/frame.html',
        html('<iframe src="/site/embed.html#show=loss" height="600"></iframe>'),
      );
      return `${visits.host.url}course/frame.html`;
    },
    true,
  ],
])('%s of the site leads to its documentation', async (_, url, framed) => {
  const links = await linksOf(url(), framed);
  expect(links).toHaveLength(2);
  for (const link of links) {
    const { href, hash } = new URL(link);
    expect(href.startsWith(`${visits.host.url}site/docs/en/`)).toBe(true);
    // The anchor exists in the linked page.
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
