/**
 * The merges of a learned vocabulary in the page: listed in order, and walked through on a text.
 */
import { expect, it } from 'vitest';
import { eventually, train } from './driver.ts';
import { useSites } from './sites.ts';

const site = useSites();
const SMALL = 'preset=gpt2&vocabulary=300&layers=1&channels=16&heads=1&context=16&view=merges';

it('lists the merges with their pairs, results and counts, and goes to any rank', async () => {
  const { page, problems } = await site({ hash: SMALL });
  await page.getByText('44 merges, the first learned first.').waitFor();
  const rows = page.locator('.merges-table tbody tr');
  await expect.poll(() => rows.count()).toBe(20);
  // The first pair is the most frequent one of the names.
  const cells = await rows.first().locator('th,td').allTextContents();
  expect(cells).toHaveLength(5);
  expect(cells[0]).toBe('1');
  expect(cells[3]).toBe(`${cells[1]}${cells[2]}`);
  const counts = await rows.locator('td:last-child').allTextContents();
  const seen = counts.map((count) => Number(count.replace(',', '')));
  expect(seen).toEqual([...seen].sort((a, b) => b - a));
  const place = page.locator('[data-part=merges-place]');
  await page.getByRole('button', { name: 'Later', exact: true }).click();
  await expect.poll(() => place.textContent()).toBe('21 to 40 of 44');
  await page.getByRole('textbox', { name: 'Go to rank' }).fill('44');
  await page.keyboard.press('Enter');
  await expect.poll(() => place.textContent()).toBe('25 to 44 of 44');
  await expect
    .poll(() => page.getByRole('button', { name: 'Later', exact: true }).isDisabled())
    .toBe(true);
  expect(problems).toEqual([]);
});

it('walks from the bytes of a text to its tokens by buttons and keys, and says each step', async () => {
  const { page, problems } = await site({ hash: SMALL });
  await page.getByText('44 merges').waitFor();
  await page.getByRole('textbox', { name: 'The text', exact: true }).fill('anna maria');
  const pieces = page.getByRole('list', { name: 'The text at this step' }).getByRole('listitem');
  const told = page.locator('[data-part=merge-told]');
  await expect.poll(() => pieces.count()).toBe(10);
  await told.getByText('The text as 10 bytes').waitFor();
  await page.getByRole('button', { name: 'Next merge' }).click();
  await told.getByText(/^Step 1 of \d+: “.” and “.” became one \(rank \d+\)/).waitFor();
  await expect.poll(() => page.locator('.merge-piece.fresh').count()).toBeGreaterThan(0);
  await expect.poll(() => pieces.filter({ hasText: ', new' }).count()).toBeGreaterThan(0);
  const slider = page.getByRole('slider', { name: 'Step of merging' });
  await slider.focus();
  await page.keyboard.press('End');
  await told.getByText('No learned pair is left.').waitFor();
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/^Step (\d+) of \1:/);
  await expect.poll(() => pieces.count()).toBeLessThan(10);
  await expect.poll(() => page.getByRole('button', { name: 'Next merge' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Bytes', exact: true }).click();
  await expect.poll(() => pieces.count()).toBe(10);
  expect(problems).toEqual([]);
});

it('stays at its step when the language changes', async () => {
  const { page } = await site({ hash: SMALL });
  await page.getByText('44 merges').waitFor();
  await page.getByRole('textbox', { name: 'The text', exact: true }).fill('anna maria');
  await page.getByRole('button', { name: 'Next merge' }).click();
  await page.getByRole('button', { name: 'Next merge' }).click();
  const slider = page.locator('.merges-walk input[type=range]');
  await expect.poll(() => slider.inputValue()).toBe('2');
  await page.getByRole('combobox', { name: 'Language' }).selectOption('zh');
  await page.getByRole('heading', { name: '深入看看' }).waitFor();
  await page.locator('.merges-table tbody tr').first().waitFor();
  await expect.poll(() => slider.inputValue()).toBe('2');
});

it('says where there are no merges, and shows them once the preset has some, in Chinese too', async () => {
  const { page, problems } = await site({ hash: 'lang=zh&view=merges' });
  await page.getByText('这个模型读的是字节或字符').waitFor();
  await expect.poll(() => page.locator('.merges').isVisible()).toBe(false);
  const hash = `#lang=zh&${SMALL}`;
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  await eventually(
    () => page.locator('[data-part=merges-note]').textContent(),
    (text) => text === '共 44 条合并，按学到的先后排列。',
  );
  await page.getByRole('button', { name: '下一次合并' }).click();
  await page
    .locator('[data-part=merge-told]')
    .getByText(/第 1 步/)
    .waitFor();
  expect(problems).toEqual([]);
});

it('says what choosing word pieces did, and takes it back where it was chosen', async () => {
  const driven = await site({ hash: 'channels=16&layers=1&view=merges' });
  const { page } = driven;
  const told = page.locator('[data-part=merges-chosen]');
  const use = page.getByRole('button', { name: 'Use word pieces as tokens' });
  const back = page.getByRole('button', { name: 'Back to the tokens before' });
  const tokens = page.getByRole('combobox', { name: /^Tokens/ });
  await use.click();
  await told.getByText('Word pieces are the tokens now.').waitFor();
  await page.getByText(/^\d+ merges, the first learned first/).waitFor();
  await back.click();
  await page.getByText('This model reads bytes or characters.').waitFor();
  await expect.poll(() => tokens.locator('option:checked').textContent()).toBe('Characters');
  // The keys are where they were.
  await expect.poll(() => use.evaluate((one) => one === document.activeElement)).toBe(true);
  await expect.poll(() => told.textContent()).toBe('');
  await driven.oneStep.click();
  await eventually(driven.step, (step) => step === 1);
  await use.scrollIntoViewIfNeeded();
  const before = await use.boundingBox();
  await use.click();
  await told.getByText('“Restart with these changes” above begins it').waitFor();
  const after = await back.boundingBox();
  expect(after?.x).toBe(before?.x);
  // Browsers scroll by whole pixels of the screen.
  expect(after?.y).toBeCloseTo(before!.y, 0);
  // Chosen otherwise by hand, there is nothing to take back.
  await tokens.selectOption('Bytes');
  await use.waitFor();
  await expect.poll(() => told.textContent()).toBe('');
});

it.each([390, 1024, 1440])(
  'keeps what was pressed under the pointer when the bar says what has changed, %i pixels wide',
  async (width) => {
    const driven = await site({
      hash: 'steps=20&view=merges',
      options: { viewport: { width, height: 800 } },
    });
    await train(driven);
    const { page } = driven;
    const use = page.getByRole('button', { name: 'Use word pieces as tokens' });
    await use.waitFor();
    const top = () => use.or(page.getByRole('button', { name: 'Back to the tokens before' })).evaluate((one) => one.getBoundingClientRect().top); // prettier-ignore
    await use.scrollIntoViewIfNeeded();
    const strip = page.locator('#run');
    const low = await strip.evaluate((one) => one.clientHeight);
    const before = await top();
    await use.click();
    await page.getByText('You are still looking at the previous run.').first().waitFor();
    await expect.poll(() => strip.evaluate((one) => one.clientHeight)).toBeGreaterThan(low);
    // Figures that now say what they will become take more lines: that moves nothing either.
    await expect.poll(() => page.locator('[data-part=plan-random]').textContent()).toContain('→');
    expect(Math.abs((await top()) - before)).toBeLessThan(2);
  },
);
