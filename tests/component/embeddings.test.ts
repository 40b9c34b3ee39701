/** Embeddings in the plane: points, fixed axes, nearest neighbours, keyboard control and table. */
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { canvasContent, saved } from '../browser/driver.ts';
import { useComponents } from './mount.ts';
import type { MountOptions } from './mount.ts';

const mount = useComponents();

/** Mounts the tab and returns its parts by their visible names. */
async function mountPlane(options: MountOptions = {}, beside: readonly string[] = []) {
  const component = await mount(['embeddings', ...beside], 'small', {
    viewport: { width: 1280, height: beside.length > 0 ? 2400 : 1400 },
    ...options,
  });
  const tab = component.page.locator('.tab-embeddings');
  const part = (name: string): Locator => tab.locator(`[data-part=plane-${name}]`);
  const near = part('near').locator('li');
  const point = tab.getByRole('combobox', { name: 'The chosen point' });
  return Object.assign(component, {
    tab,
    canvas: tab.locator('canvas'),
    said: part('said'),
    status: part('status'),
    near,
    nearest: near.locator('button').first(),
    point,
    chosen: () => point.locator('option:checked').textContent(),
    show: tab.getByRole('combobox', { name: 'Show' }),
    fold: tab.getByRole('button', { name: 'The points as a table' }),
    rows: tab.locator('tbody tr'),
  });
}

it('draws the tokens as points, and says how much of the variance the axes show', async () => {
  const { canvas, said } = await mountPlane({ step: 60 });
  await said.getByText(/^Step 60\. The two axes show [\d.]+% of the variance/).waitFor();
  await expect.poll(async () => (await canvasContent(canvas)).colours).toBeGreaterThan(20);
});

it('lists the nearest points by cosine, in the table too, and goes to the one pressed', async () => {
  const { tab, near, nearest, fold, rows, chosen } = await mountPlane({ step: 60 });
  await expect.poll(chosen).toBe('“a”');
  const figures = await near.locator('.figure').allTextContents();
  const cosines = figures.map((text) => Number(text.replace('−', '-')));
  expect(cosines).toHaveLength(8);
  expect(cosines).toEqual([...cosines].sort((a, b) => b - a));
  const name = (await nearest.textContent())!;
  await fold.click();
  await expect.poll(() => rows.count()).toBe(27);
  const [x, y, best] = await rows.first().locator('td').allTextContents();
  expect([x, y].every((text) => /^−?\d\.\d{3}$/.test(text ?? ''))).toBe(true);
  expect(best).toBe(`${name} ${figures[0]!}`);
  await nearest.click();
  await expect.poll(chosen).toBe(name);
  await tab.getByText(`Nearest to ${name}`, { exact: true }).waitFor();
});

it('saves the plane as PNG, with text and step in its name', async () => {
  const plane = await mountPlane({ step: 60 });
  const file = await saved(plane, plane.tab.getByRole('button', { name: /PNG/ }));
  expect(file.name).toMatch(/^glasshouse-embeddings-names-.*-step-60\.png$/);
});

it('keeps its axes while a run goes on and points move, until others are asked for', async () => {
  const { start, pause, advance, said, fold, rows, tab } = await mountPlane({ stepwise: true });
  const axes = tab.getByRole('button', { name: 'Use the axes of this step' });
  await said.getByText(/^Step 0\..*axes of step 0\.$/).waitFor();
  expect(await axes.isDisabled()).toBe(true);
  await fold.click();
  const before = await rows.first().innerText();
  await start.click();
  for (const step of [10, 30]) {
    await advance(step);
    await said.getByText(new RegExp(`^Step ${String(step)}\\..*axes of step 0\\.$`)).waitFor();
  }
  await pause.click();
  expect(await rows.first().innerText()).not.toBe(before);
  await axes.click();
  await said.getByText(/^Step 30\..*axes of step 30\.$/).waitFor();
});

it('goes from point to point with the arrow keys, Home and End, and says the nearest', async () => {
  const { page, canvas, chosen, tab } = await mountPlane({ step: 60 });
  await canvas.focus();
  await page.keyboard.press('Home');
  await expect.poll(chosen).toBe('“a”');
  const visited = new Set<string | null>();
  for (const key of ['ArrowUp', 'ArrowRight', 'ArrowDown', 'ArrowLeft']) {
    for (let presses = 0; presses < 5; presses++) {
      await page.keyboard.press(key);
      visited.add(await chosen());
    }
  }
  expect(visited.size).toBeGreaterThan(8);
  await page.keyboard.press('End');
  await expect.poll(chosen).toBe('the beginning');
  expect(await tab.locator('[aria-live=polite]').textContent()).toMatch(
    /^the beginning: nearest .*\d\.\d\d/,
  );
  expect(await canvas.getAttribute('aria-label')).toMatch(/^Step 60\. .*the beginning: nearest/);
});

it('chooses a point in the list, and by a press near it', async () => {
  const { canvas, point, chosen, tab } = await mountPlane({ step: 60 });
  await point.selectOption('“q”');
  await tab.getByText('Nearest to “q”').waitFor();
  // Clicks positions of a grid until one is near a point.
  const { width, height } = (await canvas.boundingBox())!;
  for (let at = 1; at < 100 && (await chosen()) === '“q”'; at++) {
    const [row, column] = [Math.ceil(at / 10) / 10, (at % 10) / 10 + 0.05];
    await canvas.click({ position: { x: column * width, y: Math.min(row, 0.95) * height } });
  }
  expect(await chosen()).not.toBe('“q”');
});

it('shows positions, and a text before its first block and after each', async () => {
  const { show, chosen, rows, fold } = await mountPlane({ step: 60 });
  await fold.click();
  await show.selectOption('the positions');
  await expect.poll(() => rows.count()).toBe(12);
  expect(await chosen()).toBe('position 1');
  expect(await show.locator('option').allTextContents()).toEqual([
    'the tokens',
    'the positions',
    'a text, before the first layer',
    'a text, after layer 1',
    'a text, after layer 2',
  ]);
  await show.selectOption('a text, after layer 2');
  await expect.poll(() => rows.count()).toBe(11);
  expect(await chosen()).toBe('“a”, position 11');
  const after = await rows.first().innerText();
  await show.selectOption('a text, before the first layer');
  await expect.poll(() => rows.first().innerText()).not.toBe(after);
});

it('shows the text of the attention maps, and names a character without a token', async () => {
  const { show, probe, tab, rows, fold, status } = await mountPlane({ step: 60 }, ['attention']);
  const read = async (text: string): Promise<void> => {
    await probe.fill(text);
    await tab.scrollIntoViewIfNeeded();
  };
  await fold.click();
  await show.selectOption('a text, before the first layer');
  await read('anna');
  await tab.getByText('The text of the attention maps: “anna”.').waitFor();
  await expect.poll(() => rows.count()).toBe(5);
  await read('ann4');
  await status.getByText('“4”').waitFor();
  // The points reappear once the text is readable again.
  await read('bob');
  await expect.poll(() => rows.count()).toBe(4);
});

it('says the same in Chinese', async () => {
  const { tab } = await mountPlane({ hash: 'lang=zh' });
  await tab.getByText(/^第 0 步。两条轴显示了 [\d.]+% 的方差/).waitFor();
  await tab.getByText('离“a”最近的').waitFor();
  expect(await tab.innerText()).not.toMatch(/[A-Za-z]{4}/);
});

it('reads nothing while it is scrolled out of sight', async () => {
  const plane = await mountPlane({ viewport: { width: 1280, height: 720 } }, ['loss', 'samples']);
  const { page, tab, said, canvas, train } = plane;
  await tab.scrollIntoViewIfNeeded();
  await said.getByText(/^Step 0\./).waitFor();
  await page.evaluate(() => {
    scrollTo(0, 0);
  });
  await expect
    .poll(() => canvas.evaluate((one) => one.getBoundingClientRect().top > innerHeight))
    .toBe(true);
  await train(60);
  expect(await said.textContent()).toMatch(/^Step 0\./);
  await canvas.scrollIntoViewIfNeeded();
  await said.getByText(/^Step 60\./).waitFor();
});

it('leaves out bytes that the text never uses, and says how many', async () => {
  const { page } = await mount('embeddings', 'moby', { step: 10 });
  const tab = page.locator('.tab-embeddings');
  const note = tab.locator('[data-part=plane-note]');
  await expect.poll(() => note.textContent()).toMatch(/^Left out: \d+ bytes that the text never/);
  const unused = Number(/\d+/.exec((await note.textContent())!)![0]);
  await tab.getByRole('button', { name: 'The points as a table' }).click();
  await expect.poll(() => tab.locator('tbody tr').count()).toBe(256 - unused);
});

it('says first which tokens training brought together, and shows them at a press', async () => {
  const { page } = await mount('embeddings', 'names', { step: 60 });
  const finding = page.locator('.tab-embeddings .tab-finding');
  await finding.getByText(/ found each other: |^The model uses “.” and “.” most alike/).waitFor();
  await finding.getByRole('button', { name: 'Show them' }).click();
  const chosen = page.locator('[data-part=plane-point]');
  const name = await chosen.evaluate((one: HTMLSelectElement) => one.selectedOptions[0]!.text);
  expect(await finding.innerText()).toContain(name.replaceAll(/[“”]/g, ''));
});
