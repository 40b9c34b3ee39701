/** Opens pages for tests in a shared browser and closes them after each test. */
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { openSite } from './driver.ts';
import type { Driven } from './driver.ts';
import { openPage, sharedChromium, siteUrl } from './harness.ts';
import type { WatchedPage } from './harness.ts';

/** Opens the site for the current test; it closes after the test. */
export type OpenSite = (how?: Parameters<typeof openSite>[1]) => Promise<Driven>;

/** Functions that open pages for a test and close them afterwards. */
export interface Pages {
  readonly site: OpenSite;
  /** Opens a blank page with these context options; the default locale is English. */
  readonly page: (options?: Parameters<typeof openPage>[1]) => Promise<WatchedPage>;
  /** Registers an object that the test opened, to be closed after the test. */
  readonly closing: <T extends { readonly close: () => Promise<unknown> }>(opened: T) => T;
}

/**
 * Opens pages in the browser shared by all files. Pages without context options share one context
 * per file, which keeps its caches warm; their stored data is cleared after each test.
 */
export function usePages(): Pages {
  let browser: Browser;
  let file: SharedContext | null = null;
  const open: { readonly close: () => Promise<unknown> }[] = [];
  beforeAll(async () => {
    browser = await sharedChromium();
  });
  afterEach(async () => {
    // Closes pages before the hosts that they may still send requests to.
    for (const opened of open.splice(0).reverse()) await opened.close();
    await file?.clear();
  });
  afterAll(() => file?.close());
  const closing: Pages['closing'] = (opened) => {
    open.push(opened);
    return opened;
  };
  const site: OpenSite = async (how = {}) => {
    // A test's second page and pages with options get their own context.
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
  /** Clears stored data of the site, except HTTP and code caches. */
  readonly clear: () => Promise<void>;
  readonly close: () => Promise<void>;
}

async function shareContext(browser: Browser): Promise<SharedContext> {
  const context = await browser.newContext({ serviceWorkers: 'block', locale: 'en-US' });
  const keeper = await context.newPage();
  // An open page keeps the process that the site's pages share alive.
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

/** Like `usePages`, but only opens the site. */
export function useSites(): OpenSite {
  return usePages().site;
}
