/**
 * Checks documentation pages with axe-core, in both languages and colour schemes. The app itself is
 * checked in tests/component/accessibility.test.ts.
 */
import { expect, it } from 'vitest';
import { objections } from './axe.ts';
import { siteUrl } from './harness.ts';
import { usePages } from './sites.ts';

const pages = usePages();

it.each(
  ['en', 'zh'].flatMap((lang) =>
    ['index', 'glossary', 'multi-head-attention'].map((page) => `docs/${lang}/${page}.html`),
  ),
)('has nothing to object to in %s', async (path) => {
  const { page } = await pages.page();
  await page.goto(siteUrl(path));
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect([colorScheme, ...(await objections(page))]).toEqual([colorScheme]);
  }
});
