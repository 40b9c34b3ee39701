/** The enlarged maps of attention: on every screen, read with fingers, with long texts. */
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { canvasContent, eventually } from './driver.ts';
import { useSites } from './sites.ts';

const site = useSites();

it('enlarges to a tab that shows map and arcs side by side', async () => {
  const { page, problems } = await site();
  await page.getByRole('button', { name: 'Enlarge' }).click();
  const tab = page.getByRole('tabpanel', { name: 'Attention' });
  await tab.getByRole('img', { name: /looks most at/ }).waitFor();
  await expect.poll(() => tab.locator('.attention-canvas').isVisible()).toBe(true);
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
  const { page, problems } = await site({ hash: 'steps=1&layers=12' });
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
    await column.getByText('All 12 layers are here').waitFor();
    const grid = column.locator('.head-grid');
    await grid.evaluate((box) => {
      box.scrollTop = 0;
    });
    await expect.poll(() => grid.getAttribute('class')).toMatch(/more-below/);
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
    // It is drawn in the frames after it is there.
    const scale = page.locator('#closer .map-box .scale-row');
    await eventually(
      async () => (await scale.boundingBox())!,
      ({ y, height: high }) => y + high <= bottom,
    );
    const large = (await page.locator('#closer .map-span').boundingBox())!;
    expect(large.width).toBeGreaterThan(small.width * 1.1);
    expect(large.y).toBeGreaterThan(0);
    // The number that is read stands above the map, and what is wider than the screen is in a box.
    const box = (await page.locator('#closer .map-scroll').boundingBox())!;
    const read = (await page.locator('#closer [data-part=attention-readout]').boundingBox())!;
    expect(read.y + read.height).toBeLessThanOrEqual(box.y);
    expect(box.x + box.width).toBeLessThanOrEqual(width - 15);
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
  // A finger that only scrolls the page chooses nothing.
  const read = await readout.textContent();
  const session = await driven.page.context().newCDPSession(driven.page);
  const at = { x: Math.round(box.x + box.width * 0.5), y: Math.round(box.y + box.height * 0.9) };
  await session.send('Input.synthesizeScrollGesture', { ...at, yDistance: -40, gestureSourceType: 'touch' }); // prettier-ignore
  expect(await readout.textContent()).toBe(read);
  await session.send('Input.synthesizeScrollGesture', { ...at, yDistance: 40, gestureSourceType: 'touch' }); // prettier-ignore
  expect(await readout.textContent()).toBe(read);
  // The letter of a row stands for where that row looks most; what is read is never scrolled away.
  await driven.page.touchscreen.tap(box.x + 8, box.y + box.height * 0.97);
  await eventually(
    () => readout.textContent(),
    (text) => /^“a” \(row 11\) looks at/.test(text ?? ''),
  );
  await map.evaluate((canvas) => {
    window.scrollTo({
      top: scrollY + canvas.getBoundingClientRect().top + 150,
      behavior: 'instant',
    });
  });
  expect((await readout.boundingBox())!.y).toBeGreaterThanOrEqual(0);
});

it('never calls a map wider than the screen that fits, whatever the width', async () => {
  const { page, probe } = await site({ hash: 'text=tang&steps=1' });
  await probe.fill('春眠不觉晓，处处闻啼鸟。');
  await page.locator('#attention').getByRole('button', { name: 'Enlarge' }).click();
  const closer = page.locator('#closer');
  const scroller = closer.locator('.map-scroll');
  for (let width = 1300; width < 1340; width += 2) {
    await page.setViewportSize({ width, height: 900 });
    await eventually(
      () => scroller.evaluate((box) => box.clientWidth - box.scrollWidth),
      (rest) => rest === 0,
    );
    expect(await closer.locator('[data-part=attention-readout]').textContent()).not.toContain(
      'swipe',
    );
  }
});

it('moves an enlarged map of a long text under the labels of its rows and columns', async () => {
  const { page, probe } = await site({
    hash: 'text=moby&steps=1&context=48',
    options: { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true },
  });
  // Three bytes each.
  await probe.fill('床前明月光疑是地上霜举头望明');
  await page.locator('#attention').getByRole('button', { name: 'Enlarge' }).click();
  const closer = page.locator('#closer');
  const canvas = closer.locator('.attention-canvas');
  await closer.getByText('swipe it sideways').waitFor();
  expect((await closer.locator('.map-span').boundingBox())!.width).toBeGreaterThan(42 * 24);
  const columns = () => canvasContent(canvas);
  const before = await columns();
  await canvas.focus();
  for (const key of ['ArrowUp', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  await closer.locator('.map-scroll').evaluate((box) => {
    box.scrollLeft = box.scrollWidth;
  });
  await eventually(columns, ({ print }) => print !== before.print);
  // Keys bring the cell they reach into the box; the page itself has nothing past its margin.
  await page.keyboard.press('ArrowLeft');
  await eventually(
    () => closer.locator('.map-scroll').evaluate((box) => box.scrollLeft),
    (left) => left < 200,
  );
  expect((await canvas.boundingBox())!.x).toBeGreaterThanOrEqual(15);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  // What is read names bytes by their character, and so do the arcs.
  const read = closer.locator('[data-part=attention-readout]');
  await expect
    .poll(() => read.textContent())
    .toMatch(/^Byte 8E, 3 of 3 of “明” \(row 42\) looks at byte BA, 2 of 3 of “床” \(column 2\)/);
  await expect.poll(() => closer.locator('.arc-label').nth(1).textContent()).toBe('床 BA');
  // Scrolled down, the map has gone under its columns, whose letters go sideways with it.
  const heads = closer.locator('.map-columns');
  await canvas.evaluate((map) => {
    scrollTo({ top: scrollY + map.getBoundingClientRect().top + 300, behavior: 'instant' });
  });
  const [strip, line] = [(await heads.boundingBox())!, (await read.boundingBox())!];
  expect(line.y).toBeGreaterThanOrEqual(0);
  expect(strip.y).toBeGreaterThanOrEqual(line.y + line.height - 1);
  expect(strip.y + strip.height).toBeLessThan(300);
  expect(strip.width).toBeGreaterThan(300);
  const letters = (await canvasContent(heads)).print;
  await closer.locator('.map-scroll').evaluate((box) => {
    box.scrollLeft = 500;
  });
  await eventually(
    () => canvasContent(heads),
    ({ print }) => print !== letters,
  );
});
