/**
 * A complete first visit, from the visitor's own text to a card with generated text: once by
 * keyboard alone, once by touch alone.
 */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useComponents } from './mount.ts';

const mount = useComponents();

/** Invented names of meals, one a line. */
const MEALS = ['pan', 'tor', 'lin', 'mesa', 'quin', 'bar'].flatMap((first) =>
  ['cake', 'soup', 'roll', 'pie', 'stew'].flatMap((last) =>
    ['berry', 'honey', 'pepper', 'lemon'].map((taste) => `${taste} ${first}${last}`),
  ),
);

/** A way to operate the page: keyboard or touch. */
interface Inputs {
  /** Moves to a control and presses it. */
  readonly press: (what: Locator) => Promise<void>;
  /** Moves to a field and pastes the text. */
  readonly paste: (field: Locator, text: string) => Promise<void>;
}

const isFocused = (one: Locator): Promise<boolean> =>
  one.evaluate((element) => element === document.activeElement);

/**
 * Presses Tab until the control has the focus; uses arrow keys within radio groups and tab lists.
 */
async function walkTo(page: Page, what: Locator): Promise<void> {
  await what.waitFor();
  for (let steps = 0; steps < 150; steps++) {
    if (await isFocused(what)) return;
    await page.keyboard.press('Tab');
    const group = page.locator(':focus').and(page.getByRole('radio'));
    for (let along = 0; along < 4 && (await group.count()) > 0; along++) {
      if (await isFocused(what)) return;
      await page.keyboard.press('ArrowRight');
    }
  }
  throw new Error('the keyboard does not lead there');
}

const byKeyboard = (page: Page): Inputs => ({
  press: async (what) => {
    await walkTo(page, what);
    const isRadio = await what.evaluate((one) => one.matches('[type=radio]'));
    await page.keyboard.press(isRadio ? 'Space' : 'Enter');
  },
  paste: async (field, text) => {
    await walkTo(page, field);
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(text);
  },
});

const byTouch = (page: Page): Inputs => ({
  press: async (what) => {
    // The radio button is hidden in its label.
    const isRadio = await what.evaluate((one) => one.matches('[type=radio]'));
    await (isRadio ? page.locator('label').filter({ has: what }) : what).tap();
  },
  paste: async (field, text) => {
    await field.tap();
    await page.keyboard.insertText(text);
  },
});

it.each([
  ['keyboard', byKeyboard, { viewport: { width: 1366, height: 768 } }],
  ['touch', byTouch, { viewport: { width: 390, height: 844 }, context: { hasTouch: true } }],
] as const)(
  'trains on a text of its own, reads words, has five texts written, sees what a head does, and shares: by %s',
  async (_, handsOf, options) => {
    const mounted = await mount('page', 'lines', { ...options, unfold: false });
    const { page } = mounted;
    const { press, paste } = handsOf(page);
    const button = (name: string): Locator => page.getByRole('button', { name, exact: true });

    await press(page.getByRole('radio', { name: 'Your own' }));
    await paste(mounted.text, `${MEALS.join('\n')}\n`);
    await mounted.reach('ready');
    await press(mounted.start);
    await mounted.reach('finished');
    const newest = page.locator('#samples li:first-child .written').first();
    const inSight = (): Promise<boolean> =>
      newest.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });
    await expect.poll(inSight).toBe(true);

    await press(button('Write'));
    const answer = page.locator('[data-part=answer]');
    const done = page.getByText(/^Written at step/);
    await done.waitFor();
    const written = new Set([await answer.innerText()]);
    for (let another = 1; another < 5; another++) {
      const before = await done.innerText();
      await press(button('Another'));
      await expect.poll(() => done.allInnerTexts()).not.toEqual([before]);
      await done.waitFor();
      written.add(await answer.innerText());
    }
    // Two seeds can produce the same meal.
    expect(written.size).toBeGreaterThan(2);

    const head = page.locator('#attention .head-grid').getByRole('radio').last();
    const verdict = page.locator('#attention [data-part=habit]');
    await press(head);
    await expect.poll(() => head.isChecked()).toBe(true);
    expect(await verdict.innerText()).not.toBe('');

    await press(button('Share'));
    const dialog = page.getByRole('dialog', { name: 'Share what it wrote' });
    await dialog.waitFor();
    const coming = page.waitForEvent('download');
    await press(dialog.getByRole('button', { name: 'Save the picture' }));
    const saved = await coming;
    expect((await readFile(await saved.path())).subarray(1, 4).toString()).toBe('PNG');
  },
);
