/** The numbers of a part of the model and where each comes from, used as a person would. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { eventually } from './driver.ts';
import { diagram, partTitle, SMALL, textOf } from './model-parts.ts';
import { useSites } from './sites.ts';

const site = useSites();

it('colours numbers by the same extremes that it names, while it trains', async () => {
  const { page, start, problems } = await site({
    hash: 'preset=tinygpt&text=names&steps=20000&view=model-parts',
  });
  await diagram(page)
    .getByRole('button', { name: /^MLP: widen/ })
    .click();
  await start.click();
  const step = page.locator('[data-part=values-step]');
  // What is out of sight is not computed, and the press has scrolled to its button.
  await step.scrollIntoViewIfNeeded();
  for (let look = 0; look < 2; look++) {
    const before = await textOf(step, (text) => text !== '');
    await textOf(step, (text) => text !== before);
    const { named, coloured } = await page.locator('.values-body').evaluate((body) => ({
      named: Array.from(body.querySelectorAll('.values-statistics dd'), (one) => one.textContent),
      coloured: Array.from(body.querySelectorAll('.value-scale span'), (one) => one.textContent),
    }));
    expect(named.slice(0, 2).map((text) => text.replace('−', ''))).toContain(coloured[1]);
  }
  // Bytes are parts of characters: the first texts are full of what is none.
  await page.getByText(/^� is a character that was begun and not finished/).waitFor();
  expect(problems).toEqual([]);
});

it('shows the numbers of a part: each cell by keys, its sum, gradients, and after another step', async () => {
  const { page, oneStep, problems } = await site({ hash: SMALL });
  await diagram(page)
    .getByRole('button', { name: /^MLP: widen/ })
    .click();
  const map = page.getByRole('img', { name: /^Output, 1 × 11 × 64\./ });
  await map.waitFor();
  await map.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  const readout = page.locator('[data-part=tensor-readout]');
  const cell = /^the beginning, place 1, channel 2: (−?\d.+)$/;
  const value = cell.exec(await textOf(readout, (text) => text.includes('channel 2:')));
  // The sum that the engine has is the number in the cell, and the terms add up to it.
  await page.keyboard.press('Enter');
  const sum = page.locator('[data-part=number-origin] tbody tr');
  await sum.last().waitFor();
  const last = async (): Promise<string[]> => sum.locator('td:last-child').allTextContents();
  const terms = await last();
  const raised = (power: string): string =>
    power.replace(/./g, (sign) => '-0123456789'['⁻⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(sign)] ?? '');
  const number = (text = ''): number =>
    Number(
      text
        .replaceAll('−', '-')
        .replace(/\u202f×\u202f10(.+)/, (_, power: string) => `e${raised(power)}`),
    );
  const result = number(terms.pop());
  expect(result).toBe(number(value?.[1]));
  expect(terms.reduce((total, term) => total + number(term), 0)).toBeCloseTo(result, 2);
  // Asked again it stays.
  await page.keyboard.press('Enter');
  await page.waitForTimeout(300);
  await expect.poll(() => last().then((all) => all.length)).toBe(terms.length + 1);
  // The gradient of the loss, and the parameters, in the same place.
  await page.getByRole('checkbox', { name: 'Gradient', exact: true }).check();
  await page.getByRole('img', { name: /^Gradient of: Output/ }).waitFor();
  await page.getByRole('combobox', { name: 'Show' }).selectOption('h.0.mlp.c_fc.weight');
  await page.getByRole('img', { name: /^Gradient of: Parameter h\.0\.mlp\.c_fc\.weight, 16 × 64/ }).waitFor(); // prettier-ignore
  await oneStep.click();
  // What is out of sight stands still.
  await page.locator('[data-part=values-step]').scrollIntoViewIfNeeded();
  await textOf(page.locator('[data-part=values-step]'), (text) => text === 'step 1');
  // Heads are looked at one by one.
  await diagram(page)
    .getByRole('button', { name: /^Attention heads/ })
    .click();
  await page.getByRole('combobox', { name: 'Show' }).selectOption({ label: 'Attention weights' });
  const head = page.locator('.tab-model-parts').getByRole('slider', { name: 'Head' });
  await head.focus();
  await page.keyboard.press('ArrowRight');
  await eventually(
    () => head.getAttribute('aria-valuetext'),
    (text) => text === '2 of 2',
  );
  // It has no gradient, and shows its numbers although those of others were looked at before.
  // A weight is a score and its share among all scores: the last line is the number of the cell.
  const weights = page.getByRole('img', { name: /^Attention weights, 1 × 2 × 11 × 11\./ });
  await weights.focus();
  await page.keyboard.press('Home');
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key); // prettier-ignore
  await page.keyboard.press('Enter');
  const origin = page.locator('[data-part=number-origin]');
  await origin.getByText('Then softmax').waitFor();
  const share = / (0\.\d+)$/.exec(await textOf(readout, (text) => text.includes('place 4')))?.[1];
  expect(share).toBeDefined();
  expect((await last()).at(-1)).toBe(share);
  // Numbers of the model that is trained, where the settings are for another one by now.
  const channels = page.locator('.part-fields').getByRole('textbox', { name: 'Channels' });
  await channels.fill('24');
  await textOf(
    page.locator('[data-part=values-note]'),
    (text) => text === 'These are numbers of the run that is shown, with Channels 16.',
  );
  expect(problems).toEqual([]);
});

it.each([
  ['that is open', SMALL],
  ['that is opened by it', SMALL.replace('model-parts', 'runs')],
])('leads from a weight of attention to how it is computed, in a panel %s', async (_, hash) => {
  const { page, oneStep, problems } = await site({ hash });
  await oneStep.click();
  await page.getByRole('radio', { name: /^Layer 2, head 2/ }).click();
  const map = page.locator('#attention').getByRole('img', { name: /Layer 2, head 2/ });
  await map.focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowLeft');
  const read = page.locator('#attention [data-part=attention-readout]');
  const weight = /with weight (0\.\d\d)/.exec(await textOf(read, (text) => text.includes('looks at')))?.[1]; // prettier-ignore
  await page.locator('#attention').getByRole('button', { name: 'How this weight is computed' }).click(); // prettier-ignore
  const part = page.getByRole('region', { name: 'Attention heads, block 2' });
  await part.waitFor();
  // What is out of sight stands still: where the page came to rest may differ by a few lines.
  await part.scrollIntoViewIfNeeded();
  const sum = page.locator('[data-part=number-origin] tbody tr:last-child td:last-child');
  await expect.poll(() => sum.count()).toBe(2);
  const share = Number(await sum.last().textContent());
  expect(share.toFixed(2)).toBe(weight);
  // There the keyboard goes on.
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.className))
    .toBe('tensor-canvas');
  expect(problems).toEqual([]);
});

it('explains the number that the map shows, at full speed too', async () => {
  const { page, start, problems } = await site({ hash: `${SMALL}&steps=200000` });
  await diagram(page)
    .getByRole('button', { name: /^MLP: widen/ })
    .click();
  const map = page.getByRole('img', { name: /^Output, 1 × 11 × 64\./ });
  await map.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.locator('[data-part=number-origin] tr').last().waitFor();
  await start.click();
  // What is out of sight stands still.
  await map.scrollIntoViewIfNeeded();
  const read = () =>
    page.evaluate(() => {
      const of = (part: string) => document.querySelector(`[data-part=${part}]`)?.textContent ?? '';
      const result = document.querySelector(
        '[data-part=number-origin] tr:last-child td:last-child',
      );
      return [of('values-step'), /: (\S+)$/.exec(of('tensor-readout'))?.[1], result?.textContent];
    });
  const steps = new Set<string>();
  for (let turn = 0; turn < 200 && steps.size < 4; turn++) {
    await page.waitForTimeout(50);
    const [step, shown, result] = await read();
    // Map and sums are drawn in the same turn or the next.
    await expect.poll(() => read().then(([, a, b]) => a === b)).toBe(true);
    if (shown === result) steps.add(step ?? '');
  }
  expect(steps.size).toBe(4);
  expect(problems).toEqual([]);
});

it('thins out what is too large, says so, and shows every number around a chosen cell', async () => {
  const large = 'text=moby&preset=gpt2&layers=1&channels=128&heads=1&view=model-parts';
  const { page, problems } = await site({ hash: large });
  await diagram(page)
    .getByRole('button', { name: /^Token embedding/ })
    .click();
  await page.getByRole('combobox', { name: 'Show' }).selectOption('wte.weight');
  const map = page.getByRole('img', { name: /^Parameter wte\.weight, 1,024 × 128/ });
  await map.waitFor();
  await page.getByText('the picture takes one row of 2 and one column of 1.').waitFor();
  await map.focus();
  for (const key of ['ArrowDown', 'PageDown', 'PageDown', 'PageDown', 'ArrowDown']) {
    await page.keyboard.press(key);
  }
  const readout = page.locator('[data-part=tensor-readout]');
  await textOf(readout, (text) => text.startsWith('token number 74, channel 1:'));
  await page.keyboard.press('Enter');
  const whole = page.getByRole('button', { name: 'Back to the whole' });
  await whole.waitFor();
  await page.locator('[data-part=values-thinned]').waitFor({ state: 'hidden' });
  await page.keyboard.press('Home');
  await textOf(readout, (text) => /^token number 79, /.test(text));
  await whole.click();
  await page.locator('[data-part=values-thinned]').waitFor();
  expect(problems).toEqual([]);
});

it('gives its numbers away as PNG, as they stand on the page', async () => {
  const { page, problems } = await site({ hash: SMALL });
  await diagram(page)
    .getByRole('button', { name: /^Query, key, value/ })
    .click();
  await textOf(partTitle(page), (text) => text.startsWith('Query, key, value'));
  await page.locator('[data-part=tensor-readout]').waitFor();
  const values = page.getByRole('group', { name: 'Save: these numbers' });
  await expect.poll(() => values.getByRole('button').count()).toBe(1);
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as PNG: these numbers' }).click();
  const file = await coming;
  expect(file.suggestedFilename()).toMatch(/^glasshouse-values-[\w.-]+\.png$/);
  const png = await readFile(await file.path());
  expect([...png.subarray(1, 4)]).toEqual([...Buffer.from('PNG')]);
  const drawn = await page
    .locator('.tensor-canvas')
    .evaluate((canvas) => [
      (canvas as HTMLCanvasElement).width,
      (canvas as HTMLCanvasElement).height,
    ]);
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual(drawn);
  expect(problems).toEqual([]);
});

it('says of a weight which of its sides is the input, and shows its sums whole on a phone', async () => {
  const { page } = await site({
    hash: SMALL,
    options: { viewport: { width: 360, height: 740 } },
  });
  await diagram(page)
    .getByRole('button', { name: /^MLP: widen/ })
    .click();
  const output = page.getByRole('img', { name: /^Output, 1 × 11 × 64\./ });
  await output.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  const sum = page.locator('[data-part=number-origin]');
  await sum.getByRole('row').last().waitFor();
  await expect.poll(() => sum.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  await page.getByRole('combobox', { name: 'Show' }).selectOption('h.0.mlp.c_fc.weight');
  const weight = page.getByRole('img', { name: /^Parameter h\.0\.mlp\.c_fc\.weight, 16 × 64/ });
  await weight.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  const readout = page.locator('[data-part=tensor-readout]');
  await textOf(readout, (text) =>
    text.startsWith('input channel 2 (row), output channel 1 (column): '),
  );
});
