/**
 * axe-core reports no violation on the page after a run, in its tabs, dialogs and notes; keyboard
 * focus moves to the control that needs it.
 */
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { isTab } from '../../web/base/instrument.ts';
import { foldersIn, readInstruments } from '../../web/embed/build/instruments.ts';
import { objections } from '../browser/axe.ts';
import { eachTab, openTab } from '../browser/driver.ts';
import { useComponents } from './mount.ts';
import type { Component } from './mount.ts';

const mount = useComponents();
const tabs = readInstruments(foldersIn(join(import.meta.dirname, '../..'))).filter(isTab);

const shapes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 780 } };

/** Covers every pair of a language, a theme and a screen shape. */
describe.each([
  ['en', 'light', 'desktop'],
  ['en', 'dark', 'phone'],
  ['zh', 'light', 'phone'],
  ['zh', 'dark', 'desktop'],
] as const)('axe-core finds nothing in %s, %s, on a %s', (lang, colorScheme, shape) => {
  const trained = (): Promise<Component> =>
    mount('page', 'held', {
      hash: `lang=${lang}`,
      step: 60,
      viewport: shapes[shape],
      colorScheme,
      reducedMotion: 'reduce',
    });

  it('on the page with everything unfolded', async () => {
    const { page, rest } = await trained();
    const folds = page.locator('button.fold[aria-expanded=false]:visible');
    for (let left = await folds.count(); left > 0; left--) await folds.first().click();
    await page.locator('#ask button[type=submit]').click();
    await expect.poll(() => page.locator('#ask [role=status]').textContent()).toContain('60');
    // Makes the window as tall as the document: the sticky run bar covers other elements at each
    // scroll position.
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.setViewportSize({ ...shapes[shape], height });
    await rest();
    expect(await objections(page)).toEqual([]);
  });

  it('in any of the tabs', { timeout: 120_000 }, async () => {
    const { page } = await trained();
    let count = 0;
    await eachTab(page, async () => {
      count += 1;
      expect(await objections(page, '#closer [role=tabpanel]:not([hidden])')).toEqual([]);
    });
    expect(count).toBe(tabs.length);
  });

  it('in an explained word and a stop of the tour', async () => {
    const { page } = await trained();
    await page.locator('#plan .term').first().click();
    await page.getByRole('dialog').waitFor();
    expect(await objections(page, '[role=dialog]')).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('#tour').click();
    await page.getByRole('dialog').waitFor();
    expect(await objections(page, '[role=dialog]')).toEqual([]);
  });
});

describe('the keyboard', () => {
  const hasFocus = (one: Locator): Promise<boolean> =>
    one.evaluate((element) => element === document.activeElement);

  it('comes to the run by its first key, past the text and all settings', async () => {
    const { page, start } = await mount('page', 'names');
    const { href } = new URL(page.url());
    await page.keyboard.press('Tab');
    const skip = page.getByRole('button', { name: 'Skip to training' });
    await expect.poll(() => hasFocus(skip)).toBe(true);
    expect((await skip.boundingBox())!.x).toBeGreaterThanOrEqual(0);
    await page.keyboard.press('Enter');
    await expect.poll(() => hasFocus(start)).toBe(true);
    expect(page.url()).toBe(href);
  });

  it('opens an explained word with its formula and a link, and has the focus back after it', async () => {
    const { page } = await mount('page', 'names');
    const word = page.getByRole('button', { name: 'Guessing', exact: true });
    await word.focus();
    await page.keyboard.press('Enter');
    const note = page.getByRole('dialog', { name: 'Random guessing' });
    await note.waitFor();
    await note.getByRole('button', { name: 'Formula' }).press('Enter');
    await expect.poll(() => note.locator('math').count()).toBe(1);
    expect(await note.getByRole('link', { name: /Cross-entropy/ }).getAttribute('href')).toContain(
      'docs/en/math-to-code.html#cross_entropy',
    );
    await page.keyboard.press('Escape');
    await note.waitFor({ state: 'hidden' });
    await expect.poll(() => hasFocus(word)).toBe(true);
  });

  it('leads out of the tour, back to its button', async () => {
    const { page } = await mount('page', 'names');
    const begin = page.getByRole('button', { name: 'Take a tour' });
    await begin.focus();
    await page.keyboard.press('Enter');
    const tour = page.getByRole('dialog', { name: 'Start here' });
    await tour.waitFor();
    await page.keyboard.press('Escape');
    await tour.waitFor({ state: 'hidden' });
    await expect.poll(() => hasFocus(begin)).toBe(true);
  });
});

describe('where the system chooses the colours', () => {
  const ground = (page: Page, selector: string): Promise<string> =>
    page
      .locator(selector)
      .first()
      .evaluate((one) => getComputedStyle(one).backgroundColor);

  it('a chosen option and the open tab stand out', async () => {
    const { page } = await mount('page', 'names', { forcedColors: 'active' });
    expect(await ground(page, '.choice input:checked + span')).not.toBe(
      await ground(page, '.choice input:not(:checked) + span'),
    );
    await openTab(page, 'Token by token');
    expect(await ground(page, '.tab[aria-selected=true]')).not.toBe(
      await ground(page, '.tab[aria-selected=false]'),
    );
  });

  it('data keep their own colours', async () => {
    const { page } = await mount('page', 'names', { forcedColors: 'active', step: 60 });
    await openTab(page, 'Token by token');
    await page.locator('.token-cell').nth(1).waitFor();
    const cells = await page
      .locator('.token-cell')
      .evaluateAll((all) => all.map((cell) => getComputedStyle(cell).backgroundColor));
    expect(new Set(cells).size).toBeGreaterThan(2);
    expect(await ground(page, '#closer .bar')).not.toBe(await ground(page, 'body'));
  });
});
