/** Attention as a person looks at it: every head, one head as map and arcs, its habit, looking back. */
import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { eventually } from './driver.ts';
import type { Driven } from './driver.ts';
import { useSites } from './sites.ts';

const site = useSites();

/** The page after some steps of training, paused. */
async function trained(hash = ''): Promise<Driven> {
  const driven = await site({ hash });
  await driven.start.click();
  await eventually(driven.step, (step) => step > 60);
  await driven.pause.click();
  await driven.reach('paused');
  return driven;
}

it('shows one token’s row as arcs, and follows the keyboard', async () => {
  const { page, problems } = await trained();
  const column = page.locator('#attention');
  await column.getByRole('button', { name: 'Arcs' }).click();
  const arcs = column.getByRole('img', { name: /looks most at/ });
  await arcs.waitFor();
  // A click leaves no frame; keys do.
  await arcs.locator('.arc-hit').nth(10).click();
  const frame = () => arcs.evaluate((one) => getComputedStyle(one).outlineStyle);
  expect(await frame()).toBe('none');
  expect(await column.locator('.attention-canvas').isVisible()).toBe(false);
  const read = column.locator('[data-part=arcs-readout]');
  expect(await read.textContent()).toMatch(/^“a” \(row 11\) looks most at: .+ 0\.\d\d/);
  await arcs.focus();
  await page.keyboard.press('Home');
  expect(await frame()).toBe('solid');
  await eventually(
    () => read.textContent(),
    (text) => text === 'the beginning (row 1) looks most at: the beginning (row 1) 1.00.',
  );
  await page.keyboard.press('ArrowDown');
  await eventually(
    () => read.textContent(),
    (text) => text?.startsWith('“e” (row 2)') === true,
  );
  // The arcs go away as a file; what is clear on the page is not black in it.
  const coming = page.waitForEvent('download');
  await column.getByRole('button', { name: 'Save as SVG: the arcs of attention' }).click();
  const file = await coming;
  expect(file.suggestedFilename()).toMatch(/^glasshouse-arcs-layer-1-head-1-step-\d+\.svg$/);
  const drawing = await readFile(await file.path(), 'utf8');
  expect(drawing).toMatch(/<title>Attention of layer 1, head 1, at step [\d,]+<\/title>/);
  expect(drawing).toContain('text-anchor="middle"');
  expect(drawing).not.toMatch(/class=|rgba\(0, 0, 0, 0\)/);
  expect(problems).toEqual([]);
});

it('names what a head does, beside the untrained model and even attention', async () => {
  const { page } = await trained();
  const column = page.locator('#attention');
  const row = column.getByRole('row', { name: /the token before/ });
  const cells = await row.getByRole('cell').allTextContents();
  const [now, before, even] = cells.map(Number);
  // Eleven tokens: even attention gives the token before the mean of 1/2, 1/3 ... 1/11.
  expect(even).toBe(0.2);
  // Before training queries and keys are tiny, so attention is all but even.
  expect(Math.abs((before ?? 0) - 0.2)).toBeLessThan(0.02);
  expect(now).toBeGreaterThan(0);
  expect(await column.locator('[data-part=habit]').textContent()).not.toBe('');
  // Three of the rows are weights; the fourth is none, and has a heading of its own.
  const groups = column.locator('.habits tbody');
  expect(await groups.first().getByRole('rowheader').count()).toBe(4);
  expect(await groups.last().getByRole('rowheader').allTextContents()).toEqual([
    'How evenly it is spread',
    'between 0 and 1',
  ]);
});

it('finds the untrained model’s figures also for a text typed in mid-run', async () => {
  const { page, probe } = await trained();
  await probe.fill('gloria');
  const cells = page.locator('#attention .habits tbody tr').first().getByRole('cell');
  await eventually(
    () => cells.nth(2).textContent(),
    (text) => text === '0.27',
  );
  await eventually(
    () => cells.nth(1).textContent(),
    (text) => text?.startsWith('0.2') === true,
  );
});

it('looks back at the run’s beginning and returns to now', async () => {
  const driven = await trained('pace=100');
  const { page } = driven;
  const back = page.locator('#attention').getByRole('slider', { name: 'Look back' });
  await eventually(
    () => back.getAttribute('max'),
    (max) => Number(max) > 1,
  );
  const now = await back.getAttribute('aria-valuetext');
  await back.focus();
  await page.keyboard.press('Home');
  await eventually(
    () => back.getAttribute('aria-valuetext'),
    (text) => text === 'step 0',
  );
  // What is shown says of which step it is, also when it is enlarged.
  const column = page.locator('#attention');
  await column.getByRole('heading', { name: 'Layer 1, head 1, at step 0' }).waitFor();
  await column.getByRole('columnheader', { name: 'step 0', exact: true }).waitFor();
  expect(await column.getByRole('columnheader', { name: 'Now' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Enlarge' }).click();
  const wide = page.locator('#closer');
  await wide.getByRole('heading', { name: 'Layer 1, head 1, at step 0' }).waitFor();
  expect(await wide.getByRole('slider', { name: 'Look back' }).inputValue()).toBe('0');
  await back.focus();
  await page.keyboard.press('End');
  await eventually(
    () => back.getAttribute('aria-valuetext'),
    (text) => text === now,
  );
  await column.getByRole('columnheader', { name: 'Now' }).waitFor();
  // Of another text nothing was kept: why is said, for the eye and the ear.
  await driven.probe.fill('anna');
  const note = column.locator('.look-back + .note');
  await eventually(
    async () => [await back.isDisabled(), await note.textContent()].join(),
    (text) => text.startsWith('true,There is nothing to look back at'),
  );
  expect(await back.getAttribute('aria-describedby')).toBe(await note.getAttribute('id'));
  // No text has one cell, which needs no page of its own.
  await driven.probe.fill('');
  await eventually(
    async () => (await column.locator('.attention-canvas').boundingBox())?.width ?? NaN,
    (width) => width < 150,
  );
});

it('enlarges to a tab that shows map and arcs side by side', async () => {
  const { page, problems } = await trained();
  await page.getByRole('button', { name: 'Enlarge' }).click();
  const tab = page.getByRole('tabpanel', { name: 'Attention' });
  await tab.getByRole('img', { name: /looks most at/ }).waitFor();
  expect(await tab.locator('.attention-canvas').isVisible()).toBe(true);
  // Neither has less room than the other, and what is drawn fills it.
  const map = (await tab.locator('.map-box').boundingBox())!;
  const arcs = (await tab.locator('.arcs').boundingBox())!;
  // Both read the same row, wherever it is chosen.
  const reads = (what: string, row: number) =>
    eventually(
      () => tab.locator(`[data-part=${what}-readout]`).textContent(),
      (text) => text?.includes(`(row ${String(row)}) looks`) === true,
    );
  await tab.locator('.attention-canvas').focus();
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press('ArrowUp');
  await reads('attention', 9);
  await reads('arcs', 9);
  await tab.locator('.arcs').focus();
  await page.keyboard.press('ArrowUp');
  await reads('arcs', 8);
  await tab.locator('.attention-canvas').focus();
  await page.keyboard.press('ArrowRight');
  await reads('attention', 8);
  // No number below a small map is cut off.
  const cut = await tab
    .locator('.head-badge')
    .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
  expect(cut).toBe(0);
  expect(arcs.width).toBeGreaterThan(map.width * 0.95);
  expect(arcs.height).toBeGreaterThan(arcs.width * 0.9);
  expect(page.url()).toContain('view=attention');
  expect(problems).toEqual([]);
});

it('enlarges on every screen, in sight, and leads back to where it was pressed', async () => {
  const { page, problems } = await site({ hash: 'steps=1&layers=6' });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const column = page.locator('#attention');
  const enlarge = page.getByRole('button', { name: 'Enlarge' });
  const back = page.getByRole('button', { name: 'Back to the small map' });
  const top = async (what: Locator): Promise<number> => (await what.boundingBox())?.y ?? NaN;
  const focused = (what: Locator) => what.evaluate((one) => one === document.activeElement);
  for (const [width, height, bottom] of [
    [390, 844, 724],
    [1024, 768, 768],
  ] as const) {
    await page.setViewportSize({ width, height });
    await column.locator('.attention-canvas').scrollIntoViewIfNeeded();
    // More layers than the box has room for fade at its edge, and are told of.
    await column.getByText('All 6 layers are here').waitFor();
    const grid = column.locator('.head-grid');
    expect(await grid.getAttribute('class')).toMatch(/more-below/);
    await grid.evaluate((box) => {
      box.scrollTop = box.scrollHeight;
    });
    await eventually(
      async () => (await grid.getAttribute('class')) ?? '',
      (text) => text.includes('more-above') && !text.includes('more-below'),
    );
    await enlarge.hover();
    const small = (await column.locator('.attention-canvas').boundingBox())!;
    const pressed = await top(enlarge);
    await enlarge.click();
    await eventually(
      () => focused(back),
      (reached) => reached,
    );
    const large = (await page.locator('#closer .attention-canvas').boundingBox())!;
    expect(large.width).toBeGreaterThan(small.width);
    expect(large.y).toBeGreaterThan(0);
    expect(large.y + large.height).toBeLessThanOrEqual(bottom);
    expect(await top(back)).toBeLessThanOrEqual(pressed + 1);
    // Playwright scrolls to what it presses, with room to spare: that comes before measuring.
    await back.hover();
    const from = await top(back);
    await back.click();
    await eventually(
      () => focused(enlarge),
      (reached) => reached,
    );
    expect(Math.abs((await top(enlarge)) - from)).toBeLessThan(2);
  }
  expect(problems).toEqual([]);
});

it('reads a cell out where a finger taps it, and goes on showing it', async () => {
  const driven = await site({
    options: { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true },
  });
  const map = driven.page.locator('#attention .attention-canvas');
  await driven.page.locator('#attention').evaluate((section) => {
    section.scrollIntoView({ behavior: 'instant' });
  });
  await map.waitFor();
  await map.evaluate((canvas) => {
    canvas.scrollIntoView({ block: 'center', behavior: 'instant' });
  });
  await eventually(
    () => map.boundingBox(),
    (place) => place !== null && place.height > 200,
  );
  const box = (await map.boundingBox())!;
  await driven.page.touchscreen.tap(box.x + box.width * 0.15, box.y + box.height * 0.6);
  const readout = driven.page.locator('[data-part=attention-readout]');
  await eventually(
    () => readout.textContent(),
    (text) => /row \d+.*0\.\d{3}/.test(text ?? ''),
  );
});

it('shows arcs in place of the map, also when the page takes another size', async () => {
  const driven = await site({ options: { viewport: { width: 390, height: 780 } } });
  const { page } = driven;
  const column = page.locator('#attention');
  const map = column.locator('.attention-canvas');
  const arcs = column.locator('.arcs');
  await map.waitFor();
  const top = async (): Promise<number> => (await column.boundingBox())!.y;
  const place = (await map.boundingBox())!.y - (await top());
  for (const [choice, seen, gone, width] of [
    ['Arcs', arcs, map, 391],
    ['Map', map, arcs, 390],
  ] as const) {
    await column.getByRole('button', { name: choice, exact: true }).click();
    await page.setViewportSize({ width, height: 780 });
    // As long as drawings take that the new size makes.
    await page.waitForTimeout(300);
    expect(await seen.isVisible()).toBe(true);
    expect(await gone.isVisible()).toBe(false);
    expect(Math.abs((await seen.boundingBox())!.y - (await top()) - place)).toBeLessThan(40);
  }
});

it('scrolls the weights as a table in their own box', async () => {
  const { page, probe } = await trained('context=48');
  await page.setViewportSize({ width: 1440, height: 900 });
  await probe.fill('abcdefghijklmnopqrstuvwxyzabcdefghijklmnop');
  const column = page.locator('#attention');
  const map = column.locator('.attention-canvas');
  await map.waitFor();
  const before = (await map.boundingBox())!.width;
  await column.getByRole('button', { name: 'The weights as a table' }).click();
  await column.getByRole('region', { name: 'The weights as a table' }).getByRole('table').waitFor();
  expect(Math.abs((await map.boundingBox())!.width - before)).toBeLessThan(20);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1440);
});
