/**
 * The first screen: limits on words and controls, a minimum letter size, a minimum touch target,
 * and visible generated text while the model trains.
 */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { lettersIn } from './letters.ts';
import { useComponents } from './mount.ts';

const mount = useComponents();

interface Measures {
  /** The page's height in window heights. */
  readonly screens: number;
  /** Names of the visible controls. */
  readonly controls: readonly string[];
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
      controls: controls.map(name),
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
    const now = { ...(await measure(page)), ...(await lettersIn(page, 'body')) };
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
        const known = ['append', 'insertBefore'].map((name) => {
          const method = Reflect.get(Element.prototype, name) as (...all: unknown[]) => unknown;
          return [name, method] as const;
        });
        for (const [name, method] of known) {
          Reflect.set(Element.prototype, name, function (this: Element, ...all: unknown[]) {
            if (this.id !== broken || !this.isConnected) return Reflect.apply(method, this, all);
            Object.assign(Element.prototype, Object.fromEntries(known));
            throw new Error('broken on purpose');
          });
        }
      }, id),
  });
  mounted.breaks(/broken on purpose/);
  const said = 'This part of the page failed: broken on purpose';
  await mounted.page.locator(`#${id} [role=alert]`, { hasText: said }).waitFor();
  expect(await mounted.page.getByText(said).count()).toBe(1);
  await mounted.train(1);
  expect(await mounted.step()).toBe(1);
});
