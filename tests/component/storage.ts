/** Denies or closes the page's storage as browsers do, until `allowStorage`. */
import type { Page } from 'playwright-core';

declare global {
  interface Window {
    /** Restores the replaced functions. */
    allowStorage?: () => void;
    openDatabases?: IDBDatabase[];
  }
}

export const allowStorage = (page: Page): Promise<void> =>
  page.evaluate(() => window.allowStorage?.());

/** Makes reading `indexedDB` throw. */
export async function denyReading(page: Page): Promise<void> {
  await allowStorage(page);
  await page.evaluate(() => {
    const own = Object.getOwnPropertyDescriptor(window, 'indexedDB')!;
    const get = (): never => {
      throw new DOMException('denied', 'SecurityError');
    };
    Object.defineProperty(window, 'indexedDB', { configurable: true, get });
    window.allowStorage = () => Object.defineProperty(window, 'indexedDB', own);
  });
}

/** Makes opening a database fail, or records each database for `closeDatabases`. */
async function replaceOpening(page: Page, denied: boolean): Promise<void> {
  await allowStorage(page);
  await page.evaluate((isDenied) => {
    const { prototype } = IDBFactory;
    const own = Object.getOwnPropertyDescriptor(prototype, 'open')!;
    const open = indexedDB.open.bind(indexedDB);
    const databases: IDBDatabase[] = (window.openDatabases = []);
    prototype.open = (...how) => {
      if (isDenied) throw new DOMException('denied', 'InvalidStateError');
      const request = open(...how);
      request.addEventListener('success', () => databases.push(request.result));
      return request;
    };
    window.allowStorage = () => Object.defineProperty(prototype, 'open', own);
  }, denied);
}

export const denyOpening = (page: Page): Promise<void> => replaceOpening(page, true);
export const watchDatabases = (page: Page): Promise<void> => replaceOpening(page, false);

/** Closes every database, as Safari does in background tabs. */
export const closeDatabases = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const one of window.openDatabases ?? []) one.close();
  });
