/** The page's data in a browser: read as JSON, and written into another browser. */
import type { Page } from 'playwright-core';

export interface Kept {
  /** Records by database and store; bytes are base64. */
  readonly databases: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>;
  readonly tab: Readonly<Record<string, string>>;
  readonly always: Readonly<Record<string, string>>;
}

/**
 * Reads the stores; of the runs' snapshots only those at `steps`, as each is as large as a
 * checkpoint.
 */
export function readStore(page: Page, steps: readonly number[]): Promise<Kept> {
  return page.evaluate(async (wanted) => {
    const base64 = (bytes: Uint8Array): string => {
      let text = '';
      for (const byte of bytes) text += String.fromCharCode(byte);
      return btoa(text);
    };
    const plain = async (value: unknown): Promise<unknown> => {
      if (value instanceof Blob) {
        return { blob: base64(new Uint8Array(await value.arrayBuffer())), type: value.type };
      }
      if (ArrayBuffer.isView(value)) {
        const { buffer, byteOffset, byteLength } = value;
        const bytes = new Uint8Array(buffer, byteOffset, byteLength);
        return { array: value.constructor.name, bytes: base64(bytes) };
      }
      if (Array.isArray(value)) return Promise.all(value.map(plain));
      if (typeof value === 'number' && !Number.isFinite(value)) return { notFinite: String(value) };
      if (value === null || typeof value !== 'object') return value;
      const entries = Object.entries(value).map(async ([key, one]) => [key, await plain(one)]);
      return Object.fromEntries(await Promise.all(entries)) as unknown;
    };
    const ask = <Result>(request: IDBRequest<Result>): Promise<Result> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(new Error(String(request.error)));
      });
    const membersOf = (storage: Storage) =>
      Object.fromEntries(Object.entries(storage)) as Record<string, string>;
    const databases: Record<string, Record<string, readonly unknown[]>> = {};
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await ask(indexedDB.open(name));
      databases[name] = {};
      for (const store of database.objectStoreNames) {
        const all = await ask(database.transaction(store).objectStore(store).getAll());
        const isSnapshot = (one: { step?: number }): boolean =>
          store !== 'moments' || wanted.includes(one.step!);
        databases[name][store] = (await plain(all.filter(isSnapshot))) as unknown[];
      }
      database.close();
    }
    return { databases, tab: membersOf(sessionStorage), always: membersOf(localStorage) };
  }, steps);
}

/** Key paths of the stores at version 1. */
const KEYS = {
  glasshouse: { runs: 'id', saves: ['run', 'number'], texts: 'key' },
  'glasshouse-past': { moments: ['run', 'step'], runs: 'run' },
};

/**
 * Fills the stores of a browser that has not opened the page; `page` shows another file of the
 * site.
 */
export function writeStore(page: Page, kept: Kept): Promise<void> {
  return page.evaluate(
    async ({ keys, databases, tab, always }) => {
      const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
        Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const alive = (value: unknown): unknown => {
        if (Array.isArray(value)) return value.map(alive);
        if (value === null || typeof value !== 'object') return value;
        const { blob, type, array, bytes, notFinite } = value as Record<string, string | undefined>;
        if (notFinite !== undefined) return Number(notFinite);
        if (blob !== undefined) return new Blob([bytesOf(blob)], { type: type ?? '' });
        if (array === 'Float32Array') return new Float32Array(bytesOf(bytes!).buffer);
        if (array === 'Uint8Array') return bytesOf(bytes!);
        return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, alive(one)]));
      };
      for (const [key, value] of Object.entries(tab)) sessionStorage.setItem(key, value);
      for (const [key, value] of Object.entries(always)) localStorage.setItem(key, value);
      for (const [name, stores] of Object.entries(keys)) {
        await new Promise<void>((resolve, reject) => {
          const opening = indexedDB.open(name, 1);
          opening.onupgradeneeded = () => {
            for (const [store, keyPath] of Object.entries(stores)) {
              opening.result.createObjectStore(store, { keyPath });
            }
          };
          opening.onerror = () => reject(new Error(String(opening.error)));
          opening.onsuccess = () => {
            const tx = opening.result.transaction(Object.keys(stores), 'readwrite');
            for (const store of Object.keys(stores)) {
              for (const record of databases[name]![store]!) tx.objectStore(store).put(alive(record)); // prettier-ignore
            }
            tx.oncomplete = () => {
              opening.result.close();
              resolve();
            };
          };
        });
      }
    },
    { keys: KEYS, ...kept },
  );
}
