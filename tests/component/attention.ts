/** Locators and actions for tests of the attention panel. */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';

/** A phone screen 390 pixels wide. */
export const phone = (height: number): BrowserContextOptions => ({
  viewport: { width: 390, height },
  hasTouch: true,
  isMobile: true,
});

/** Enlarges the first head. */
export const chooseHead = (page: Page): Promise<void> =>
  page
    .locator('#attention')
    .getByRole('radio', { name: /^Layer 1, head 1/ })
    .click();

/** Enlarges the view of a head in the tab, which then has the focus. */
export async function enlarge(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Enlarge' }).click();
  await page.locator('#closer :focus').waitFor();
}

export const habitsTable = (page: Page): Locator =>
  page.locator('#attention').getByRole('table', { name: 'What this head does, in numbers' });

/** Reads the readout of the selected row or cell in `area`. */
export const readout = (area: Locator, shape: 'attention' | 'arcs') => (): Promise<string | null> =>
  area.locator(`[data-part=${shape}-readout]`).textContent();
