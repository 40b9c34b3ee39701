/** The enlarged attention tab on all screen sizes, by touch and with long texts. */
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { canvasContent } from '../browser/driver.ts';
import { enlarge, phone, readout } from './attention.ts';
import { useComponents } from './mount.ts';

const mount = useComponents();
const BOTH = ['attention', 'closer'];

it('shows map and arcs side by side, and reads the same row in both', async () => {
  const { page } = await mount(BOTH, 'names');
  await enlarge(page);
  const tab = page.getByRole('tabpanel', { name: 'Attention' });
  await tab.getByRole('application', { name: /looks most at/ }).waitFor();
  await expect.poll(() => tab.locator('.attention-canvas').isVisible()).toBe(true);
  const map = (await tab.locator('.map-box').boundingBox())!;
  const arcs = (await tab.locator('.arcs').boundingBox())!;
  expect(arcs.width).toBeGreaterThan(map.width * 0.95);
  expect(arcs.height).toBeGreaterThan(arcs.width * 0.9);
  const reads = (what: 'attention' | 'arcs', row: number) =>
    expect.poll(readout(tab, what)).toContain(`(row ${String(row)}) looks`);
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
  // Counts numbers below small maps that are cut off.
  const cut = (all: HTMLElement[]) => all.filter((one) => one.scrollWidth > one.clientWidth).length;
  expect(await tab.locator('.head-badge').evaluateAll(cut)).toBe(0);
  expect(page.url()).toContain('view=attention');
});

it('says below the map of each of eight heads what it does, whatever the width', async () => {
  const { page } = await mount(BOTH, 'names', { hash: 'heads=8' });
  const looks = async (area: Locator): Promise<unknown> => {
    const heads = area.getByRole('radio', { name: /^Layer 1, head \d: [a-z]+ (\d\.\d\d)?/ });
    await expect.poll(() => heads.count()).toBe(8);
    return heads.evaluateAll((all) => {
      const badges = all.map((one) => one.querySelector<HTMLElement>('.head-badge')!);
      const parts = badges.flatMap((badge) => [badge, ...badge.children]);
      const tops = all.map((one) => one.getBoundingClientRect().top);
      const lines = [...new Set(tops)].map((top) => tops.filter((one) => one === top).length);
      const grid = all[0]!.closest('[role=radiogroup]')!;
      return {
        said: badges.every((badge) => badge.textContent !== ''),
        cut: parts.filter((one) => one.scrollWidth > one.clientWidth && one.clientWidth > 0).length,
        small: badges.filter((badge) => parseFloat(getComputedStyle(badge).fontSize) < 12).length,
        even: new Set(lines).size === 1,
        beyond: grid.scrollWidth - grid.clientWidth,
      };
    });
  };
  const good = { said: true, cut: 0, small: 0, even: true, beyond: 0 };
  await enlarge(page);
  for (const width of [1440, 1024, 390, 320]) {
    await page.setViewportSize({ width, height: 900 });
    for (const area of ['#attention', '#closer']) {
      await expect.poll(() => looks(page.locator(area)), { message: String(width) }).toEqual(good);
    }
  }
});

it('shades the edges of a box that holds more layers than it shows', async () => {
  const { page } = await mount('attention', 'names', { hash: 'layers=12&channels=16' });
  await page
    .locator('#attention')
    .getByText('Scroll within the maps to see all 12 layers')
    .waitFor();
  const grid = page.locator('#attention .head-grid');
  const shades = async () => (await grid.getAttribute('class'))!.match(/more-\w+/g);
  for (const [place, shaded] of [
    [0, ['more-below']],
    [20, ['more-above', 'more-below']],
    [10_000, ['more-above']],
  ] as const) {
    await grid.evaluate((box, top) => (box.scrollTop = top), place);
    await expect.poll(async () => (await shades())?.sort()).toEqual(shaded);
  }
});

it.each([
  [390, 844, 724],
  [1024, 768, 768],
] as const)(
  'enlarges in sight at %i × %i, and leads back to where it was pressed',
  async (width, height, bottom) => {
    const { page } = await mount('page', 'names', {
      hash: 'layers=12&channels=16',
      viewport: { width, height },
      reducedMotion: 'reduce',
    });
    const column = page.locator('#attention');
    const closer = page.locator('#closer');
    const enlarge = page.getByRole('button', { name: 'Enlarge' });
    const back = page.getByRole('button', { name: 'Back to the small map' });
    const box = async (what: Locator) => (await what.boundingBox())!;
    const isFocused = (what: Locator) => () =>
      what.evaluate((one) => one === document.activeElement);
    // Scrolls before measuring, because Playwright scrolls to the element that it presses.
    await column.locator('.attention-canvas').scrollIntoViewIfNeeded();
    await enlarge.hover();
    const small = await box(column.locator('.attention-canvas'));
    const pressed = await box(enlarge);
    await enlarge.click();
    await expect.poll(isFocused(back)).toBe(true);
    // The browser draws the map a few frames after its element appears.
    const scale = closer.locator('.map-box .scale-row');
    await expect
      .poll(async () => (await box(scale)).y + (await box(scale)).height)
      .toBeLessThanOrEqual(bottom);
    const large = await box(closer.locator('.map-span'));
    expect(large.width).toBeGreaterThan(small.width * 1.1);
    expect(large.y).toBeGreaterThan(0);
    // The readout is above the map, and a scroll box holds every element wider than the screen.
    const scroller = await box(closer.locator('.map-scroll'));
    const read = await box(closer.locator('[data-part=attention-readout]'));
    expect(read.y + read.height).toBeLessThanOrEqual(scroller.y);
    expect(scroller.x + scroller.width).toBeLessThanOrEqual(width - 15);
    expect((await box(back)).y).toBeLessThanOrEqual(pressed.y + 1);
    await back.hover();
    const from = (await box(back)).y;
    await back.click();
    await expect.poll(isFocused(enlarge)).toBe(true);
    expect(Math.abs((await box(enlarge)).y - from)).toBeLessThan(2);
  },
);

it('reads a cell out where a finger taps it, not where it scrolls, and goes on showing it', async () => {
  const { page } = await mount('attention', 'names', { context: phone(780) });
  const map = page.locator('#attention .attention-canvas');
  await map.evaluate((one) => one.scrollIntoView({ block: 'center', behavior: 'instant' }));
  const box = (await map.boundingBox())!;
  const read = readout(page.locator('#attention'), 'attention');
  await page.touchscreen.tap(box.x + box.width * 0.15, box.y + box.height * 0.6);
  await expect.poll(read).toMatch(/row \d+.*0\.\d{3}/);
  const before = await read();
  const session = await page.context().newCDPSession(page);
  const at = { x: Math.round(box.x + box.width * 0.5), y: Math.round(box.y + box.height * 0.9) };
  for (const yDistance of [-40, 40]) {
    const scrolled = { ...at, yDistance, gestureSourceType: 'touch' } as const;
    await session.send('Input.synthesizeScrollGesture', scrolled);
    expect(await read()).toBe(before);
  }
  // The letter of a row marks the column of its largest weight. The readout never scrolls out of
  // view.
  await page.touchscreen.tap(box.x + 8, box.y + box.height * 0.97);
  await expect.poll(read).toMatch(/^“a” \(row 11\) looks at/);
  await map.evaluate((canvas) => {
    const top = scrollY + canvas.getBoundingClientRect().top + 150;
    window.scrollTo({ top, behavior: 'instant' });
  });
  const line = page.locator('#attention [data-part=attention-readout]');
  expect((await line.boundingBox())!.y).toBeGreaterThanOrEqual(0);
});

it('never tells to swipe a map that fits, whatever the width', async () => {
  const { page, probe, rest } = await mount(BOTH, 'tang', {
    viewport: { width: 1400, height: 900 },
  });
  await probe.fill('春眠不觉晓，处处闻啼鸟。');
  await enlarge(page);
  await page.locator('#closer .map-scroll').waitFor();
  await rest();
  const seen = await page.evaluate(async () => {
    const found = [];
    const main = document.getElementById('main')!;
    const box = document.querySelector('#closer .map-scroll')!;
    for (let width = 1240; width < 1280; width += 2) {
      main.style.width = `${String(width)}px`;
      // ResizeObserver reports at the end of a frame; the page redraws in a later one.
      await new Promise(requestAnimationFrame);
      do await new Promise(requestAnimationFrame);
      while (!main.hasAttribute('data-rest'));
      const read = document.querySelector('#closer [data-part=attention-readout]')!;
      const over = box.scrollWidth - box.clientWidth;
      found.push({ room: box.clientWidth, over, swipe: read.textContent.includes('swipe') });
    }
    return found;
  });
  expect(new Set(seen.map(({ room }) => room)).size).toBeGreaterThan(10);
  expect(seen.filter(({ over, swipe }) => over !== 0 || swipe)).toEqual([]);
});

it('stays as wide as a phone when it is enlarged, if its cells can still be tapped', async () => {
  const { page, rest } = await mount(BOTH, 'names', { context: phone(844) });
  await enlarge(page);
  const closer = page.locator('#closer');
  await expect.poll(readout(closer, 'attention')).toMatch(/^Tap a cell to read it\.$/);
  await rest();
  const scroller = closer.locator('.map-scroll');
  expect(await scroller.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  // 11 tokens and the labels of the rows.
  expect((await closer.locator('.attention-canvas').boundingBox())!.height).toBeGreaterThan(
    11 * 24,
  );
});

it('moves the map of a long text under the labels of its rows and columns', async () => {
  const { page, probe } = await mount(BOTH, 'moby', {
    hash: 'context=48',
    context: phone(780),
  });
  // Characters of three bytes each.
  await probe.fill('床前明月光疑是地上霜举头望明');
  await enlarge(page);
  const closer = page.locator('#closer');
  const canvas = closer.locator('.attention-canvas');
  const scroller = closer.locator('.map-scroll');
  await closer.getByText('swipe it sideways').waitFor();
  expect((await closer.locator('.map-span').boundingBox())!.width).toBeGreaterThan(42 * 24);
  const printOf = (drawn: Locator) => async () => (await canvasContent(drawn)).print;
  const before = await printOf(canvas)();
  await canvas.focus();
  for (const key of ['ArrowUp', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  await scroller.evaluate((box) => (box.scrollLeft = box.scrollWidth));
  await expect.poll(printOf(canvas)).not.toBe(before);
  // Arrow keys scroll the box to the selected cell; the page does not scroll sideways.
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => scroller.evaluate((box) => box.scrollLeft)).toBeLessThan(200);
  expect((await canvas.boundingBox())!.x).toBeGreaterThanOrEqual(15);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  // The readouts of the map and of the arcs name a byte by its character.
  await expect
    .poll(readout(closer, 'attention'))
    .toMatch(/^Byte 8E, 3 of 3 of “明” \(row 42\) looks at byte BA, 2 of 3 of “床” \(column 2\)/);
  await expect.poll(() => closer.locator('.arc-label').nth(1).textContent()).toBe('床 BA');
  // After a scroll down, the column letters cover the map and follow its sideways scroll.
  await canvas.evaluate((map) => {
    scrollTo({ top: scrollY + map.getBoundingClientRect().top + 300, behavior: 'instant' });
  });
  const heads = closer.locator('.map-columns');
  const strip = (await heads.boundingBox())!;
  const line = (await closer.locator('[data-part=attention-readout]').boundingBox())!;
  expect(line.y).toBeGreaterThanOrEqual(0);
  expect(strip.y).toBeGreaterThanOrEqual(line.y + line.height - 1);
  expect(strip.y + strip.height).toBeLessThan(300);
  expect(strip.width).toBeGreaterThan(300);
  const letters = await printOf(heads)();
  await scroller.evaluate((box) => (box.scrollLeft = 500));
  await expect.poll(printOf(heads)).not.toBe(letters);
});
