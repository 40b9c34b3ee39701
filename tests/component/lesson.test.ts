/** Lessons on recorded runs: visible and hidden panels, locks and tasks. */
import { expect, it } from 'vitest';
import { useComponents } from './mount.ts';

const mount = useComponents();

it.each([
  [['loss'], [900, 1366]],
  [
    ['loss', 'attention'],
    [900, 1366],
  ],
  [
    ['text', 'loss'],
    [900, 1366],
  ],
  [['text', 'loss', 'attention'], [1366]],
])('fills its width with the columns of %s, side by side', async (show, widths) => {
  const { page, rest } = await mount(show, 'names');
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    await rest();
    const columns = () =>
      page.evaluate(() => {
        const main = document.querySelector('[data-columns]')!;
        const { paddingLeft, paddingRight, columnGap } = getComputedStyle(main);
        const all = [...main.querySelectorAll(':scope > .column')];
        const own = all.map((one) => one.getBoundingClientRect().width);
        const gaps = parseFloat(columnGap) * (all.length - 1);
        const sides = parseFloat(paddingLeft) + parseFloat(paddingRight);
        const filled = own.reduce((sum, one) => sum + one, gaps + sides);
        return {
          isFilled: Math.abs(main.clientWidth - filled) < 1,
          // Finds control groups that overflow their column.
          over: all.flatMap((one) =>
            [...one.querySelectorAll('button, select')].filter(
              (part) => part.getBoundingClientRect().right > one.getBoundingClientRect().right + 1,
            ),
          ).length,
        };
      });
    await expect.poll(columns).toEqual({ isFilled: true, over: 0 });
  }
});

it.each([
  [1024, 'hide=seed'],
  [390, 'hide=seed'],
  // The seed is a setting, so the lock covers it.
  [1024, 'lock=settings'],
])('leaves out a button that a lesson leaves out, at %i pixels: %s', async (width, lesson) => {
  const { page, rewind } = await mount('loss', 'names', {
    lesson,
    viewport: { width, height: 700 },
  });
  await rewind.waitFor();
  expect(await page.getByRole('button', { name: 'New seed' }).count()).toBe(0);
});

it('undoes what the reader changed, and not what the lesson gives', async () => {
  const { page } = await mount('settings', 'untouched', {
    hash: 'preset=gpt2&layers=3&steps=50',
    lesson: 'task=Look',
  });
  const undo = page.getByRole('button', { name: 'Back to the lesson’s settings' });
  const layers = page.getByLabel('Layers', { exact: true });
  await expect.poll(() => layers.inputValue()).toBe('3');
  expect(await undo.isVisible()).toBe(false);
  await layers.fill('5');
  await undo.click();
  await expect.poll(() => layers.inputValue()).toBe('3');
  await expect.poll(() => undo.isVisible()).toBe(false);
  // Choosing a preset is a change too; undoing it restores the lesson's whole recipe.
  await page.getByRole('radio', { name: 'tinygpt' }).check();
  await expect.poll(() => layers.inputValue()).toBe('2');
  await undo.click();
  await expect.poll(() => layers.inputValue()).toBe('3');
  expect(await page.getByRole('radio', { name: 'gpt2' }).isChecked()).toBe(true);
});

it.each([
  ['text', 0],
  ['settings', 1],
])('offers no remedy that would change a text where it has locked: %s', async (lock, count) => {
  const { page } = await mount('page', 'names', {
    hash: 'preset=microgpt',
    lesson: `lock=${lock}`,
    text: `${'anna\nbea\n'.repeat(20)}Zoë\n`,
  });
  await page.getByRole('button', { name: 'Check the text' }).click();
  await page.locator('#text-check').getByText('Lines that repeat an earlier one').waitFor();
  expect(await page.getByRole('button', { name: 'Remove repeats', exact: true }).count()).toBe(
    count,
  );
});

it.each([
  ['locked', 'text', 'lock=text', 'text=own', 'Ask the person who gave you this page.'],
  ['hidden', 'loss', 'hide=seed', 'text=own&lang=zh', '请联系给你这个网页的人'],
])(
  'says whom to ask where the text is the reader’s own and %s',
  async (_, id, lesson, hash, ask) => {
    const { page } = await mount(id, 'names', { lesson, hash, state: '' });
    await page.getByText(ask).first().waitFor();
    expect(await page.getByText(/Paste (it|some)/).count()).toBe(0);
  },
);
