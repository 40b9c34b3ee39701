/** The merges of a learned vocabulary: listed in order, and applied step by step to a text. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useComponents } from './mount.ts';

const mount = useComponents();

/** Locators of both merge views. */
const partsOf = (page: Page) => ({
  rows: page.locator('.merges-table tbody tr'),
  later: page.getByRole('button', { name: 'Later', exact: true }),
  walked: page.getByRole('textbox', { name: 'The text', exact: true }),
  pieces: page.getByRole('list', { name: 'The text after these merges' }).getByRole('listitem'),
  next: page.getByRole('button', { name: 'Next merge' }),
  slider: page.locator('.merges-walk input[type=range]'),
  told: page.locator('[data-part=merge-told]'),
});

it('lists the merges with their pairs, results and counts, the most frequent first', async () => {
  const { page } = await mount('merges', 'pieces');
  const { rows } = partsOf(page);
  await page.getByText('44 merges, the first learned first.').waitFor();
  await expect.poll(() => rows.count()).toBe(20);
  const cells = await rows.first().locator('th,td').allTextContents();
  expect(cells).toHaveLength(5);
  expect(cells[0]).toBe('1');
  expect(cells[3]).toBe(`${cells[1]!}${cells[2]!}`);
  const counts = await rows.locator('td:last-child').allTextContents();
  const seen = counts.map((count) => Number(count.replace(',', '')));
  expect(seen).toEqual([...seen].sort((a, b) => b - a));
});

it('goes to the next merges, and to any rank', async () => {
  const { page } = await mount('merges', 'pieces');
  const { later } = partsOf(page);
  const place = page.locator('[data-part=merges-place]');
  await later.click();
  await expect.poll(() => place.textContent()).toBe('21 to 40 of 44');
  await page.getByRole('textbox', { name: 'Go to rank' }).fill('44');
  await page.keyboard.press('Enter');
  await expect.poll(() => place.textContent()).toBe('25 to 44 of 44');
  await expect.poll(() => later.isDisabled()).toBe(true);
});

it('keeps the focus where a button has just done the last that it can', async () => {
  const { page } = await mount('merges', 'pieces');
  const { later, walked, next } = partsOf(page);
  const hasFocus = (name: string) =>
    page.locator(':focus').and(page.getByRole('textbox', { name })).count();
  for (let press = 0; press < 2; press++) await later.press('Enter');
  await expect.poll(() => hasFocus('Go to rank')).toBe(1);
  await walked.fill('an');
  await expect.poll(() => next.isEnabled()).toBe(true);
  await next.press('Enter');
  const isOnSlider = () => partsOf(page).slider.evaluate((one) => one.matches(':focus'));
  await expect.poll(isOnSlider).toBe(true);
});

it('walks from the bytes of a text to its tokens by buttons and keys, and says each step', async () => {
  const { page } = await mount('merges', 'pieces');
  const { walked, pieces, next, slider, told } = partsOf(page);
  await walked.fill('anna maria');
  await expect.poll(() => pieces.count()).toBe(10);
  await told.getByText('The text as 10 bytes').waitFor();
  await next.click();
  await told.getByText(/^Merge 1 of \d+: “.” and “.” became one \(rank \d+\)/).waitFor();
  await expect.poll(() => page.locator('.merge-piece.fresh').count()).toBeGreaterThan(0);
  await expect.poll(() => pieces.filter({ hasText: ', new' }).count()).toBeGreaterThan(0);
  await page.getByRole('slider', { name: 'Number of merges' }).focus();
  await page.keyboard.press('End');
  await told.getByText('No learned pair is left to merge.').waitFor();
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/^Merge (\d+) of \1:/);
  await expect.poll(() => pieces.count()).toBeLessThan(10);
  await expect.poll(() => next.isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Bytes', exact: true }).click();
  await expect.poll(() => pieces.count()).toBe(10);
});

it('stays at its step when the language changes', async () => {
  const { page } = await mount('merges', 'pieces');
  const { walked, next, slider, rows } = partsOf(page);
  await walked.fill('anna maria');
  await next.click();
  await next.click();
  await expect.poll(() => slider.inputValue()).toBe('2');
  await page.getByRole('combobox', { name: 'Language' }).selectOption('zh');
  await page.getByRole('heading', { name: '深入看看' }).waitFor();
  await rows.first().waitFor();
  await expect.poll(() => slider.inputValue()).toBe('2');
});

it('says where there are no merges, and shows them once the preset has some, in Chinese', async () => {
  const { page } = await mount('merges', 'small', { hash: 'lang=zh' });
  const { told } = partsOf(page);
  await page.getByText('这个模型读的是字节或字符').waitFor();
  await expect.poll(() => page.locator('.merges').isVisible()).toBe(false);
  await page.evaluate(() => {
    location.hash = `${location.hash.replace('microgpt', 'gpt2')}&vocabulary=300&heads=1`;
  });
  const note = page.locator('[data-part=merges-note]');
  await expect.poll(() => note.textContent()).toBe('共 44 条合并，按学到的先后排列。');
  await page.getByRole('button', { name: '下一次合并' }).click();
  await told.getByText(/第 1 次合并/).waitFor();
});

/** The buttons below the explanation of a missing merge list. */
const choiceOf = (page: Page) => ({
  use: page.getByRole('button', { name: 'Use word pieces as tokens' }),
  back: page.getByRole('button', { name: 'Back to the previous tokens' }),
  chosen: page.locator('[data-part=merges-chosen]'),
  tokens: page.getByRole('combobox', { name: /^Tokens/ }),
});

it('says what choosing word pieces did, and takes it back with the focus where it was', async () => {
  const { page } = await mount(['merges', 'settings'], 'small', { hash: 'vocabulary=300' });
  const { use, back, chosen, tokens } = choiceOf(page);
  await use.click();
  await chosen.getByText('Word pieces are the tokens now.').waitFor();
  await page.getByText(/^\d+ merges, the first learned first/).waitFor();
  await back.click();
  await page.getByText('This model reads bytes or characters.').waitFor();
  await expect.poll(() => tokens.locator('option:checked').textContent()).toBe('Characters');
  await expect.poll(() => use.evaluate((one) => one === document.activeElement)).toBe(true);
  await expect.poll(() => chosen.textContent()).toBe('');
});

it('puts the key to take it back where the one to choose was, in a run that has begun', async () => {
  const { page } = await mount(['merges', 'settings'], 'small', {
    hash: 'vocabulary=300',
    step: 1,
  });
  const { use, back, chosen, tokens } = choiceOf(page);
  await use.scrollIntoViewIfNeeded();
  const before = await use.boundingBox();
  await use.click();
  await chosen.getByText('“Restart with these changes” above begins it').waitFor();
  const after = await back.boundingBox();
  expect(after?.x).toBe(before?.x);
  // Browsers scroll by whole device pixels.
  expect(after?.y).toBeCloseTo(before!.y, 0);
  // A manual choice of the tokenizer removes the Undo button.
  await tokens.selectOption('Bytes');
  await use.waitFor();
  await expect.poll(() => chosen.textContent()).toBe('');
});

it.each([390, 1024, 1440])(
  'keeps what was pressed under the pointer when the bar says what has changed, %i pixels wide',
  async (width) => {
    const above = ['text', 'model', 'settings', 'plan', 'loss'];
    const { page, run } = await mount(['merges', ...above], 'small', {
      hash: 'vocabulary=300',
      step: 60,
      viewport: { width, height: 800 },
    });
    const { use, back } = choiceOf(page);
    const key = use.or(back);
    const top = () => key.evaluate((one) => one.getBoundingClientRect().top);
    await use.scrollIntoViewIfNeeded();
    const low = await run.evaluate((one) => one.clientHeight);
    const before = await top();
    await use.click();
    await page.getByText('You are still looking at the previous run.').first().waitFor();
    // A docked run bar shows the message above its row and keeps its height.
    const isDocked = await run.evaluate((one) => one.classList.contains('docked'));
    if (!isDocked)
      await expect.poll(() => run.evaluate((one) => one.clientHeight)).toBeGreaterThan(low);
    // Figures with a pending change take more lines, but the page does not move.
    await expect.poll(() => page.locator('[data-part=plan-random]').textContent()).toContain('→');
    expect(Math.abs((await top()) - before)).toBeLessThan(2);
  },
);
