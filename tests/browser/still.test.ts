/**
 * The page stands still while it comes: what somebody reads or is about to press does not move
 * away.
 */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { eventually } from './driver.ts';
import { siteUrl } from './harness.ts';
import { usePages } from './sites.ts';

const open = usePages();

/** Cumulative layout shift that counts as none: a title that is a letter wider, and its like. */
const STILL = 0.02;

interface Shift {
  readonly value: number;
  readonly what: readonly string[];
}

/** Notes what moves, from the page's beginning (https://web.dev/articles/cls). */
async function watchShifts(page: Page): Promise<() => Promise<readonly Shift[]>> {
  await page.addInitScript(() => {
    interface Entry extends PerformanceEntry {
      readonly value: number;
      readonly hadRecentInput: boolean;
      readonly sources: readonly { readonly node: Node | null }[];
    }
    const shifts: { value: number; what: string[] }[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Entry[]) {
        // What a press brings about is no surprise.
        if (hadRecentInput) continue;
        const what = sources.map(({ node }) =>
          node instanceof Element ? `${node.tagName}#${node.id}.${node.className}` : 'text',
        );
        shifts.push({ value, what });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (globalThis as unknown as { shifts: Shift[] }).shifts);
}

const sum = (shifts: readonly Shift[]): number =>
  shifts.reduce((total, { value }) => total + value, 0);

test.each([
  [1440, 900, ''],
  [1280, 720, '&view=runs'],
  [820, 1180, ''],
  [390, 844, ''],
  [360, 640, ''],
  [1440, 900, '&lang=zh'],
  [390, 844, '&lang=zh'],
])('while it is being built, on a slow machine: %i × %i%s', async (width, height, hash) => {
  const { page } = await open.page({ viewport: { width, height } });
  const shifts = await watchShifts(page);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.goto(siteUrl(`#text=names${hash}`));
  await page.locator('#run[data-state=ready]').waitFor();
  await page.locator('#attention .head-grid').waitFor();
  await page.locator('#closer .door').first().waitFor({ state: 'attached' });
  // What comes last moves last.
  await eventually(
    async () => {
      const before = (await shifts()).length;
      await page.waitForTimeout(500);
      return (await shifts()).length - before;
    },
    (more) => more === 0,
  );
  const seen = await shifts();
  expect(sum(seen), JSON.stringify(seen)).toBeLessThan(STILL);
});

test.each([
  [1440, 900, ''],
  [1280, 720, '&validation=0.1'],
  [390, 844, '&lang=zh'],
  [360, 844, ''],
  [320, 844, ''],
])(
  'below the curve and the slider, from before the run to its end: %i × %i%s',
  async (width, height, hash) => {
    const { page } = await open.page({ viewport: { width, height } });
    await page.goto(siteUrl(`#text=names&steps=60${hash}`));
    await page.locator('#run[data-state=ready]').waitFor();
    const summary = page.locator('[data-part=loss-summary]');
    await expect.poll(() => summary.innerText()).not.toBe('');
    await page.locator('#attention .head-grid').waitFor();
    /**
     * How far below the beginnings of their sections these stand: the fold of the curve, and the
     * large head.
     */
    const place = (): Promise<number[]> =>
      page.evaluate(() =>
        ['#loss .loss-more', '#attention .attention-large canvas'].map((name) => {
          const one = document.querySelector(name)!;
          const [{ top }, section] = [one.getBoundingClientRect(), one.closest('section')!];
          return top - section.getBoundingClientRect().top;
        }),
      );
    const before = await place();
    await page.locator('#run .primary').click();
    await page.locator('#run[data-state=finished]').waitFor();
    await expect.poll(() => summary.innerText()).toContain('60');
    // Less than a pixel is nothing to see.
    const moved = async (): Promise<number> =>
      Math.max(...(await place()).map((at, index) => Math.abs(at - before[index]!)));
    await expect.poll(moved).toBeLessThan(1);
  },
);

/** A text that a reader pastes, read as running text. */
const PROSE = 'The tide came in and the tide went out, and nobody said a word about it. '.repeat(
  60,
);

describe.each([360, 390, 1366])('while it trains, %i pixels wide', (width) => {
  test.each([
    // All of its steps where the room is least.
    ['names', `#text=names&pace=full${width === 360 ? '' : '&steps=200'}`, ''],
    ['a novel', '#text=moby&pace=full&steps=120', ''],
    ['pasted prose', '#text=own&preset=tinygpt&pace=full&steps=120', PROSE],
  ])('what stands below keeps its place: %s', async (_, hash, own) => {
    const { page } = await open.page({ viewport: { width, height: 844 } });
    const shifts = await watchShifts(page);
    await page.goto(siteUrl(hash));
    if (own !== '') await page.getByRole('textbox', { name: 'The text to learn' }).fill(own);
    await page.locator('#run[data-state=ready]').waitFor({ state: 'attached' });
    await page.locator('#attention .head-grid').waitFor();
    await page.locator('#closer .door').first().waitFor({ state: 'attached' });
    // Of what was pasted more is said, a moment later.
    const checked = page.locator('.doctor-summary').filter({ hasText: /Worth a look|Nothing/ });
    if (own !== '') await checked.waitFor({ state: 'attached' });
    // Running text has more room than names, from the frame in which it is known to be that.
    if (own !== '') await page.locator('#samples.stream').waitFor({ state: 'attached' });
    const before = (await shifts()).length;
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.locator('#run[data-state=finished]').waitFor({ state: 'attached' });
    const seen = (await shifts()).slice(before);
    expect(sum(seen), JSON.stringify(seen)).toBeLessThan(STILL);
  });

  test('the buttons of the strip stay where they are, and the words below an answer too', async () => {
    const { page } = await open.page({ viewport: { width, height: 844 } });
    await page.goto(siteUrl('#text=names&pace=full&steps=200'));
    await page.locator('#run[data-state=ready]').waitFor({ state: 'attached' });
    const step = page.getByRole('button', { name: 'One step' });
    const before = await step.boundingBox();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.locator('#run[data-state=finished]').waitFor({ state: 'attached' });
    const after = await step.boundingBox();
    if (width > 1000) expect(after?.x).toBe(before?.x);
    const ask = page.locator('#ask');
    await ask.getByRole('button', { name: 'Write' }).click();
    await ask.getByText(/^Written at step/).waitFor();
    // For a frame without them, all below would move up and back.
    await ask.locator('.note[role=status]').evaluate((note) => {
      const counted = { emptied: 0 };
      Object.assign(globalThis, { counted });
      new MutationObserver(() => {
        if (note.textContent === '') counted.emptied += 1;
      }).observe(note, { childList: true, characterData: true, subtree: true });
    });
    const heat = ask.getByRole('slider', { name: 'Temperature' });
    for (const value of ['0.5', '0.6', '0.7', '0.9', '1']) {
      await heat.fill(value);
      await ask.getByText(`temperature ${value}, seed`).waitFor();
    }
    await ask.getByRole('button', { name: 'Another' }).click();
    await ask.getByText('temperature 1, seed 2').waitFor();
    const emptied = await page.evaluate(
      () => (globalThis as unknown as { counted: { emptied: number } }).counted.emptied,
    );
    expect(emptied).toBe(0);
  });
});

test.each([
  ['as it comes into sight from above', 390],
  ['where one points at what is above', 1280],
  ['by itself, once all is quiet', 1281],
])('when a line under the text goes, its room goes %s', async (_, width) => {
  const { page } = await open.page({ viewport: { width, height: 844 } });
  await page.goto(siteUrl('#text=own&context=16'));
  const text = page.getByRole('textbox', { name: 'The text to learn' });
  // Longer than the context only with what is hidden in it.
  await text.fill('fifteen letters\u200b\u200b\u200b\n'.repeat(9));
  const cut = page.getByText('longer than the context (');
  await cut.waitFor();
  // What would suit the text is found when the page rests, and stands above the fold.
  await page.locator('#fit').getByText('Other settings would suit').waitFor();
  const fold = page.getByRole('button', { name: 'Check the text', exact: true });
  await fold.click();
  const press = page.getByRole('button', { name: 'Remove the invisible ones' });
  await press.waitFor();
  const top = (): Promise<number> => fold.evaluate((one) => one.getBoundingClientRect().top);
  /** On the page, wherever it is scrolled to. */
  const place = (): Promise<number> =>
    fold.evaluate((one) => one.getBoundingClientRect().top + scrollY);
  const room = page.locator('#text .keeps-room');
  const before = await place();
  await press.click();
  await cut.waitFor({ state: 'hidden' });
  expect(Math.abs((await place()) - before)).toBeLessThan(1);
  expect(await room.count()).toBe(1);
  if (width === 1280) await text.hover();
  else if (width === 390) {
    const scroll = async (down: number): Promise<void> => {
      await page.evaluate((y) => {
        scrollBy({ top: y, behavior: 'instant' });
      }, down);
      await page.evaluate(() => new Promise((drawn) => setTimeout(drawn, 100)));
    };
    await scroll((await top()) + 100);
    expect(await room.count()).toBe(1);
    for (let turn = 0; turn < 20 && (await room.count()) > 0; turn++) {
      const was = await top();
      await scroll(-40);
      // Once the page rests the room may go: what is in sight is where it was scrolled to.
      await page.evaluate(() => new Promise((rested) => setTimeout(rested, 200)));
      expect(Math.abs((await top()) - was - 40)).toBeLessThan(1);
    }
  }
  await expect.poll(() => room.count()).toBe(0);
});
