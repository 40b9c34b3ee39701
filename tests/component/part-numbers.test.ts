/** The numbers of a part of the model, and the computation of each. */
import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { mountedParts } from './model-parts.ts';
import type { MountedParts } from './model-parts.ts';
import { useComponents } from './mount.ts';
import type { MountOptions } from './mount.ts';

const mount = useComponents();

/** Rows of a sum of 16 terms: six terms, the sum of the others, the result. */
const SUM = 8;

/** Mounts the panel with the output of the first MLP layer. */
async function mountWidened(
  options: MountOptions = {},
): Promise<MountedParts & { map: Locator; terms: Locator }> {
  const parts = await mountedParts(mount, 'small', options);
  await parts.part(/^MLP: widen/).click();
  const map = parts.page.getByRole('application', { name: /^Output, 1 × 11 × 64\./ });
  await map.waitFor();
  return Object.assign(parts, { map, terms: parts.origin.locator('tbody tr td:last-child') });
}

it('colours numbers by the same extremes that it names, while it trains', async () => {
  const { page, start, advance, valuesStep } = await mountWidened({ stepwise: true });
  await start.click();
  for (const step of [10, 30]) {
    await advance(step);
    await expect.poll(() => valuesStep.textContent()).toBe(`step ${String(step)}`);
    const named = await page.locator('.values-body .values-statistics dd').allTextContents();
    const coloured = await page.locator('.values-body .value-scale span').allTextContents();
    expect(named.slice(0, 2).map((text) => text.replace('−', ''))).toContain(coloured[1]);
  }
});

it('reads a cell out by keys, and shows the sum that is its number, asked for again too', async () => {
  const { page, map, readout, terms, rest } = await mountWidened();
  await map.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  const cell = /^the beginning, position 1, channel 2: (−?\d.+)$/;
  await expect.poll(() => readout.textContent()).toMatch(cell);
  await page.keyboard.press('Enter');
  await expect.poll(() => terms.count()).toBe(SUM);
  const before = await terms.allTextContents();
  expect(before.at(-1)).toBe(cell.exec((await readout.textContent())!)![1]);
  await page.keyboard.press('Enter');
  await rest();
  expect(await terms.allTextContents()).toEqual(before);
});

it('shows gradients and parameters in the same place, and follows a training step', async () => {
  const { page, shows, oneStep, valuesStep } = await mountWidened();
  await page.getByRole('checkbox', { name: 'Gradient', exact: true }).check();
  await page.getByRole('application', { name: /^Gradient of: Output/ }).waitFor();
  await shows.selectOption('h.0.mlp.c_fc.weight');
  await page.getByRole('application', { name: /^Gradient of: Parameter h\.0\.mlp\.c_fc\.weight, 16 × 64/ }).waitFor(); // prettier-ignore
  await oneStep.click();
  await expect.poll(() => valuesStep.textContent()).toBe('step 1');
});

it('shows heads one by one, and a weight of attention as a share among scores', async () => {
  const { page, part, shows, readout, origin } = await mountedParts(mount, 'small');
  await part(/^Attention heads/).click();
  await shows.selectOption({ label: 'Attention weights' });
  const head = page.locator('.tab-model-parts').getByRole('slider', { name: 'Head' });
  await head.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => head.getAttribute('aria-valuetext')).toBe('2 of 2');
  await page.getByRole('application', { name: /^Attention weights, 1 × 2 × 11 × 11\./ }).focus();
  for (const key of ['Home', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'Enter']) {
    await page.keyboard.press(key);
  }
  await origin.getByText('Then softmax').waitFor();
  await expect.poll(() => readout.textContent()).toMatch(/position 4.* 0\.\d+$/);
  const share = / (0\.\d+)$/.exec((await readout.textContent())!)![1];
  // The last row equals the number of the cell.
  await expect
    .poll(() => origin.locator('tbody tr td:last-child').last().textContent())
    .toBe(share);
});

it('says that the numbers are of the run that is shown, once settings are for another', async () => {
  const { page, fields } = await mountWidened({ step: 10 });
  await fields.getByRole('textbox', { name: 'Channels' }).fill('24');
  await expect
    .poll(() => page.locator('[data-part=values-note]').textContent())
    .toBe('These are numbers of the current run, with Channels 16.');
});

it.each([
  ['that is open', 'model-parts'],
  ['that is opened by it', 'runs'],
])('leads from a weight of attention to how it is computed, in a panel %s', async (_, tab) => {
  const { page } = await mount(['attention', tab], 'small', { step: 1 });
  const attention = page.locator('#attention');
  await attention.getByRole('radio', { name: /^Layer 2, head 2/ }).click();
  await attention.getByRole('application', { name: /Layer 2, head 2/ }).focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowLeft');
  const read = attention.locator('[data-part=attention-readout]');
  await expect.poll(() => read.textContent()).toMatch(/looks at.*with weight 0\.\d\d/);
  const weight = /with weight (0\.\d\d)/.exec((await read.textContent())!)![1];
  await attention.getByRole('button', { name: 'How this weight is computed' }).click();
  const part = page.getByRole('region', { name: 'Attention heads, layer 2' });
  // The page does not update panels outside the window.
  await part.scrollIntoViewIfNeeded();
  const sum = page.locator('[data-part=number-origin] tbody tr:last-child td:last-child');
  await expect.poll(() => sum.count()).toBe(2);
  expect(Number(await sum.last().textContent()).toFixed(2)).toBe(weight);
  // The keyboard focus moves to the map of numbers.
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.className))
    .toBe('tensor-canvas');
});

it('saves its numbers as PNG, as they stand on the page', async () => {
  const { page, part, title, readout } = await mountedParts(mount, 'small');
  await part(/^Query, key, value/).click();
  await expect.poll(() => title.textContent()).toMatch(/^Query, key, value/);
  await readout.waitFor();
  const values = page.getByRole('group', { name: 'Save: these numbers' });
  await expect.poll(() => values.getByRole('button').count()).toBe(1);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as PNG: these numbers' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^glasshouse-values-[\w.-]+\.png$/);
  const png = await readFile(await file.path());
  expect([...png.subarray(1, 4)]).toEqual([...Buffer.from('PNG')]);
  const drawn = await page.locator('.tensor-canvas').evaluate((canvas) => {
    const { width, height } = canvas as HTMLCanvasElement;
    return [width, height];
  });
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual(drawn);
});

it('shows the sum of a number whole on a phone', async () => {
  const { page, map, terms, origin } = await mountWidened({
    viewport: { width: 360, height: 740 },
  });
  await map.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect.poll(() => terms.count()).toBe(SUM);
  await expect.poll(() => origin.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
});

it('says of a weight which of its sides is the input', async () => {
  const { page, shows, readout } = await mountWidened();
  await shows.selectOption('h.0.mlp.c_fc.weight');
  await page
    .getByRole('application', { name: /^Parameter h\.0\.mlp\.c_fc\.weight, 16 × 64/ })
    .focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await expect
    .poll(() => readout.textContent())
    .toMatch(/^input channel 2 \(row\), output channel 1 \(column\): /);
});
