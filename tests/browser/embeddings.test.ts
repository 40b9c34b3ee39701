/** Embeddings in the plane: points, axes that stay, the nearest, by keyboard and as a table. */
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { canvasContent, eventually, openTab, saved, train } from './driver.ts';
import { useSites } from './sites.ts';

const site = useSites();

/** The parts of the tab, as a reader knows them. */
function partsOf(page: Page) {
  const tab = page.locator('.tab-embeddings');
  const part = (name: string): Locator => tab.locator(`[data-part=plane-${name}]`);
  return {
    tab,
    canvas: tab.locator('canvas'),
    said: part('said'),
    near: part('near').locator('li'),
    point: tab.getByRole('combobox', { name: 'The chosen point' }),
    show: tab.getByRole('combobox', { name: 'Show' }),
    fold: tab.getByRole('button', { name: 'The points as a table' }),
    rows: tab.locator('tbody tr'),
  };
}

/** Which step is shown, and in the axes of which. */
async function stepsOf(said: Locator): Promise<{ step: number; axes: number }> {
  const [, step, axes] =
    /^Step ([\d,]+)\..*axes of step ([\d,]+)\.$/.exec((await said.textContent()) ?? '') ?? [];
  const number = (text = ''): number => (text === '' ? NaN : Number(text.replaceAll(',', '')));
  return { step: number(step), axes: number(axes) };
}

const chosen = (point: Locator): Promise<string> =>
  point.evaluate((one: HTMLSelectElement) => one.selectedOptions[0]?.textContent ?? '');

it('shows the tokens of a trained model as points, with the nearest to each by cosine', async () => {
  const driven = await site({ hash: 'steps=400' });
  const { page, problems } = driven;
  await train(driven);
  await openTab(page, 'Embeddings');
  const { canvas, said, near, point, tab, fold, rows } = partsOf(page);
  await said.getByText(/^Step 400\. The two axes show [\d.]+% of the variance/).waitFor();
  await eventually(
    () => canvasContent(canvas),
    ({ colours }) => colours > 20,
  );
  expect(await chosen(point)).toBe('“a”');
  const cosines = (await near.locator('.figure').allTextContents()).map((text) =>
    Number(text.replace('−', '-')),
  );
  expect(cosines).toHaveLength(8);
  expect(cosines).toEqual([...cosines].sort((a, b) => b - a));
  // Letters that take part in the same words come together.
  expect(['“e”', '“o”', '“i”']).toContain(await near.locator('button').first().textContent());
  await fold.click();
  expect(await rows.count()).toBe(27);
  const [x, y, nearest] = await rows.first().locator('td').allTextContents();
  expect([x, y].every((text) => /^−?\d\.\d{3}$/.test(text ?? ''))).toBe(true);
  expect(nearest).toBe(`${(await near.locator('button').first().textContent())!} ${(await near.locator('.figure').first().textContent())!}`); // prettier-ignore
  await near.locator('button').first().click();
  expect(await chosen(point)).not.toBe('“a”');
  await tab.getByText(/^Nearest to “[eoi]”$/).waitFor();
  const file = await saved(driven, tab.getByRole('button', { name: /PNG/ }));
  expect(file.name).toMatch(/^glasshouse-embeddings-names-.*-step-400\.png$/);
  expect(problems).toEqual([]);
});

it('keeps its axes while a run goes on and points move, until others are asked for', async () => {
  const driven = await site({ hash: 'steps=5000&pace=30&view=embeddings' });
  const { page, start, pause, problems } = driven;
  const { canvas, said, fold, rows, tab } = partsOf(page);
  const axes = tab.getByRole('button', { name: 'Take the axes of this step' });
  await canvas.scrollIntoViewIfNeeded();
  await eventually(
    () => stepsOf(said),
    (now) => now.step === 0 && now.axes === 0,
  );
  expect(await axes.isDisabled()).toBe(true);
  await fold.click();
  const first = (): Promise<string> => rows.first().innerText();
  const before = await first();
  await start.click();
  await canvas.scrollIntoViewIfNeeded();
  for (const step of [5, 15]) {
    const now = await eventually(
      () => stepsOf(said),
      (seen) => seen.step >= step,
    );
    expect(now.axes).toBe(0);
  }
  await pause.click();
  await driven.reach('paused');
  await canvas.scrollIntoViewIfNeeded();
  expect(await first()).not.toBe(before);
  const last = await driven.step();
  await eventually(
    () => stepsOf(said),
    (now) => now.step === last && now.axes === 0,
  );
  await axes.click();
  await eventually(
    () => stepsOf(said),
    (now) => now.step === last && now.axes === last,
  );
  expect(problems).toEqual([]);
});

it('goes from point to point with the arrow keys, with a press and in the list', async () => {
  const driven = await site({ hash: 'steps=50&view=embeddings' });
  const { page, problems } = driven;
  await train(driven);
  const { canvas, point, tab, said } = partsOf(page);
  await tab.scrollIntoViewIfNeeded();
  await said.getByText(/^Step 50\./).waitFor();
  await canvas.focus();
  await page.keyboard.press('Home');
  await expect.poll(() => chosen(point)).toBe('“a”');
  const visited = new Set<string>();
  for (const key of ['ArrowUp', 'ArrowRight', 'ArrowDown', 'ArrowLeft']) {
    for (let presses = 0; presses < 8; presses++) {
      await page.keyboard.press(key);
      visited.add(await chosen(point));
    }
  }
  expect(visited.size).toBeGreaterThan(8);
  await page.keyboard.press('End');
  await expect.poll(() => chosen(point)).toBe('the beginning');
  const spoken = tab.locator('[aria-live=polite]');
  expect(await spoken.textContent()).toMatch(/^the beginning: nearest .*\d\.\d\d/);
  expect(await canvas.getAttribute('aria-label')).toMatch(/^Step 50\. .*the beginning: nearest/);
  await point.selectOption('“q”');
  await tab.getByText('Nearest to “q”').waitFor();
  // A press near a point, wherever it is.
  const { width, height } = (await canvas.boundingBox())!;
  for (let at = 0.1; at < 1 && (await chosen(point)) === '“q”'; at += 0.05) {
    for (let across = 0.1; across < 1; across += 0.05)
      await canvas.click({ position: { x: across * width, y: at * height } });
  }
  expect(await chosen(point)).not.toBe('“q”');
  expect(problems).toEqual([]);
});

it('shows positions, and a text before its first block and after each', async () => {
  const driven = await site({ hash: 'steps=60&view=embeddings' });
  const { page, probe, problems } = driven;
  await train(driven);
  const { show, point, tab, rows, fold, said } = partsOf(page);
  await tab.scrollIntoViewIfNeeded();
  await said.getByText(/^Step 60\./).waitFor();
  await fold.click();
  await show.selectOption('the positions');
  await expect.poll(() => rows.count()).toBe(32);
  expect(await chosen(point)).toBe('position 1');
  expect(await show.locator('option').allTextContents()).toEqual([
    'the tokens',
    'the positions',
    'a text, before the first block',
    'a text, after block 1',
    'a text, after block 2',
  ]);
  await show.selectOption('a text, after block 2');
  await expect.poll(() => rows.count()).toBe(11);
  expect(await chosen(point)).toBe('“a”, place 11');
  const after = await said.textContent();
  await show.selectOption('a text, before the first block');
  await expect.poll(() => said.textContent()).not.toBe(after);
  const read = async (text: string): Promise<void> => {
    await probe.fill(text);
    await tab.scrollIntoViewIfNeeded();
  };
  await read('anna');
  await tab.getByText('The text is that of the attention maps: “anna”.').waitFor();
  await expect.poll(() => rows.count()).toBe(5);
  // A character without a token is named; the points come back with a text that can be read.
  await read('ann4');
  await tab.locator('[data-part=plane-status]').getByText('“4”').waitFor();
  await read('bob');
  await expect.poll(() => rows.count()).toBe(4);
  expect(problems).toEqual([]);
});

it('says the same in Chinese after a reload, with the tab open', async () => {
  const driven = await site({ hash: 'steps=20&view=embeddings&lang=zh', state: '' });
  const { page, problems } = driven;
  await page.reload();
  const tab = page.locator('.tab-embeddings');
  await tab.scrollIntoViewIfNeeded();
  await tab.getByText(/^第 0 步。两条轴显示了 [\d.]+% 的方差/).waitFor();
  await tab.getByText('离“a”最近的').waitFor();
  expect(await tab.innerText()).not.toMatch(/[A-Za-z]{4}/);
  expect(problems).toEqual([]);
});

it('reads nothing while it is scrolled out of sight', async () => {
  const driven = await site({ hash: 'steps=40&pace=30&view=embeddings' });
  const { page, problems } = driven;
  const { said, canvas } = partsOf(page);
  await canvas.scrollIntoViewIfNeeded();
  await said.getByText(/^Step 0\./).waitFor();
  await page.evaluate(() => scrollTo(0, 0));
  await expect.poll(() => canvas.evaluate((one) => one.getBoundingClientRect().top > innerHeight)).toBe(true); // prettier-ignore
  await train(driven);
  expect(await said.textContent()).toMatch(/^Step 0\./);
  await canvas.scrollIntoViewIfNeeded();
  await said.getByText(/^Step 40\./).waitFor();
  expect(problems).toEqual([]);
});
