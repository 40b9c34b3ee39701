/**
 * What somebody meets on the first page: few words and controls, letters that can be read, targets
 * that can be hit, and the model's own words in sight as soon as it trains.
 */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { eventually } from './driver.ts';
import { useSites } from './sites.ts';

const site = useSites();

interface Measures {
  /** Heights of the window that the page takes. */
  readonly screens: number;
  /** Words that are seen and were not written by a model or in the text to learn. */
  readonly words: number;
  /** What can be pressed, typed in or moved. */
  readonly controls: readonly string[];
  /** The share of characters of at least 16 px, and the smallest letters, in CSS pixels. */
  readonly large: number;
  readonly smallest: number;
  /** Controls that a finger does not hit: less than 24 px in a direction. */
  readonly small: readonly string[];
  readonly sideways: boolean;
}

/** Measures the page as it stands. */
function measure(page: Page): Promise<Measures> {
  return page.evaluate(() => {
    const seen = (one: Element): boolean => {
      const { width, height } = one.getBoundingClientRect();
      const { visibility } = getComputedStyle(one);
      return width > 1 && height > 1 && visibility === 'visible';
    };
    const GIVEN = 'textarea, option, .written, .given, .visually-hidden, script, noscript';
    let [words, characters, large, smallest] = [0, 0, 0, Infinity];
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode() !== null) {
      const box = nodes.currentNode.parentElement!;
      const text = (nodes.currentNode.textContent ?? '').trim();
      if (text === '' || box.closest(GIVEN) !== null || !seen(box)) continue;
      words += text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
      const size = parseFloat(getComputedStyle(box).fontSize);
      characters += text.length;
      if (size >= 16) large += text.length;
      smallest = Math.min(smallest, size);
    }
    const all = [
      ...document.querySelectorAll('a, button, input, select, textarea, [tabindex="0"]'),
    ];
    const name = (one: Element): string =>
      one.getAttribute('aria-label') ??
      (one.textContent.trim().slice(0, 30) || one.className || one.id);
    const controls = all.filter(
      (one) => seen(one) && !one.matches(':disabled, [type=file], .skip'),
    );
    const small = controls.filter((one) => {
      // A radio button is as large as what it stands in; so is a door.
      const box = one.closest('.choice, .door-box, label') ?? one;
      const { width, height } = box.getBoundingClientRect();
      // What reaches beyond it can be hit too.
      const reach = getComputedStyle(one, '::after');
      const isWider = reach.position === 'absolute';
      const [wide, high] = isWider ? [parseFloat(reach.width), parseFloat(reach.height)] : [0, 0];
      return Math.min(Math.max(width, wide), Math.max(height, high)) < 24;
    });
    return {
      screens: document.documentElement.scrollHeight / innerHeight,
      words,
      controls: controls.map(name),
      large: large / characters,
      smallest,
      small: small.map(name),
      sideways: document.documentElement.scrollWidth > innerWidth,
    };
  });
}

describe.each([
  [390, 844],
  [1366, 768],
] as const)('%i × %i', (width, height) => {
  const options = { viewport: { width, height }, hasTouch: width < 500 };

  it('says little, in letters that can be read, before a run and after one', async () => {
    const driven = await site({ hash: 'pace=full', options, unfold: false });
    const { page } = driven;
    await page.locator('#attention .head-grid').waitFor();
    const before = await measure(page);
    await driven.start.click();
    await driven.reach('finished');
    await page.locator('#after p').first().waitFor();
    const after = await measure(page);
    for (const now of [before, after]) {
      expect(now.sideways).toBe(false);
      expect(now.smallest).toBeGreaterThanOrEqual(13);
      expect(now.large).toBeGreaterThan(0.9);
      expect(now.controls.length).toBeLessThanOrEqual(45);
      if (width < 500) expect(now.small).toEqual([]);
    }
    expect(before.words).toBeLessThanOrEqual(270);
    expect(after.words).toBeLessThanOrEqual(300);
    expect(before.screens).toBeLessThan(width < 500 ? 3.4 : 2.2);
    expect(after.screens).toBeLessThanOrEqual(width < 500 ? 3.5 : 2.3);
  });

  it('shows words of the model as soon as it trains', async () => {
    const driven = await site({ hash: 'pace=30', options, unfold: false });
    const newest = driven.page.locator('#samples li:first-child .written').first();
    await driven.start.click();
    await eventually(driven.step, (step) => step > 5);
    const strip = (await driven.run.boundingBox())!;
    const bottom = width < 500 ? strip.y : height;
    await eventually(
      () => newest.boundingBox(),
      // Without a box another text is just taking its place.
      (box) => box !== null && box.y >= 0 && box.y + box.height <= bottom,
    );
  });
});
