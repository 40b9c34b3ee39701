/** The attention panel on a recorded run: all heads, one head as map and arcs, and its pattern. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { chooseHead, enlarge, habitsTable, phone, readout } from './attention.ts';
import { useComponents } from './mount.ts';

const mount = useComponents();

const arcsOf = (page: Page) => page.locator('#attention .arcs');
/** Returns width and height of a PNG file in pixels. */
function pngSize(file: Buffer): [number, number] {
  expect(file.subarray(1, 4).toString()).toBe('PNG');
  return [file.readUInt32BE(16), file.readUInt32BE(20)];
}
const showArcs = (page: Page): Promise<void> =>
  page.locator('#attention').getByRole('button', { name: 'Arcs' }).click();

it('compares what a head does with the untrained model and with even attention', async () => {
  const { page, probe } = await mount('attention', 'names', { step: 60 });
  await chooseHead(page);
  const row = habitsTable(page).getByRole('row', { name: /the token before/ });
  const [now, before, even] = (await row.getByRole('cell').allTextContents()).map(Number);
  // Uniform attention over eleven tokens gives the previous token the mean of 1/2, 1/3 ... 1/11.
  expect(even).toBe(0.2);
  // Queries and keys are tiny before training, so attention is nearly uniform.
  expect(Math.abs(before! - 0.2)).toBeLessThan(0.02);
  expect(now).toBeGreaterThan(0);
  await expect.poll(() => page.locator('#attention [data-part=habit]').textContent()).not.toBe('');
  await probe.fill('gloria');
  await expect.poll(() => row.getByRole('cell').nth(2).textContent()).toBe('0.27');
  await expect.poll(() => row.getByRole('cell').nth(1).textContent()).toMatch(/^0\.2/);
});

it('has a heading of its own for the one statistic that is not a weight', async () => {
  const { page } = await mount('attention', 'names');
  await chooseHead(page);
  const groups = page.locator('#attention .habits tbody');
  await expect.poll(() => groups.first().getByRole('rowheader').count()).toBe(4);
  await expect
    .poll(() => groups.last().getByRole('rowheader').allTextContents())
    .toEqual(['How evenly it is spread', 'between 0 and 1']);
});

it('shows arcs of the row that is clicked or reached by keys', async () => {
  const { page } = await mount(['attention', 'closer'], 'names');
  await showArcs(page);
  const arcs = arcsOf(page);
  await arcs.locator('.arc-hit').nth(10).click();
  // A mouse click draws no focus ring; a key press does.
  const frame = () => arcs.evaluate((one) => getComputedStyle(one).outlineStyle);
  await expect.poll(frame).toBe('none');
  await expect.poll(() => page.locator('#attention .attention-canvas').isVisible()).toBe(false);
  const read = readout(page.locator('#attention'), 'arcs');
  await expect.poll(read).toMatch(/^“a” \(row 11\) looks most at: .+ 0\.\d\d/);
  await arcs.focus();
  await page.keyboard.press('Home');
  await expect.poll(frame).toBe('solid');
  await expect.poll(read).toBe('The beginning (row 1) looks most at: the beginning (row 1) 1.00.');
  await page.keyboard.press('ArrowDown');
  await expect.poll(read).toMatch(/^“e” \(row 2\)/);
  // The enlarged view reads out the same row.
  await enlarge(page);
  await expect.poll(readout(page.locator('#closer'), 'arcs')).toMatch(/^“e” \(row 2\)/);
});

it('saves the arcs as PNG of twice their size', async () => {
  const { page } = await mount('attention', 'names', { step: 10 });
  await chooseHead(page);
  await showArcs(page);
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as PNG: the attention arcs' }).click();
  const file = await coming;
  expect(file.suggestedFilename()).toMatch(
    /^glasshouse-arcs-layer-1-head-1-names-[\w-]+-step-10\.png$/,
  );
  const { width, height } = await arcsOf(page).evaluate((arcs) => {
    const { width, height } = (arcs as unknown as SVGSVGElement).viewBox.baseVal;
    return { width, height };
  });
  expect(pngSize(await readFile(await file.path()))).toEqual([2 * width, 2 * height]);
});

it('saves the map as PNG with its labels, and with what is scrolled out of sight', async () => {
  const options = { step: 10, context: phone(844) };
  const { page, probe } = await mount(['attention', 'closer'], 'names', options);
  await probe.fill('mariannaelisabetta');
  await enlarge(page);
  const closer = page.locator('#closer');
  await closer.getByText('swipe it sideways').waitFor();
  const sizes = () =>
    closer.locator('.map-scroll').evaluate((box) => {
      const columns = box.parentElement!.querySelector<HTMLElement>('.map-columns')!;
      return [box.clientWidth, box.scrollWidth, box.clientHeight + columns.clientHeight] as const;
    });
  await expect.poll(async () => (await sizes())[0]).toBeGreaterThan(0);
  const before = await sizes();
  expect(before[1]).toBeGreaterThan(before[0]);
  const coming = page.waitForEvent('download');
  await closer.getByRole('button', { name: 'Save as PNG: the attention map' }).tap();
  const png = pngSize(await readFile(await (await coming).path()));
  const ratio = await page.evaluate(() => Math.max(2, devicePixelRatio));
  expect(Math.abs(png[0] / ratio - before[1])).toBeLessThan(2);
  expect(Math.abs(png[1] / ratio - before[2])).toBeLessThan(2);
  // The map on the page is as it was.
  expect(await sizes()).toEqual(before);
});

it.each([
  ['', 'Enlarge', ['Save the map: PNG', 'Save the arcs: PNG']],
  ['lang=zh', '放大', ['保存热图： PNG', '保存弧线图： PNG']],
])('says beside each button which picture it saves: %s', async (hash, enlarge, rows) => {
  const { page } = await mount(['attention', 'closer'], 'names', { hash });
  await page.getByRole('button', { name: enlarge, exact: true }).click();
  const texts = () => page.locator('#closer .export').allInnerTexts();
  await expect
    .poll(async () => (await texts()).map((text) => text.replaceAll(/\s+/g, ' ').trim()))
    .toEqual(rows);
});

it('says what ▸ is, where a text begins with it', async () => {
  const { page } = await mount(['attention', 'closer'], 'names');
  await page.locator('#attention').getByText('▸ marks the beginning of each text').waitFor();
  await enlarge(page);
  await page.locator('#closer').getByText('▸ marks the beginning of each text').waitFor();
});

it('does not mention ▸ for a model whose texts have no such token', async () => {
  const { page } = await mount('attention', 'names', { hash: 'preset=tinygpt' });
  const column = page.locator('#attention');
  await column.locator('.attention-canvas').waitFor();
  await column.getByText('More about this head').waitFor();
  await expect.poll(() => column.getByText('▸').count()).toBe(0);
});

it('shows arcs to a finger, in rows as high as a fingertip', async () => {
  const { page } = await mount('attention', 'names', { context: phone(844) });
  const column = page.locator('#attention');
  await column.getByRole('button', { name: 'Arcs' }).tap();
  await column.getByText('Tap a token to see what it looks at.').waitFor();
  const arcs = arcsOf(page);
  await arcs.evaluate((one) => one.scrollIntoView({ block: 'start', behavior: 'instant' }));
  const { x, y, height } = (await arcs.boundingBox())!;
  // “elisabetta” has eleven tokens, including BOS.
  expect(height / 11).toBeGreaterThanOrEqual(24);
  await page.touchscreen.tap(x + 150, y + (2.5 * height) / 11);
  await expect.poll(readout(column, 'arcs')).toMatch(/^“l” \(row 3\) looks most at:/);
  // Three weights of the table overlap.
  await column.getByText('So they can add up to more than 1.').waitFor();
});

it('draws the arc of a token to itself as a closed loop within its row', async () => {
  const { page } = await mount('attention', 'names');
  await showArcs(page);
  const arcs = arcsOf(page);
  await arcs.focus();
  // The first token puts all weight on itself: the thickest line, in the row at the edge.
  for (const [key, row] of [
    ['Home', 0],
    ['ArrowDown', 1],
  ] as const) {
    await page.keyboard.press(key);
    await expect
      .poll(readout(page.locator('#attention'), 'arcs'))
      .toContain(`(row ${String(row + 1)}) looks most`);
    const loop = await arcs
      .locator('g')
      .nth(row)
      .evaluate((group) => {
        const arc = group.querySelector<SVGPathElement>('.arc')!;
        const label = group.querySelector<SVGTextElement>('.arc-label')!.getBBox();
        const rowBox = group.querySelector<SVGRectElement>('.arc-hit')!.getBBox();
        const box = arc.getBBox();
        const line = Number(arc.getAttribute('stroke-width'));
        const from = arc.getPointAtLength(0);
        const to = arc.getPointAtLength(arc.getTotalLength());
        return {
          closed: Math.hypot(from.x - to.x, from.y - to.y) < 0.1,
          open: Math.min(box.width, box.height) > line,
          // Paths are rounded to a tenth of a unit.
          inRow:
            box.y - line / 2 >= rowBox.y - 0.1 &&
            box.y + box.height + line / 2 <= rowBox.y + rowBox.height + 0.1,
          beside: label.x - (box.x + box.width) < 12 && label.x > box.x + box.width + line / 2,
        };
      });
    expect([row, loop]).toEqual([row, { closed: true, open: true, inRow: true, beside: true }]);
  }
});

it('has a way back to the text that suits the run, which takes no room', async () => {
  const { page, probe } = await mount('attention', 'names');
  const back = page.locator('#attention').getByRole('button', { name: 'Back to “elisabetta”' });
  await expect.poll(() => back.isVisible()).toBe(false);
  // Scrolls the field into view: browsers anchor scrolling to visible elements.
  await probe.scrollIntoViewIfNeeded();
  const place = async () => (await probe.boundingBox())?.y;
  const before = await place();
  await probe.fill('maria');
  await back.waitFor();
  expect(await place()).toBe(before);
  expect(new URL(page.url()).hash).toContain('probe=maria');
  await back.click();
  await expect.poll(() => probe.inputValue()).toBe('elisabetta');
  await expect.poll(() => back.isVisible()).toBe(false);
  expect(await probe.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(new URL(page.url()).hash).not.toContain('probe');
});

it('names no habit of a single token, whose map is one cell', async () => {
  const { page, probe } = await mount('attention', 'names');
  const column = page.locator('#attention');
  await probe.fill('');
  const heads = column.getByRole('radio', { name: /^Layer 1, head/ });
  await expect.poll(() => heads.first().getAttribute('aria-label')).toBe('Layer 1, head 1');
  await expect
    .poll(() => column.locator('[data-part=habit]').textContent())
    .toBe('A single token can only look at itself.');
  const width = async () => (await column.locator('.attention-canvas').boundingBox())!.width;
  await expect.poll(width).toBeLessThan(150);
});

it('names heads in the frame in which their buttons come, and draws them after it', async () => {
  const { page } = await mount('attention', 'names', {
    before: (page) =>
      page.evaluate(() => {
        const seen: unknown[] = [];
        Object.assign(window, { seen });
        new MutationObserver((_, observer) => {
          const heads = [...document.querySelectorAll('#attention [role=radio]')];
          if (heads.length === 0) return;
          observer.disconnect();
          const named = heads.filter((one) => one.ariaLabel !== null).length;
          const sizes = new Set(heads.map((one) => one.querySelector('canvas')?.width));
          seen.push(heads.length - named, ...sizes);
        }).observe(document, { childList: true, subtree: true });
      }),
  });
  // No head lacks a name; every canvas still has the default width of 300, so none is drawn.
  expect(await page.evaluate(() => (window as unknown as { seen: unknown }).seen)).toEqual([
    0, 300,
  ]);
  const drawn = page.locator('#attention [role=radio] canvas').first();
  await expect.poll(() => drawn.getAttribute('width')).toBe('11');
});

it('repaints only the cells of the map while it trains', async () => {
  const { page, start, advance } = await mount('attention', 'names', {
    stepwise: true,
    before: (page) =>
      page.evaluate(() => {
        const counts = { letters: 0, cells: 0, styles: 0 };
        Object.assign(window, { counts });
        const isMap = ({ canvas }: CanvasRenderingContext2D): boolean =>
          canvas.matches('#attention .attention-canvas, #attention .map-columns');
        const count = (method: 'fillText' | 'measureText' | 'clearRect'): void => {
          const { prototype } = CanvasRenderingContext2D;
          const real = Object.getOwnPropertyDescriptor(prototype, method)?.value as (
            ...all: unknown[]
          ) => unknown;
          Object.assign(prototype, {
            [method](this: CanvasRenderingContext2D, ...all: unknown[]): unknown {
              if (isMap(this)) counts[method === 'clearRect' ? 'cells' : 'letters'] += 1;
              return real.apply(this, all);
            },
          });
        };
        for (const method of ['fillText', 'measureText', 'clearRect'] as const) count(method);
        const real = getComputedStyle;
        window.getComputedStyle = (...all) => {
          counts.styles += 1;
          return real(...all);
        };
      }),
  });
  type Counts = Readonly<Record<'letters' | 'cells' | 'styles', number>>;
  const counts = () =>
    page.evaluate(() => ({ ...(window as unknown as { counts: Counts }).counts }));
  await start.click();
  await advance(1);
  const before = await counts();
  for (let step = 2; step <= 9; step++) await advance(step);
  const after = await counts();
  expect(after.cells - before.cells).toBeGreaterThanOrEqual(8);
  // Drawing labels for all eight maps would take 176 letters.
  expect(after.letters - before.letters).toBeLessThan(44);
  expect(after.styles - before.styles).toBeLessThan(32);
});

it('draws letters, cells and colour key in the colours of the theme', async () => {
  const { page, rest } = await mount('attention', 'names');
  const map = page.locator('#attention .attention-canvas');
  const label = () =>
    map.evaluate((one) => {
      const canvas = one as HTMLCanvasElement;
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, 12, canvas.height);
      // The highest blue value: zero for an amber letter, low for dark letters, high for light
      // ones.
      let most = 0;
      for (let at = 0; at < data.length; at += 4) {
        if (data[at + 3] === 255) most = Math.max(most, data[at + 2] ?? 0);
      }
      return most;
    });
  /** Mean green of all opaque pixels, most of which are cells. */
  const mean = () =>
    map.evaluate((one) => {
      const { width, height } = one as HTMLCanvasElement;
      const { data } = (one as HTMLCanvasElement)
        .getContext('2d')!
        .getImageData(0, 0, width, height);
      const opaque = Array.from({ length: data.length / 4 }, (_, at) => 4 * at).filter(
        (at) => data[at + 3] === 255,
      );
      return opaque.reduce((sum, at) => sum + data[at + 1]!, 0) / opaque.length;
    });
  const key = () =>
    page.locator('#attention .scale-bar').evaluate((bar) => getComputedStyle(bar).backgroundImage);
  await rest();
  await expect.poll(label).toBeLessThan(128);
  const [light, lightKey] = [await mean(), await key()];
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(label).toBeGreaterThan(140);
  await expect.poll(mean).toBeLessThan(light - 30);
  expect(await key()).not.toBe(lightKey);
});

it('shows arcs in the place of the map, also when the page takes another size', async () => {
  const { page, rest } = await mount('attention', 'names', {
    viewport: { width: 390, height: 780 },
  });
  const column = page.locator('#attention');
  const map = column.locator('.attention-canvas');
  const top = async (): Promise<number> => (await column.boundingBox())!.y;
  const place = (await map.boundingBox())!.y - (await top());
  for (const [choice, seen, gone, width] of [
    ['Arcs', arcsOf(page), map, 391],
    ['Map', map, arcsOf(page), 390],
  ] as const) {
    await column.getByRole('button', { name: choice, exact: true }).click();
    await page.setViewportSize({ width, height: 780 });
    await page.evaluate(() => new Promise(requestAnimationFrame));
    await rest();
    expect([choice, await seen.isVisible(), await gone.isVisible()]).toEqual([choice, true, false]);
    expect(Math.abs((await seen.boundingBox())!.y - (await top()) - place)).toBeLessThan(40);
  }
});

it('scrolls the weights as a table in a box of their own', async () => {
  const { page, probe } = await mount('attention', 'names', {
    hash: 'context=48',
    viewport: { width: 1440, height: 900 },
  });
  await probe.fill('abcdefghijklmnopqrstuvwxyz'.repeat(2));
  const column = page.locator('#attention');
  const map = column.locator('.attention-canvas');
  // BOS takes one of the 48 positions, so the text loses one more letter.
  await column
    .getByText('The last 5 tokens do not fit and are left out. 48 fit, including the beginning.')
    .waitFor();
  const before = (await map.boundingBox())!.width;
  await column.getByRole('button', { name: 'The weights as a table' }).click();
  await column.getByRole('region', { name: 'The weights as a table' }).getByRole('table').waitFor();
  expect(Math.abs((await map.boundingBox())!.width - before)).toBeLessThan(20);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(1440);
});
