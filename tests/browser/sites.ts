/** What tests of pages begin and end with: a browser of their own, and pages that close. */
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { openSite } from './driver.ts';
import type { Driven } from './driver.ts';
import { openPage, sharedChromium, siteUrl } from './harness.ts';
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

/**
 * Pages of the browser that all files share. Those without context options of their own are in one
 * context for the file, whose caches stay warm; what pages keep is cleared after each test.
 */
export function usePages(): Pages {
  let browser: Browser;
  let file: SharedContext | null = null;
  const open: { readonly close: () => Promise<unknown> }[] = [];
  beforeAll(async () => {
    browser = await sharedChromium();
  });
  afterEach(async () => {
    // The last first: a page closes before the host that it may still be asking.
    for (const opened of open.splice(0).reverse()) await opened.close();
    await file?.clear();
  });
  afterAll(() => file?.close());
  const closing: Pages['closing'] = (opened) => {
    open.push(opened);
    return opened;
  };
  const site: OpenSite = async (how = {}) => {
    // A second page of a test, and one with options of its own, share nothing with the first.
    const isPlain = open.length === 0 && how.context === undefined && how.options === undefined;
    if (isPlain) file ??= await shareContext(browser);
    const context = isPlain ? file?.context : how.context;
    return closing(await openSite(browser, { ...how, ...(context && { context }) }));
  };
  return {
    site,
    page: async (options = {}) => closing(await openPage(browser, { locale: 'en-US', ...options })),
    closing,
  };
}

interface SharedContext {
  readonly context: BrowserContext;
  /** Forgets what pages of the site keep, but for HTTP and code caches. */
  readonly clear: () => Promise<void>;
  readonly close: () => Promise<void>;
}

async function shareContext(browser: Browser): Promise<SharedContext> {
  const context = await browser.newContext({ serviceWorkers: 'block', locale: 'en-US' });
  const keeper = await context.newPage();
  // An open page of the site keeps the process of the other ones alive.
  await keeper.goto(siteUrl('manifest.webmanifest'));
  const devtools = await context.newCDPSession(keeper);
  return {
    context,
    clear: async () => {
      for (const page of context.pages()) if (page !== keeper) await page.close();
      await context.setOffline(false);
      await context.unrouteAll({ behavior: 'ignoreErrors' });
      await context.clearPermissions();
      const origin = new URL(siteUrl()).origin;
      await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
    },
    close: () => context.close(),
  };
}

/** The same, for tests that open nothing but the site. */
export function useSites(): OpenSite {
  return usePages().site;
}
