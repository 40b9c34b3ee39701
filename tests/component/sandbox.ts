/** Sandboxed frames, which drop downloads without an error. */
import type { Page } from 'playwright-core';

/** Matches the warning after a saved file. */
export const MAY_BE_DROPPED = /If no file arrives.*sandbox="… allow-downloads"/;

/** Gives the page the origin that it has in a sandbox. Returns a function that undoes it. */
export async function inSandbox(page: Page): Promise<() => Promise<void>> {
  const setOrigin = (origin: string): Promise<void> =>
    page.evaluate((value) => {
      Object.assign(self, { origin: value });
    }, origin);
  const before = await page.evaluate(() => self.origin);
  await setOrigin('null');
  return () => setOrigin(before);
}
