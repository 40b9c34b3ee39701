/** Parts of the instrument for attention, for the tests of it. */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';

/** A phone, 390 pixels wide. */
export const phone = (height: number): BrowserContextOptions => ({
  viewport: { width: 390, height },
  hasTouch: true,
  isMobile: true,
});

/** Shows the first head large. */
export const chooseHead = (page: Page): Promise<void> =>
  page
    .locator('#attention')
    .getByRole('radio', { name: /^Layer 1, head 1/ })
    .click();

export const habitsTable = (page: Page): Locator =>
  page
    .locator('#attention')
    .getByRole('table', { name: 'What this head does, in plain statistics' });

/** Reads what an area says of the row or cell that is looked at. */
export const readout = (area: Locator, shape: 'attention' | 'arcs') => (): Promise<string | null> =>
  area.locator(`[data-part=${shape}-readout]`).textContent();
