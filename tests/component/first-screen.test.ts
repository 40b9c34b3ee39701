/**
 * The first screen: limits on words and controls, a minimum letter size, a minimum touch target,
 * and visible generated text while the model trains.
 */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useComponents } from './mount.ts';

const mount = useComponents();

interface Measures {
  /** The page's height in window heights. */
  readonly screens: number;
  /** Visible words, excluding generated text and the training text. */
  readonly words: number;
  /** Names of the visible controls. */
  readonly controls: readonly string[];
  /** The share of characters of at least 16 px, and the smallest letter size in CSS pixels. */
  readonly large: number;
  readonly smallest: number;
  /** Controls less than 24 px wide or high. */
  readonly small: readonly string[];
  readonly sideways: boolean;
}

/** Measures the current page. */
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
      // A radio button's touch target is its label or card; a tab group's target is its box.
      const box = one.closest('.choice, .tab-group, label') ?? one;
      const { width, height } = box.getBoundingClientRect();
      // The ::after box enlarges the target.
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
  const options = {
    viewport: { width, height },
    ...(width < 500 ? { context: { hasTouch: true } } : {}),
    unfold: false,
  };

  it.each([
    ['before a run', 0, 270, 45, width < 500 ? 3.4 : 2.2],
    // One more control, in a line of its own on a phone, undoes the choice of 60 steps.
    ['after a run', 60, 300, 46, width < 500 ? 3.53 : 2.3],
  ])('says little, in letters that can be read, %s', async (_, step, words, controls, screens) => {
    const { page } = await mount('page', 'names', { ...options, ...(step > 0 ? { step } : {}) });
    if (step > 0) await page.locator('#after-run p').first().waitFor();
    const now = await measure(page);
    expect(now.sideways).toBe(false);
    expect(now.smallest).toBeGreaterThanOrEqual(13);
    expect(now.large).toBeGreaterThan(0.9);
    expect(now.controls.length).toBeLessThanOrEqual(controls);
    if (width < 500) expect(now.small).toEqual([]);
    expect(now.words).toBeLessThanOrEqual(words);
    expect(now.screens).toBeLessThanOrEqual(screens);
  });

  it('shows words of the model as soon as it trains', async () => {
    const { page, run, start, advance } = await mount('page', 'names', {
      ...options,
      stepwise: true,
    });
    const newest = page.locator('#samples li:first-child .written').first();
    await start.click();
    await advance(10);
    const bottom = width < 500 ? (await run.boundingBox())!.y : height;
    const inSight = async (): Promise<boolean> => {
      // The element has no box while a new text replaces it.
      const box = await newest.boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= bottom;
    };
    await expect.poll(inSight).toBe(true);
  });
});

it.each([
  ['of the first task', 'text'],
  ['that follows', 'loss'],
])('says in the place of a panel %s that it failed, and trains without it', async (_, id) => {
  const mounted = await mount('page', 'untouched', {
    unfold: false,
    before: (page) =>
      page.evaluate((broken) => {
        // Components insert their elements, other panels append them.
        type Change = (...all: unknown[]) => unknown;
        const append = Reflect.get(Element.prototype, 'append') as Change;
        const insertBefore = Reflect.get(Node.prototype, 'insertBefore') as Change;
        function check(parent: Node): void {
          if (!(parent instanceof Element) || parent.id !== broken || !parent.isConnected) return;
          Object.assign(Element.prototype, { append, insertBefore });
          throw new Error('broken on purpose');
        }
        Element.prototype.append = function (...all) {
          check(this);
          append.apply(this, all);
        };
        Element.prototype.insertBefore = function (node, next) {
          check(this);
          return insertBefore.call(this, node, next) as typeof node;
        };
      }, id),
  });
  mounted.breaks(/broken on purpose/);
  const said = 'This part of the page failed: broken on purpose';
  await mounted.page.locator(`#${id} [role=alert]`, { hasText: said }).waitFor();
  expect(await mounted.page.getByText(said).count()).toBe(1);
  await mounted.train(1);
  expect(await mounted.step()).toBe(1);
});
