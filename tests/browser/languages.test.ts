/** The page in English and Chinese, and what stays when the language changes. */
import { expect, it } from 'vitest';
import { eventually, train } from './driver.ts';
import { siteUrl } from './harness.ts';
import { usePages, useSites } from './sites.ts';

const site = useSites();
const pages = usePages();

it('speaks Chinese where the browser does, and switches', async () => {
  const { page } = await site({ options: { locale: 'zh-CN' } });
  await page.getByRole('button', { name: '开始', exact: true }).waitFor();
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('zh-Hans');
  await page.getByRole('combobox', { name: '语言' }).selectOption('en');
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  expect(new URL(page.url()).hash).toContain('lang=en');
  await page.getByRole('combobox', { name: 'Language' }).selectOption('zh');
  await page.getByRole('heading', { name: '注意力' }).waitFor();
});

it.each([
  ['zh-CN', '', '玻璃房里养一个 GPT', 'zh-Hans'],
  ['en-GB', '', 'Grow a GPT behind glass', 'en'],
  ['en-GB', '#lang=zh', '玻璃房里养一个 GPT', 'zh-Hans'],
  ['zh-CN', '#lang=en', 'Grow a GPT behind glass', 'en'],
])(
  'has its first frame in the reader’s language and colours: %s%s',
  async (locale, hash, tagline, lang) => {
    const { page } = await pages.page({ locale, colorScheme: 'light' });
    // None of the page's modules comes: what stands there is what comes before them.
    await page.route(/assets\/(?!first-frame)[^/]*\.js$/, () => undefined);
    await page.goto(siteUrl('embed.html'), { waitUntil: 'commit' });
    await page.evaluate(() => {
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
  const { page, start, problems } = await site({
    hash: 'view=twin',
    before: (opened) =>
      opened.route(/en-later/, async (route) => {
        await new Promise<void>((resolve) => (words = resolve));
        await route.continue();
      }),
  });
  const tab = page.getByRole('tabpanel', { name: 'Twins' });
  // Everything that the first screen says is there, and the run can begin.
  await start.click();
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect.poll(() => words).toBeDefined();
  await expect.poll(() => tab.textContent()).toBe('');
  words?.();
  await tab.getByRole('button', { name: 'Train the twin' }).waitFor();
  expect(problems).toEqual([]);
});

it('works where the browser names an unknown language', async () => {
  // WebKit says "C" in the locale C.UTF-8; for Intl that is an error.
  const driven = await site({
    hash: 'steps=20',
    before: (page) =>
      page.addInitScript(() => {
        Object.defineProperty(Navigator.prototype, 'language', { get: () => 'C' });
        Object.defineProperty(Navigator.prototype, 'languages', { get: () => ['C'] });
      }),
  });
  await driven.start.click();
  await driven.reach('finished');
  await driven.page.locator('#loss .u-over').first().waitFor({ state: 'attached' });
  expect(driven.problems).toEqual([]);
});

it('keeps the run when the language changes', async () => {
  const driven = await site();
  await driven.start.click();
  await eventually(driven.step, (step) => step > 100);
  await driven.pause.click();
  await driven.reach('paused');
  const step = await driven.step();
  await driven.page.getByRole('combobox', { name: 'Language' }).selectOption('zh');
  await driven.page.getByRole('button', { name: '继续', exact: true }).waitFor();
  await expect.poll(() => driven.step()).toBe(step);
  await eventually(
    () => driven.page.locator('.samples li').count(),
    (count) => count > 1,
  );
});

it('keeps what was made and where one is when the language changes', async () => {
  const driven = await site({ hash: 'steps=60&view=write' });
  const { page, text, problems } = driven;
  const given = 'anna\nbea\nanna\ncarla\n'.repeat(20);
  await text.fill(given);
  await page.getByRole('button', { name: 'Check the text' }).click();
  await page.getByRole('button', { name: 'Remove repeats', exact: true }).click();
  await expect.poll(() => text.inputValue()).toBe('anna\nbea\ncarla\n');
  await train(driven);
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await page.locator('#attention').getByRole('button', { name: 'Arcs' }).click();
  const pieces = page.locator('.written-tokens .piece');
  await page.getByRole('tabpanel', { name: 'Write step by step' }).scrollIntoViewIfNeeded();
  for (const count of [2, 3]) {
    await page.getByRole('button', { name: 'Next token', exact: true }).click();
    await expect.poll(() => pieces.count()).toBe(count);
  }
  const written = await pieces.allTextContents();
  await page.getByRole('button', { name: 'Take a tour' }).click();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByRole('dialog', { name: 'What it writes' }).waitFor();

  const language = page.locator('#lang');
  await language.focus();
  await language.selectOption('zh');
  // The tour stands where it stood, and the keyboard stays where the language was chosen.
  await page.locator('.tour-note').getByText('2 / 7').waitFor();
  await page.locator('.tour-note').getByRole('heading', { name: '它写出的文字' }).waitFor();
  expect(await language.evaluate((one) => one === document.activeElement)).toBe(true);
  await page.locator('.tour-note .note-close').click();
  await expect.poll(() => pieces.allTextContents()).toEqual(written);
  const arcs = page.locator('#attention').getByRole('button', { name: '弧线', exact: true });
  await expect.poll(() => arcs.getAttribute('aria-pressed')).toBe('true');
  await expect
    .poll(() => page.getByRole('button', { name: '显示全部步数' }).isEnabled())
    .toBe(true);
  // What was mended is told of in the new words, and can still be taken back.
  const row = page.getByRole('listitem').filter({ hasText: '去掉重复行' });
  await row.getByText('已处理：').waitFor();
  await row.getByText(/有 77 行与前面的重复/).waitFor();
  await page.getByRole('button', { name: '撤销“去掉重复行”' }).click();
  await expect.poll(() => page.locator('#text textarea').inputValue()).toBe(given);
  expect(problems).toEqual([]);
});

it('leaves open what was unfolded when the language changes, and closed what was folded again', async () => {
  const driven = await site({ hash: 'steps=20&view=model-parts' });
  const { page } = driven;
  await train(driven);
  await page.getByRole('heading', { name: 'Every choice' }).waitFor();
  const folded = page.locator('button.fold[aria-expanded=false]:visible');
  const unfolded = page.locator('button.fold[aria-expanded=true]:visible');
  for (let left = await folded.count(); left > 0; left = await folded.count()) {
    await folded.first().click();
  }
  await page.getByRole('button', { name: 'Length, seed and other choices' }).click();
  const open = await unfolded.count();
  expect(open).toBeGreaterThan(8);
  await page.locator('#lang').selectOption('zh');
  // Numbers are read of what is in sight.
  await page.getByRole('heading', { name: '全部选项' }).scrollIntoViewIfNeeded();
  await expect.poll(() => unfolded.count()).toBe(open);
  expect(await folded.count()).toBe(1);
  // With what is in it, not merely open.
  const table = page.getByRole('region', { name: '用表格看损失' });
  await expect.poll(() => table.getByRole('row').count()).toBe(21);
});

it('learns Chinese poems', async () => {
  const driven = await site({ hash: 'text=tang&lang=zh&steps=60' });
  await driven.page.getByRole('button', { name: '开始', exact: true }).click();
  await driven.reach('finished');
  await driven.page.getByText('第 50 步').first().waitFor();
  expect(driven.problems).toEqual([]);
});
