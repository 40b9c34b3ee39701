/** Tests documentation pages at phone width. */
import { expect, test } from 'vitest';
import { siteUrl } from './harness.ts';
import { useSites } from './sites.ts';

const openSite = useSites();

test.each(['en', 'zh'])(
  'names of the code are not broken letter by letter on a phone: %s',
  async (lang) => {
    const { page, problems } = await openSite({
      url: siteUrl(`docs/${lang}/index.html`),
      state: '',
      options: { viewport: { width: 360, height: 740 } },
    });
    const broken = await page.locator('.entries code').evaluateAll((names) =>
      names
        .filter((name) => {
          // Names may break only after underscores.
          const lines = new Set(Array.from(name.getClientRects(), ({ top }) => Math.round(top)));
          return lines.size > name.textContent.split('_').length;
        })
        .map((name) => name.textContent),
    );
    expect(broken).toEqual([]);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBe(360);
    expect(problems).toEqual([]);
  },
);

test.each(['en', 'zh'])('examples of code scroll by themselves on a phone: %s', async (lang) => {
  const { page } = await openSite({
    url: siteUrl(`docs/${lang}/teaching.html`),
    state: '',
    options: { viewport: { width: 360, height: 740 } },
  });
  const code = page.locator('pre').first();
  expect(await code.evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});
