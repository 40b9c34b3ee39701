/** What many tests of the page begin and end with: a browser of their own, and pages that close. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { openSite } from './driver.ts';
import type { Driven } from './driver.ts';
import { launchChromium } from './harness.ts';

/** Opens a page for the test that runs; it closes when the test has ended. */
export type OpenSite = (how?: Parameters<typeof openSite>[1]) => Promise<Driven>;

/** Starts a browser for the tests around the call, and ends it after them. */
export function useSites(): OpenSite {
  let browser: Browser;
  const open: Driven[] = [];
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterEach(async () => {
    for (const site of open.splice(0)) await site.close();
  });
  afterAll(() => browser.close());
  return async (how = {}) => {
    const opened = await openSite(browser, how);
    open.push(opened);
    return opened;
  };
}
