/** What browsers do to the storage of a page, until `allowStorage`. */
import type { Page } from 'playwright-core';

interface Patched {
  /** Puts back what was replaced. */
  allowStorage?: () => void;
}

/** Reading `indexedDB` throws. */
export const denyReading = (page: Page): Promise<void> =>
  page.evaluate(() => {
    (globalThis as Patched).allowStorage?.();
    const own = Object.getOwnPropertyDescriptor(globalThis, 'indexedDB')!;
    Object.defineProperty(globalThis, 'indexedDB', {
      configurable: true,
      get() {
        throw new DOMException('denied', 'SecurityError');
      },
    });
    (globalThis as Patched).allowStorage = () => {
      Object.defineProperty(globalThis, 'indexedDB', own);
    };
  });

/** No database can be opened. */
export const denyOpening = (page: Page): Promise<void> =>
  page.evaluate(() => {
    (globalThis as Patched).allowStorage?.();
    const { prototype } = IDBFactory;
    const own = Object.getOwnPropertyDescriptor(prototype, 'open')!;
    prototype.open = () => {
      throw new DOMException('denied', 'InvalidStateError');
    };
    (globalThis as Patched).allowStorage = () => {
      Object.defineProperty(prototype, 'open', own);
    };
  });

/** Remembers databases that are opened from now on, for `closeDatabases`. */
export const watchDatabases = (page: Page): Promise<void> =>
  page.evaluate(() => {
    (globalThis as Patched).allowStorage?.();
    const { prototype } = IDBFactory;
    const own = Object.getOwnPropertyDescriptor(prototype, 'open')!;
    const open = indexedDB.open.bind(indexedDB);
    const databases: IDBDatabase[] = [];
    prototype.open = (...how) => {
      const request = open(...how);
      request.addEventListener('success', () => databases.push(request.result));
      return request;
    };
    Object.assign(globalThis, {
      closeDatabases: () => {
        for (const one of databases) one.close();
      },
      allowStorage: () => {
        Object.defineProperty(prototype, 'open', own);
      },
    });
  });

/** Closes every database, as Safari does to tabs in the background. */
export const closeDatabases = (page: Page): Promise<void> =>
  page.evaluate(() => {
    (globalThis as unknown as { closeDatabases: () => void }).closeDatabases();
  });

export const allowStorage = (page: Page): Promise<void> =>
  page.evaluate(() => {
    (globalThis as Patched).allowStorage?.();
  });
