/**
 * axe-core finds nothing to object to, on any view, in both languages and colours, wide and narrow.
 */
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { objections } from './axe.ts';
import { eachTab, eventually, openSite, openTab } from './driver.ts';
import { launchChromium, openPage, siteUrl } from './harness.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(async () => {
  await browser.close();
});

/** Waits until a panel is whole: the large ones are drawn in turns, over several frames. */
async function settled(panel: Locator): Promise<void> {
  let [last, since] = ['', performance.now()];
  await eventually(
    () => panel.innerHTML(),
    (html) => {
      if (html !== last) [last, since] = [html, performance.now()];
      return html !== '' && performance.now() - since > 150;
    },
  );
}

const shapes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 780 } };
/** Every pair of a language, a theme and a shape is among them; all eight take a minute more. */
const cases = [
  ['en', 'light', 'desktop'],
  ['en', 'dark', 'phone'],
  ['zh', 'light', 'phone'],
  ['zh', 'dark', 'desktop'],
] as const;

describe('axe-core finds nothing', () => {
  it.each(cases)('in %s, %s, on a %s', { timeout: 180_000 }, async (lang, colours, shape) => {
    const site = await openSite(browser, {
      hash: 'validation=0.1&steps=120',
      options: {
        locale: lang === 'zh' ? 'zh-CN' : 'en-US',
        colorScheme: colours,
        viewport: shapes[shape],
        reducedMotion: 'reduce',
      },
    });
    const { page } = site;
    try {
      // Everything that folds is unfolded, and every figure there is.
      await page.locator('#run .primary').click();
      await site.reach('finished');
      const folds = page.locator('button.fold[aria-expanded=false]:visible');
      for (let left = await folds.count(); left > 0; left--) await folds.first().click();
      await page.locator('#ask button[type=submit]').click();
      await eventually(
        () => page.locator('#ask [role=status]').textContent(),
        (text) => text !== '',
      );
      // The whole page at once: what the strip lies over depends on where one has scrolled to.
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ ...shapes[shape], height });
      expect(await objections(page)).toEqual([]);
      await page.setViewportSize(shapes[shape]);

      // The tabs to look closer with, one by one.
      await eachTab(page, async () => {
        await settled(page.getByRole('tabpanel'));
        expect(await objections(page, '#closer')).toEqual([]);
      });

      // What floats above: an explained word, and a stop of the tour.
      await page.locator('#plan .term').first().click();
      await page.getByRole('dialog').waitFor();
      expect(await objections(page, '[role=dialog]')).toEqual([]);
      await page.keyboard.press('Escape');
      await page.locator('#tour').click();
      await page.getByRole('dialog').waitFor();
      expect(await objections(page, '[role=dialog]')).toEqual([]);
    } finally {
      await site.close();
    }
  });

  it.each(['en', 'zh'])('on the pages of the documentation in %s', async (lang) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const watched = await openPage(browser, { colorScheme });
      try {
        for (const path of ['index', 'glossary', 'multi-head-attention']) {
          await watched.page.goto(siteUrl(`docs/${lang}/${path}.html`));
          expect(await objections(watched.page)).toEqual([]);
        }
      } finally {
        await watched.close();
      }
    }
  });
});

describe('the keyboard', () => {
  it('comes to the run by its first key, past the text and all settings', async () => {
    const site = await openSite(browser);
    const { page, start } = site;
    try {
      await page.keyboard.press('Tab');
      const skip = page.getByRole('button', { name: 'Skip to training' });
      await expect
        .poll(() => skip.evaluate((element) => element === document.activeElement))
        .toBe(true);
      expect((await skip.boundingBox())!.x).toBeGreaterThanOrEqual(0);
      await page.keyboard.press('Enter');
      await expect
        .poll(() => start.evaluate((element) => element === document.activeElement))
        .toBe(true);
      expect(new URL(page.url()).hash).toBe('');
    } finally {
      await site.close();
    }
  });

  it('explains a word and gives the focus back, and leads out of the tour', async () => {
    const site = await openSite(browser);
    const { page } = site;
    try {
      const word = page.getByRole('button', { name: 'Guessing, ln V', exact: true });
      await word.focus();
      await page.keyboard.press('Enter');
      const note = page.getByRole('dialog', { name: 'Guessing, ln V' });
      await note.waitFor();
      await expect.poll(() => note.locator('math').count()).toBe(1);
      const link = note.getByRole('link', { name: /Cross-entropy/ });
      await expect
        .poll(() => link.getAttribute('href'))
        .toContain('/docs/en/math-to-code.html#cross_entropy');
      await page.keyboard.press('Escape');
      await note.waitFor({ state: 'hidden' });
      await expect
        .poll(() => word.evaluate((element) => element === document.activeElement))
        .toBe(true);

      const begin = page.getByRole('button', { name: 'Take a tour' });
      await begin.focus();
      await page.keyboard.press('Enter');
      const tour = page.getByRole('dialog', { name: 'Start here' });
      await tour.waitFor();
      await page.keyboard.press('Escape');
      await tour.waitFor({ state: 'hidden' });
      await expect
        .poll(() => begin.evaluate((element) => element === document.activeElement))
        .toBe(true);
    } finally {
      await site.close();
    }
  });
});

describe('where the system chooses the colours', () => {
  it('what is chosen stands out, and what is data keeps its colours', async () => {
    const site = await openSite(browser, {
      hash: 'steps=20',
      options: { locale: 'en-US', forcedColors: 'active' },
    });
    const { page } = site;
    try {
      await site.start.click();
      await site.reach('finished');
      const ground = (selector: string): Promise<string> =>
        page
          .locator(selector)
          .first()
          .evaluate((one) => getComputedStyle(one).backgroundColor);
      await expect
        .poll(() => ground('.choice input:checked + span'))
        .not.toBe(await ground('.choice input:not(:checked) + span'));
      await openTab(page, 'Token by token');
      await page.locator('.tab').first().scrollIntoViewIfNeeded();
      await expect
        .poll(() => ground('.tab[aria-selected=true]'))
        .not.toBe(await ground('.tab[aria-selected=false]'));
      await page.locator('.token-cell').nth(1).waitFor();
      const cells = await page
        .locator('.token-cell')
        .evaluateAll((all) => all.map((cell) => getComputedStyle(cell).backgroundColor));
      expect(new Set(cells).size).toBeGreaterThan(2);
      await expect.poll(() => ground('#closer .bar')).not.toBe(await ground('body'));
    } finally {
      await site.close();
    }
  });
});
