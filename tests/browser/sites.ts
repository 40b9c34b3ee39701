/** What tests of pages begin and end with: a browser of their own, and pages that close. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { openSite } from './driver.ts';
import type { Driven } from './driver.ts';
import { launchChromium, openPage } from './harness.ts';
import type { WatchedPage } from './harness.ts';

/** Opens the site for the test that runs; it closes when the test has ended. */
export type OpenSite = (how?: Parameters<typeof openSite>[1]) => Promise<Driven>;

/** Ways to open things that close when the test has ended. */
export interface Pages {
  readonly site: OpenSite;
  /** A blank page, with the options of its context; in English unless they say otherwise. */
  readonly page: (options?: Parameters<typeof openPage>[1]) => Promise<WatchedPage>;
  /** Takes over the closing of something that the test opened itself. */
  readonly closing: <T extends { readonly close: () => Promise<unknown> }>(opened: T) => T;
}

/** Starts a browser for the tests around the call, and ends it after them. */
export function usePages(): Pages {
  let browser: Browser;
  const open: { readonly close: () => Promise<unknown> }[] = [];
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterEach(async () => {
    // The last first: a page closes before the host that it may still be asking.
    for (const opened of open.splice(0).reverse()) await opened.close();
  });
  afterAll(() => browser.close());
  const closing: Pages['closing'] = (opened) => {
    open.push(opened);
    return opened;
  };
  return {
    site: async (how = {}) => closing(await openSite(browser, how)),
    page: async (options = {}) => closing(await openPage(browser, { locale: 'en-US', ...options })),
    closing,
  };
}

/** The same, for tests that open nothing but the site. */
export function useSites(): OpenSite {
  return usePages().site;
}
