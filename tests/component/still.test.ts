/** Layout stability during a run: text and buttons do not move. */
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { STILL, sumOf, watchShifts } from '../browser/layout-shifts.ts';
import { useComponents } from './mount.ts';
import type { Component } from './mount.ts';

const mount = useComponents();

const PROSE = 'The tide came in and the tide went out, and nobody said a word about it. '.repeat(
  60,
);

/** Starts the run without a click: browsers exclude layout shifts shortly after input. */
const start = ({ page }: Component): Promise<void> =>
  page.evaluate(() => {
    window.stage.app!.start();
  });

it.each([
  [1440, 900, ''],
  [1280, 720, 'validation=0.1'],
  [390, 844, 'lang=zh'],
  [360, 844, ''],
  [320, 844, ''],
])('keeps the rows below curve and slider in place at %i × %i, %s', async (width, height, hash) => {
  const viewport = { width, height };
  const mounted = await mount('page', 'names', { viewport, hash, stepwise: true });
  const { page, advance } = mounted;
  /** Distances of these elements from the top of their sections. */
  const places = (): Promise<number[]> =>
    page.evaluate(() =>
      ['#loss .loss-more', '#attention .attention-large canvas'].map((name) => {
        const one = document.querySelector(name)!;
        const [{ top }, section] = [one.getBoundingClientRect(), one.closest('section')!];
        return Math.round(top - section.getBoundingClientRect().top);
      }),
    );
  const before = await places();
  await start(mounted);
  for (const step of [1, 10, 30, 60]) {
    await advance(step);
    expect([step, ...(await places())]).toEqual([step, ...before]);
  }
});

describe.each([360, 390, 1366])('at %i pixels', (width) => {
  const viewport = { width, height: 844 };

  it.each([
    ['names', 'names', '', null],
    ['a novel', 'moby', '', null],
    ['pasted prose', 'untouched', 'preset=tinygpt&steps=60&layers=1&channels=16', PROSE],
  ] as const)('shifts nothing while it trains on %s', async (_, recording, hash, text) => {
    const own = text === null ? {} : { text };
    const mounted = await mount('page', recording, { viewport, hash, ...own, stepwise: true });
    const shifts = await watchShifts(mounted.page);
    await start(mounted);
    for (const step of [1, 10, 25, 40, 60]) await mounted.advance(step);
    const seen = await shifts();
    expect(sumOf(seen), JSON.stringify(seen)).toBeLessThan(STILL);
  });
});

it('keeps the buttons of the run in their places beside each other', async () => {
  const mounted = await mount('page', 'names', {
    viewport: { width: 1366, height: 844 },
    stepwise: true,
  });
  const place = async (): Promise<number> => (await mounted.oneStep.boundingBox())!.x;
  const before = await place();
  await start(mounted);
  for (const step of [1, 60]) {
    await mounted.advance(step);
    expect(await place()).toBe(before);
  }
});

it('always has words below an answer while another is written', async () => {
  const { page } = await mount('ask', 'names', { step: 60 });
  const ask = page.locator('#ask');
  await ask.getByRole('button', { name: 'Write' }).click();
  await ask.getByText(/^Written at step/).waitFor();
  // Counts how often the note is empty: one empty frame would move all content below.
  await ask.locator('[role=status]').evaluate((note) => {
    const counted = { emptied: 0 };
    Object.assign(globalThis, { counted });
    new MutationObserver(() => {
      if (note.textContent === '') counted.emptied += 1;
    }).observe(note, { childList: true, characterData: true, subtree: true });
  });
  const heat = ask.getByRole('slider', { name: 'Temperature' });
  for (const value of ['0.5', '1']) {
    await heat.fill(value);
    await ask.getByText(`temperature ${value}, seed`).waitFor();
  }
  await ask.getByRole('button', { name: 'Another' }).click();
  const note = ask.locator('[role=status]');
  await expect.poll(() => note.textContent()).toContain('seed 8');
  const emptied = await page.evaluate(
    () => (globalThis as unknown as { counted: { emptied: number } }).counted.emptied,
  );
  expect(emptied).toBe(0);
});

describe('the room of a line under the text that has gone', () => {
  /** Mounts a text with truncated long lines; a fix shortens it. */
  async function withReservedSpace(
    width: number,
  ): Promise<Component & { fold: Locator; reserved: Locator }> {
    const mounted = await mount('page', 'names', {
      hash: 'text=own&context=16',
      state: '',
      viewport: { width, height: 844 },
    });
    const { page } = mounted;
    await mounted.text.fill('fifteen letters\u200b\u200b\u200b\n'.repeat(9));
    const cut = page.getByText('longer than the context (');
    await cut.waitFor();
    // The suggested settings appear above the fold.
    await page.locator('#fit').getByText('Other settings would suit').waitFor();
    const fold = page.getByRole('button', { name: 'Check the text', exact: true });
    await fold.click();
    const press = page.getByRole('button', { name: 'Remove invisible characters' });
    await press.waitFor();
    const before = await place(fold);
    await press.click();
    await cut.waitFor({ state: 'hidden' });
    expect(Math.abs((await place(fold)) - before)).toBeLessThan(1);
    const reserved = page.locator('#text .reserves-space');
    expect(await reserved.count()).toBe(1);
    return Object.assign(mounted, { fold, reserved });
  }
  /** The vertical position in the document, independent of scrolling. */
  const place = (one: Locator): Promise<number> =>
    one.evaluate((element) => element.getBoundingClientRect().top + scrollY);

  it('goes as it comes into sight from above, where nothing in sight moves', async () => {
    const { page, fold, reserved } = await withReservedSpace(390);
    const top = (): Promise<number> => fold.evaluate((one) => one.getBoundingClientRect().top);
    /** Scrolls and waits for IntersectionObserver callbacks. */
    const scroll = (down: number): Promise<void> =>
      page.evaluate(async (y) => {
        scrollBy({ top: y, behavior: 'instant' });
        for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
      }, down);
    await scroll((await top()) + 100);
    expect(await reserved.count()).toBe(1);
    for (let up = 0; up < 500; up += 100) {
      const was = await top();
      await scroll(-100);
      expect(Math.abs((await top()) - was - 100)).toBeLessThan(1);
    }
    const was = await top();
    await expect.poll(() => reserved.count()).toBe(0);
    expect(Math.abs((await top()) - was)).toBeLessThan(1);
  });

  it('goes when one points at what is above', async () => {
    const { text, reserved } = await withReservedSpace(1280);
    await text.hover();
    // Sooner than without the pointer.
    await expect.poll(() => reserved.count(), { timeout: 2000 }).toBe(0);
  });

  it('goes by itself once nobody does anything', async () => {
    const { reserved } = await withReservedSpace(1281);
    await expect.poll(() => reserved.count()).toBe(0);
  });
});
