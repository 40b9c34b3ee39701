/**
 * Attention as a person looks at it: every head, one head as map and arcs, its habit, looking back.
 */
import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { canvasContent, eventually } from './driver.ts';
import type { Driven } from './driver.ts';
import { useSites } from './sites.ts';

const site = useSites();

/** The head that most of this is about, whichever the page would show. */
const chooseFirst = (area: Locator): Promise<void> =>
  area.getByRole('radio', { name: /^Layer 1, head 1/ }).click();

/** The page after some steps of training, paused, with the first head large. */
async function trained(hash = ''): Promise<Driven> {
  const driven = await site({ hash });
  await chooseFirst(driven.page.locator('#attention'));
  await driven.start.click();
  await eventually(driven.step, (step) => step > 60);
  await driven.pause.click();
  await driven.reach('paused');
  return driven;
}

it('shows one token’s row as arcs, and follows the keyboard', async () => {
  const { page, problems } = await site();
  const column = page.locator('#attention');
  await column.getByRole('button', { name: 'Arcs' }).click();
  const arcs = column.getByRole('img', { name: /looks most at/ });
  await arcs.waitFor();
  // A click leaves no frame; keys do.
  await arcs.locator('.arc-hit').nth(10).click();
  const frame = () => arcs.evaluate((one) => getComputedStyle(one).outlineStyle);
  await expect.poll(() => frame()).toBe('none');
  await expect.poll(() => column.locator('.attention-canvas').isVisible()).toBe(false);
  const read = column.locator('[data-part=arcs-readout]');
  await expect.poll(() => read.textContent()).toMatch(/^“a” \(row 11\) looks most at: .+ 0\.\d\d/);
  await arcs.focus();
  await page.keyboard.press('Home');
  await expect.poll(() => frame()).toBe('solid');
  await eventually(
    () => read.textContent(),
    (text) => text === 'The beginning (row 1) looks most at: the beginning (row 1) 1.00.',
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
  expect(file.suggestedFilename()).toMatch(
    /^glasshouse-arcs-layer-1-head-1-names-[\w-]+-step-\d+\.svg$/,
  );
  const drawing = await readFile(await file.path(), 'utf8');
  expect(drawing).toMatch(/<title>Attention of layer 1, head 1, at step [\d,]+<\/title>/);
  expect(drawing).toContain('text-anchor="middle"');
  expect(drawing).not.toMatch(/class=|rgba\(0, 0, 0, 0\)/);
  // So does the map: with its text and its scale, and no single letter stands on end.
  const next = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Enlarge' }).click();
  const tab = page.locator('#closer');
  // It reads the row that was read before.
  await expect
    .poll(() => tab.locator('[data-part=arcs-readout]').textContent())
    .toMatch(/^“e” \(row 2\)/);
  await tab.getByRole('button', { name: 'Save as SVG: the map of attention' }).click();
  const map = await readFile(await (await next).path(), 'utf8');
  const texts = [...map.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);
  expect(texts).toEqual(expect.arrayContaining(['Weight', '0.25', '“elisabetta”', '▸']));
  expect(map).not.toContain('rotate');
  expect(problems).toEqual([]);
});

it('says what ▸ is, where a text begins with it', async () => {
  const { page, problems } = await site();
  const column = page.locator('#attention');
  const map = column.locator('.attention-canvas');
  const said = column.getByText('▸ stands before each text');
  await map.waitFor();
  await expect.poll(() => said.isVisible()).toBe(true);
  await page.getByRole('button', { name: 'Enlarge' }).click();
  await page.locator('#closer').getByText('▸ stands before each text').waitFor();
  // A model whose texts have no such token needs no word of it.
  const other = await site({ hash: 'preset=tinygpt' });
  const plain = other.page.locator('#attention');
  await plain.locator('.attention-canvas').waitFor();
  await expect.poll(() => plain.getByText('▸').count()).toBe(1);
  await expect.poll(() => plain.getByText('▸').isVisible()).toBe(false);
  expect([...problems, ...other.problems]).toEqual([]);
});

it('names what a head does, beside the untrained model and even attention', async () => {
  const { page, probe } = await trained();
  const column = page.locator('#attention');
  const row = column.getByRole('row', { name: /the token before/ });
  const cells = await row.getByRole('cell').allTextContents();
  const [now, before, even] = cells.map(Number);
  // Eleven tokens: even attention gives the token before the mean of 1/2, 1/3 ... 1/11.
  expect(even).toBe(0.2);
  // Before training queries and keys are tiny, so attention is all but even.
  expect(Math.abs((before ?? 0) - 0.2)).toBeLessThan(0.02);
  expect(now).toBeGreaterThan(0);
  await expect.poll(() => column.locator('[data-part=habit]').textContent()).not.toBe('');
  // Three of the rows are weights; the fourth is none, and has a heading of its own.
  const groups = column.locator('.habits tbody');
  await expect.poll(() => groups.first().getByRole('rowheader').count()).toBe(4);
  await expect
    .poll(() => groups.last().getByRole('rowheader').allTextContents())
    .toEqual(['How evenly it is spread', 'between 0 and 1']);
  // Also for a text that is typed in mid-run.
  await probe.fill('gloria');
  await eventually(
    () => row.getByRole('cell').nth(2).textContent(),
    (text) => text === '0.27',
  );
  await eventually(
    () => row.getByRole('cell').nth(1).textContent(),
    (text) => text?.startsWith('0.2') === true,
  );
});

it('shows one token’s row as arcs to a finger that was told nothing', async () => {
  const { page, problems } = await site({
    options: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  });
  const column = page.locator('#attention');
  // What comes above it once Start can be pressed is there.
  await page.getByText('Nothing to fix.').waitFor();
  await page.locator('#closer .door').first().waitFor();
  await column.getByRole('button', { name: 'Arcs' }).tap();
  await column.getByText('Tap a token to see what it looks at.').waitFor();
  const arcs = column.getByRole('img', { name: /^Layer 1, head 1/ });
  await arcs.evaluate((one) => one.scrollIntoView({ block: 'start' }));
  const { x, y, height } = (await arcs.boundingBox())!;
  // “elisabetta” has eleven tokens with its beginning: each is as high as a fingertip needs.
  expect(height / 11).toBeGreaterThanOrEqual(24);
  await page.touchscreen.tap(x + 150, y + (2.5 * height) / 11);
  await column
    .getByText(/^“l” \(row 3\) looks most at:/)
    .first()
    .waitFor();
  // The weights overlap, which is said where they are.
  await column.getByText('So they can add up to more than 1.').waitFor();
  expect(problems).toEqual([]);
});

it('draws the arc of a token to itself as a loop of its own beside it, whole', async () => {
  const { page, problems } = await site();
  const column = page.locator('#attention');
  await column.getByRole('button', { name: 'Arcs' }).click();
  const arcs = column.getByRole('img', { name: /looks most at/ });
  await arcs.focus();
  // The first token has all of its weight for itself: the thickest line, in the row at the edge.
  for (const [key, row] of [
    ['Home', 0],
    ['ArrowDown', 1],
  ] as const) {
    await page.keyboard.press(key);
    const read = column.locator('[data-part=arcs-readout]');
    await expect.poll(() => read.textContent()).toContain(`(row ${String(row + 1)}) looks most`);
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
          // To a tenth of a unit, in which paths are written.
          inRow:
            box.y - line / 2 >= rowBox.y - 0.1 &&
            box.y + box.height + line / 2 <= rowBox.y + rowBox.height + 0.1,
          beside: label.x - (box.x + box.width) < 12 && label.x > box.x + box.width + line / 2,
        };
      });
    expect([row, loop]).toEqual([row, { closed: true, open: true, inRow: true, beside: true }]);
  }
  expect(problems).toEqual([]);
});

it('keeps title and map in their places while a finger looks back', async () => {
  const driven = await site({
    hash: 'pace=100',
    options: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  });
  const { page, problems } = driven;
  await chooseFirst(page.locator('#attention'));
  const back = driven.lookBack;
  await driven.start.tap();
  await eventually(driven.step, (step) => step > 60);
  await driven.pause.tap();
  await driven.reach('paused');
  const column = page.locator('#attention');
  const closer = page.locator('#closer');
  for (const [area, shape] of [
    [column, '.attention-canvas'],
    [column, '.arcs'],
    [closer, '.attention-canvas'],
  ] as const) {
    if (shape === '.arcs') await column.getByRole('button', { name: 'Arcs' }).tap();
    if (area === closer) await page.getByRole('button', { name: 'Enlarge' }).tap();
    const title = area.getByRole('heading', { name: /^Layer 1, head 1/ });
    const verdict = area.locator('[data-part=habit]');
    const rows = area.getByRole('table', { name: 'What this head does, in plain statistics' });
    const places = async () => {
      const boxes = [title, area.locator(shape), rows];
      const tops = await Promise.all(boxes.map(async (one) => (await one.boundingBox())?.y));
      const from = tops[0] ?? NaN;
      return tops.map((top) => (top ?? NaN) - from);
    };
    /** By how many pixels anything stands elsewhere than `before`. */
    const moved = async (before: readonly number[]): Promise<number> => {
      const now = await places();
      return Math.max(...now.map((place, at) => Math.abs(place - before[at]!)));
    };
    for (const width of [390, 360]) {
      await page.setViewportSize({ width, height: 844 });
      await back.focus();
      await page.keyboard.press('Home');
      await expect.poll(() => title.textContent()).toContain('at step\u00a00');
      await page.keyboard.press('End');
      await expect.poll(() => title.textContent()).toBe('Layer\u00a01, head\u00a01');
      const before = await places();
      await page.keyboard.press('Home');
      await expect
        .poll(() => title.textContent())
        .toBe('Layer\u00a01, head\u00a01, at step\u00a00');
      expect(await moved(before), `${shape} ${String(width)}`).toBeLessThan(1);
      // Nor would the longest name of a step move it.
      await title.locator('span').evaluate((name) => {
        name.textContent = 'Layer 1, head 1, at step 199,500';
      });
      expect(await moved(before), `${shape} ${String(width)}`).toBeLessThan(1);
      await title.locator('span').evaluate((name) => {
        name.textContent = 'Layer 1, head 1, at step 0';
      });
      // What stands under the verdict stays, whatever is said of the steps between.
      const said = new Set<string>();
      for (let press = 0; press < 6; press++) {
        await page.keyboard.press('PageUp');
        said.add((await verdict.textContent()) ?? '');
        expect(await moved(before), `${shape} ${String(width)}`).toBeLessThan(1);
      }
      expect(said.size).toBeGreaterThan(1);
    }
  }
  expect(problems).toEqual([]);
});

it('marks the step that is looked back at on the curve, until the newest is looked at', async () => {
  const { page, lookBack: back } = await trained('pace=100');
  await expect.poll(() => back.isEnabled()).toBe(true);
  const curve = page.locator('#loss .loss-plot canvas');
  const drawn = async () => (await canvasContent(curve)).print;
  let still = NaN;
  await eventually(
    async () => [still, (still = await drawn())],
    ([one, other]) => one === other,
  );
  await back.focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(drawn).not.toBe(still);
  await page.keyboard.press('End');
  await expect.poll(drawn).toBe(still);
});

it('looks back at the run’s beginning and returns to now', async () => {
  const driven = await trained('pace=100');
  const { page } = driven;
  const back = driven.lookBack;
  await expect.poll(() => back.isEnabled()).toBe(true);
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
  // The longest name of a step finds its place in the table, whatever the width of the window.
  const named = column.locator('.habits thead th').nth(1);
  for (const width of [1440, 1280, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    const over = await named.evaluate((cell) => {
      const was = cell.textContent;
      cell.textContent = 'step 199,500';
      const table = cell.closest('table')!;
      const past = table.getBoundingClientRect().right - table.parentElement!.getBoundingClientRect().right; // prettier-ignore
      cell.textContent = was;
      return past;
    });
    expect([width, over <= 0.5]).toEqual([width, true]);
  }
  await page.setViewportSize({ width: 1280, height: 720 });
  await expect.poll(() => column.getByRole('columnheader', { name: 'Now' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Enlarge' }).click();
  const wide = page.locator('#closer');
  await wide.getByRole('heading', { name: 'Layer 1, head 1, at step 0' }).waitFor();
  await back.focus();
  await page.keyboard.press('End');
  await eventually(
    () => back.getAttribute('aria-valuetext'),
    (text) => text === now,
  );
  await column.getByRole('columnheader', { name: 'Now' }).waitFor();
  // Of another text nothing was kept: it is looked at now, as of that step.
  await page.keyboard.press('Home');
  await driven.probe.fill('anna');
  const head = column.getByRole('heading', { name: 'Layer 1, head 1, at step 0' });
  await head.waitFor();
  // No text has one cell, which needs no page of its own.
  await driven.probe.fill('');
  await eventually(
    async () => (await column.locator('.attention-canvas').boundingBox())?.width ?? NaN,
    (width) => width < 150,
  );
  // It can look at nothing but itself: no habit is made of that.
  await expect
    .poll(() => column.locator('[data-part=habit]').textContent())
    .toBe('A single token can look at nothing but itself.');
});

it('shows another text as of the step that is looked at, while the run goes on', async () => {
  const driven = await site({ hash: 'pace=100&steps=100000' });
  const { page, probe, problems } = driven;
  const column = page.locator('#attention');
  const back = driven.lookBack;
  await chooseFirst(column);
  const title = column.getByRole('heading', { name: /^Layer 1, head 1/ });
  await driven.start.click();
  await eventually(driven.step, (step) => step > 20);
  const text = await probe.inputValue();
  await back.focus();
  await page.keyboard.press('Home');
  const there = 'Layer\u00a01, head\u00a01, at step\u00a00';
  await expect.poll(() => title.textContent()).toBe(there);
  await probe.fill('anna');
  // While one looks back, the bar alone tells how far the run is.
  const done = () => page.locator('#run progress').evaluate((bar: HTMLProgressElement) => bar.value * 100_000); // prettier-ignore
  const step = await done();
  await eventually(done, (now) => now > step + 20);
  await expect.poll(() => title.textContent()).toBe(there);
  await expect.poll(() => column.getByText('kept from step').isVisible()).toBe(false);
  // Back at the first, letter by letter, one looks at what one looked at.
  await probe.fill('');
  await probe.pressSequentially(text);
  await expect.poll(() => title.textContent()).toBe(there);
  await expect.poll(() => back.getAttribute('aria-valuetext')).toBe('step 0');
  expect(problems).toEqual([]);
});

it('has a way back to the text that suits, and names no habit of a single token', async () => {
  const { page, probe } = await trained();
  const column = page.locator('#attention');
  const back = column.getByRole('button', { name: 'Back to “elisabetta”' });
  await expect.poll(() => back.isVisible()).toBe(false);
  const place = async () => (await probe.boundingBox())?.y;
  // Where a reader has it who types there: out of sight, browsers hold what is in sight instead.
  await probe.scrollIntoViewIfNeeded();
  const before = await place();
  await probe.fill('maria');
  await back.waitFor();
  expect(await place()).toBe(before);
  await probe.fill('');
  const heads = column.getByRole('radio', { name: /^Layer 1, head/ });
  await expect.poll(() => heads.first().getAttribute('aria-label')).toBe('Layer 1, head 1');
  await back.click();
  await expect.poll(() => probe.inputValue()).toBe('elisabetta');
  await expect.poll(() => back.isVisible()).toBe(false);
  expect(await probe.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(new URL(page.url()).hash).not.toContain('probe');
});

it('says below the map of each of eight heads what it does, whatever the width', async () => {
  const { page, problems } = await site({ hash: 'heads=8' });
  const column = page.locator('#attention');
  const closer = page.locator('#closer');
  const looks = async (area: Locator): Promise<unknown> => {
    const heads = area.getByRole('radio', { name: /^Layer 1, head \d: [a-z]+ (\d\.\d\d)?/ });
    await expect.poll(() => heads.count()).toBe(8);
    return heads.evaluateAll((all) => {
      const badges = all.map((one) => one.querySelector<HTMLElement>('.head-badge')!);
      const parts = badges.flatMap((badge) => [badge, ...badge.children]);
      const tops = all.map((one) => one.getBoundingClientRect().top);
      const lines = [...new Set(tops)].map((top) => tops.filter((one) => one === top).length);
      return {
        said: badges.every((badge) => badge.textContent !== ''),
        cut: parts.filter((one) => one.scrollWidth > one.clientWidth && one.clientWidth > 0).length,
        small: badges.filter((badge) => parseFloat(getComputedStyle(badge).fontSize) < 12).length,
        // Lines are of the same length.
        even: new Set(lines).size === 1,
        beyond: all[0]!.closest('[role=radiogroup]')!.scrollWidth - all[0]!.closest('[role=radiogroup]')!.clientWidth, // prettier-ignore
      };
    });
  };
  const good = { said: true, cut: 0, small: 0, even: true, beyond: 0 };
  await page.getByRole('button', { name: 'Enlarge' }).click();
  for (const width of [1440, 1024, 390, 320]) {
    await page.setViewportSize({ width, height: 900 });
    for (const area of [column, closer]) {
      await expect.poll(() => looks(area), { message: String(width) }).toEqual(good);
    }
  }
  expect(problems).toEqual([]);
});

it('names heads in the frame in which their buttons come, and draws them after it', async () => {
  const { page, problems } = await site({
    state: '',
    before: (page) =>
      page.addInitScript(() => {
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
  const seen = () => page.evaluate(() => (window as unknown as { seen: unknown }).seen);
  // None was without a name; all were as wide as a canvas is before anything is drawn.
  await expect.poll(() => seen()).toEqual([0, 300]);
  const drawn = page.locator('#attention [role=radio] canvas').first();
  await expect.poll(() => drawn.getAttribute('width')).toBe('11');
  expect(problems).toEqual([]);
});

it('paints only cells while it trains, asks for no styles, and takes up other colours', async () => {
  const driven = await site({
    hash: 'steps=100000',
    options: { colorScheme: 'light' },
    before: (page) =>
      page.addInitScript(() => {
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
  const { page, problems } = driven;
  const counts = () =>
    page.evaluate(() => {
      const { counts } = window as unknown as { counts: Record<string, number> };
      return { letters: NaN, cells: NaN, styles: NaN, ...counts };
    });
  const map = page.locator('#attention .attention-canvas');
  await driven.start.click();
  // Until the notes of a run that begins have their places.
  await eventually(driven.step, (step) => step > 200);
  const before = await counts();
  const after = await eventually(counts, ({ cells }) => cells > before.cells + 20);
  // A window that changes its height meanwhile may have it measured and lettered once more.
  expect(after.letters - before.letters).toBeLessThan(100);
  expect(after.styles - before.styles).toBeLessThan(80);
  await driven.pause.click();
  await driven.reach('paused');
  const label = () =>
    map.evaluate((one) => {
      const canvas = one as HTMLCanvasElement;
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, 12, canvas.height);
      // Letters are dark on light paper, and light on dark: all but the amber one, which has no
      // blue.
      let most = 0;
      for (let at = 0; at < data.length; at += 4) {
        if (data[at + 3] === 255) most = Math.max(most, data[at + 2] ?? 0);
      }
      return most;
    });
  await expect.poll(() => label()).toBeLessThan(128);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => label()).toBeGreaterThan(140);
  expect(problems).toEqual([]);
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
    await expect.poll(() => seen.isVisible()).toBe(true);
    await expect.poll(() => gone.isVisible()).toBe(false);
    expect(Math.abs((await seen.boundingBox())!.y - (await top()) - place)).toBeLessThan(40);
  }
});

it('scrolls the weights as a table in their own box', async () => {
  const { page, probe } = await site({ hash: 'context=48' });
  await page.setViewportSize({ width: 1440, height: 900 });
  await probe.fill('abcdefghijklmnopqrstuvwxyz'.repeat(2));
  const column = page.locator('#attention');
  const map = column.locator('.attention-canvas');
  await map.waitFor();
  // The beginning has a place of the 48: what of the text does not fit is one more.
  await column
    .getByText('The last 5 tokens do not fit and are left out. 48 fit, the beginning included.')
    .waitFor();
  const before = (await map.boundingBox())!.width;
  await column.getByRole('button', { name: 'The weights as a table' }).click();
  await column.getByRole('region', { name: 'The weights as a table' }).getByRole('table').waitFor();
  expect(Math.abs((await map.boundingBox())!.width - before)).toBeLessThan(20);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(1440);
});
