/** The panel that shows the model piece by piece, as its tests find it. */
import type { Locator, Page } from 'playwright-core';
import { eventually } from './driver.ts';

export const SMALL = 'layers=2&channels=16&heads=2&context=12&view=model-parts';

export const diagram = (page: Page, name = 'Architecture of the model'): Locator =>
  page.getByRole('group', { name, exact: true });
export const partTitle = (page: Page): Locator => page.locator('[data-part=part-title]');

/** The text of a place that keeps being written anew. */
export const textOf = (place: Locator, good: (text: string) => boolean): Promise<string> =>
  eventually(async () => (await place.textContent()) ?? '', good);
