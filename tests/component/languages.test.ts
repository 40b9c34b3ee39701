/** The page in English and Chinese, and state that stays when the language changes. */
import { expect, it } from 'vitest';
import { useComponents } from './mount.ts';

const mount = useComponents();

it('speaks Chinese where the browser does, and another language when it is chosen', async () => {
  const { page } = await mount('page', 'names', { context: { locale: 'zh-CN' } });
  await page.getByRole('button', { name: '开始', exact: true }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('zh-Hans');
  await page.getByRole('combobox', { name: '语言' }).selectOption('en');
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  expect(new URL(page.url()).hash).toContain('lang=en');
  await page.getByRole('combobox', { name: 'Language' }).selectOption('zh');
  await page.getByRole('heading', { name: '注意力' }).waitFor();
});

it('draws numbers where the browser names an unknown language', async () => {
  // WebKit reports "C" in the locale C.UTF-8, which Intl rejects.
  const { page } = await mount('page', 'names', {
    step: 60,
    // Uses a new context, because the override stays on its navigator.
    context: { locale: 'en-GB' },
    before: (opened) =>
      opened.evaluate(() => {
        Object.defineProperty(Navigator.prototype, 'language', { get: () => 'C' });
        Object.defineProperty(Navigator.prototype, 'languages', { get: () => ['C'] });
      }),
  });
  await page.locator('#loss .u-over').first().waitFor({ state: 'attached' });
  await page.locator('#run').getByText('60 / 60').waitFor();
});

it('keeps a paused run and its samples', async () => {
  const { page, step } = await mount('page', 'names', { step: 30 });
  const samples = page.locator('.samples li');
  const before = await samples.count();
  await page.locator('#lang').selectOption('zh');
  await page.getByRole('button', { name: '继续', exact: true }).waitFor();
  expect(await step()).toBe(30);
  await expect.poll(() => samples.count()).toBe(before);
});

it('keeps the zoom of the curve and arcs in place of the map', async () => {
  const { page } = await mount('page', 'names', { step: 60 });
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await page.locator('#attention').getByRole('button', { name: 'Arcs' }).click();
  await page.locator('#lang').selectOption('zh');
  const arcs = page.locator('#attention').getByRole('button', { name: '弧线', exact: true });
  await expect.poll(() => arcs.getAttribute('aria-pressed')).toBe('true');
  expect(await page.getByRole('button', { name: '显示全部步数' }).isEnabled()).toBe(true);
});

it('keeps what was written token by token', async () => {
  const { page } = await mount('page', 'names', { step: 60, hash: 'view=write' });
  const pieces = page.locator('.written-tokens .piece');
  await page.getByRole('tabpanel', { name: 'Write with dice' }).scrollIntoViewIfNeeded();
  for (const count of [2, 3]) {
    await page.getByRole('button', { name: 'Next token', exact: true }).click();
    await expect.poll(() => pieces.count()).toBe(count);
  }
  const written = await pieces.allTextContents();
  await page.locator('#lang').selectOption('zh');
  await page.getByRole('heading', { name: '注意力' }).first().waitFor();
  await expect.poll(() => pieces.allTextContents()).toEqual(written);
});

it('keeps the stop of the tour, and the focus where the language was chosen', async () => {
  const { page } = await mount('page', 'names', { step: 60 });
  await page.getByRole('button', { name: 'Take a tour' }).click();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByRole('dialog', { name: 'What it writes' }).waitFor();
  const language = page.locator('#lang');
  await language.focus();
  await language.selectOption('zh');
  await page.locator('.tour-note').getByText('2 / 7').waitFor();
  await page.locator('.tour-note').getByRole('heading', { name: '它写出的文字' }).waitFor();
  expect(await language.evaluate((one) => one === document.activeElement)).toBe(true);
});

it('says in the new words what was fixed in the text, and can still undo it', async () => {
  const { page, text } = await mount('page', 'names', { hash: 'preset=microgpt' });
  const given = 'anna\nbea\nanna\ncarla\n'.repeat(20);
  await text.fill(given);
  await page.getByRole('button', { name: 'Check the text' }).click();
  await page.getByRole('button', { name: 'Remove repeats', exact: true }).click();
  await expect.poll(() => text.inputValue()).toBe('anna\nbea\ncarla\n');
  await page.locator('#lang').selectOption('zh');
  const row = page.getByRole('listitem').filter({ hasText: '去掉重复行' });
  await row.getByText('随之解决：').waitFor();
  await row.getByText(/有 77 行与前面的重复/).waitFor();
  await page.getByRole('button', { name: '撤销“去掉重复行”' }).click();
  await expect.poll(() => page.locator('#text textarea').inputValue()).toBe(given);
});

it('leaves open what was unfolded, and closed what was folded again', async () => {
  const { page, rest } = await mount('page', 'names', { step: 60, hash: 'view=model-parts' });
  const folded = page.locator('button.fold[aria-expanded=false]:visible');
  const unfolded = page.locator('button.fold[aria-expanded=true]:visible');
  while ((await folded.count()) > 0) {
    // A panel that is loaded late may move the fold or replace it: then it is pressed again.
    await folded.first().click();
    await rest();
  }
  await page.getByRole('button', { name: 'Length, seed and more' }).click();
  await rest();
  await expect.poll(() => folded.count()).toBe(1);
  const open = await unfolded.count();
  expect(open).toBeGreaterThan(8);
  await page.locator('#lang').selectOption('zh');
  // The page updates numbers of visible sections only.
  await page.getByRole('button', { name: '全部选项' }).scrollIntoViewIfNeeded();
  await expect.poll(() => unfolded.count()).toBe(open);
  expect(await folded.count()).toBe(1);
  // The open table has its rows: 60 steps are one block.
  const table = page.getByRole('region', { name: '用表格看损失' });
  await expect.poll(() => table.getByRole('row').count()).toBe(2);
});

it('shows what it writes of Chinese poems by their steps', async () => {
  const { page } = await mount('page', 'tang', { hash: 'lang=zh', step: 20 });
  const newest = page.locator('#samples li').filter({ hasText: '第 20 步' });
  await expect.poll(() => newest.first().innerText()).toMatch(/\p{Script=Han}{4}/u);
});

it('shows a language of twenty texts, right to left, with English for the others', async () => {
  const { page, text, rest } = await mount('page', 'names', {
    hash: 'lang=ar&preset=microgpt',
    viewport: { width: 360, height: 740 },
  });
  const html = page.locator('html');
  expect([await html.getAttribute('lang'), await html.getAttribute('dir')]).toEqual(['ar', 'rtl']);
  await page.getByRole('button', { name: 'ابدأ', exact: true }).waitFor();
  // An English text has the English forms, and stands as English does.
  expect(await page.locator('#text').innerText()).toMatch(
    /\u206660\u2069 steps cover \u20660,7%\u2069 .*\.\u2069/,
  );
  // One line, two lines, more: the forms of the language itself.
  for (const [lines, said] of [
    [1, '\u20661\u2069 سطر.'],
    [2, '\u20662\u2069 سطران.'],
    [3, '\u20663\u2069 أسطر.'],
  ] as const) {
    await text.fill('anna\n'.repeat(lines));
    await expect.poll(() => page.locator('#text').innerText()).toContain(said);
  }
  await rest();
  // Nothing reaches beyond the page, and what comes by keys alone is out of sight.
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect((await page.locator('#skip').boundingBox())!.x).toBeGreaterThan(360);
  // The link was understood, and leads to documentation that exists.
  expect(await page.getByText('lang=ar').count()).toBe(0);
  expect(await page.locator('#docs-link').getAttribute('href')).toContain('/docs/en/');
  // A folded part points to where its text begins.
  const fold = page.locator('button.fold[aria-expanded=false]').first();
  const edges = await fold.evaluate((one) => {
    const { borderLeftWidth, borderRightWidth } = getComputedStyle(one, '::before');
    return [borderLeftWidth, Number.parseFloat(borderRightWidth) > 0];
  });
  expect(edges).toEqual(['0px', true]);
  await page.locator('#lang').selectOption('en');
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  expect(await html.getAttribute('dir')).toBe('ltr');
});
