/**
 * Tests language and colours while the page loads. The loaded page in both languages is tested in
 * tests/component/languages.test.ts.
 */
import { expect, it } from 'vitest';
import { siteUrl } from './harness.ts';
import { usePages } from './sites.ts';

const pages = usePages();
const { site } = pages;

it.each([
  ['zh-CN', '', '玻璃房里养一个 GPT', 'zh-Hans'],
  ['en-GB', '', 'Grow a GPT behind glass', 'en'],
  ['en-GB', '#lang=zh', '玻璃房里养一个 GPT', 'zh-Hans'],
  // The full stop of the sentence in which the link stands.
  ['en-GB', '#lang=zh.', '玻璃房里养一个 GPT', 'zh-Hans'],
  ['zh-CN', '#lang=en', 'Grow a GPT behind glass', 'en'],
])(
  'has its first frame in the reader’s language and colours: %s%s',
  async (locale, hash, tagline, lang) => {
    const { page } = await pages.page({ locale, colorScheme: 'light' });
    // Blocks the modules, so only the content of the HTML and its first script shows.
    await page.route(/assets\/(?!first-frame)[^/]*\.js$/, () => undefined);
    await page.addInitScript(() => {
      localStorage.setItem('glasshouse.theme', 'dark');
    });
    await page.goto(siteUrl(hash), { waitUntil: 'commit' });
    await page.locator('.tagline', { hasText: tagline }).waitFor();
    const seen = await page.evaluate(async () => {
      await new Promise(requestAnimationFrame);
      const { lang: said, dataset } = document.documentElement;
      const choice = document.querySelector<HTMLSelectElement>('#lang')?.selectedOptions[0];
      return [said, dataset['theme'], choice?.lang, document.querySelector('.intro')?.textContent];
    });
    expect(seen.slice(0, 3)).toEqual([lang, 'dark', lang]);
    expect(/\p{Script=Han}/u.test(seen[3] ?? '')).toBe(lang !== 'en');
    expect(/[a-z]{6}/.test(seen[3] ?? '')).toBe(lang === 'en');
  },
);

it('shows a tab once its words are there, and what needs none of them before', async () => {
  let words: (() => void) | undefined;
  const { page, start, reach } = await site({
    hash: 'view=twin',
    state: '',
    before: (opened) =>
      opened.route(/en-later/, async (route) => {
        await new Promise<void>((resolve) => (words = resolve));
        await route.continue();
      }),
  });
  const tab = page.getByRole('tabpanel', { name: 'Twins' });
  await reach('ready');
  // The first screen is complete and training can start without the remaining strings.
  await start.click();
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect.poll(() => words).toBeDefined();
  await expect.poll(() => tab.textContent()).toBe('');
  words?.();
  await tab.getByRole('button', { name: 'Train the twin' }).waitFor();
});

it('shows the documentation in the colours that were chosen in the app', async () => {
  const { page } = await site({ options: { colorScheme: 'light' } });
  await page.getByRole('combobox', { name: 'Colours' }).selectOption('Dark');
  await page.goto(siteUrl('docs/en/glossary.html'));
  await page.locator('html[data-theme=dark]').waitFor();
});
