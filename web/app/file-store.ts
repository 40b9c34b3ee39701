/**
 * Texts of one's own that are too long for the small things of `storage.ts`, kept in IndexedDB for the
 * tabs that opened them. As blobs: they never pass through the page's memory.
 */
import { openDB } from 'idb';
import type { DBSchema, IDBPDatabase } from 'idb';
import { FILE_LIMIT } from './text-source.ts';

/** Texts that stay: the newest ones, and of these as many as have room. */
const MOST = 8;
const ROOM = 2 * FILE_LIMIT;

interface Schema extends DBSchema {
  readonly files: {
    readonly key: string;
    readonly value: {
      readonly key: string;
      /** Where blobs cannot be kept (some private windows), their bytes can. */
      readonly content: Blob | ArrayBuffer;
      readonly size: number;
      /** Milliseconds since 1970. */
      readonly kept: number;
    };
  };
}

/** Where such texts are kept. */
export interface FileStore {
  /** Keeps `content` under `key`, where it takes the place of another; throws where it cannot. */
  readonly put: (key: string, content: Blob) => Promise<void>;
  /** What was kept under `key`; null when it had to make room for others. */
  readonly get: (key: string) => Promise<Blob | null>;
}

/** Opens the store; throws where the browser keeps nothing for this page. */
export async function openFileStore(name = 'glasshouse-texts'): Promise<FileStore> {
  const database = await openDB<Schema>(name, 1, {
    upgrade(made) {
      made.createObjectStore('files', { keyPath: 'key' });
    },
  });
  const write = async (key: string, content: Blob | ArrayBuffer, size: number): Promise<void> => {
    const tx = database.transaction('files', 'readwrite');
    // It is told by the await below, or by what fails before.
    tx.done.catch(() => undefined);
    await tx.store.put({ key, content, size, kept: Date.now() });
    await tx.done;
  };
  return {
    put: async (key, content) => {
      await makeRoom(database, key, content.size);
      try {
        await write(key, content, content.size);
      } catch (thrown) {
        if (thrown instanceof DOMException && thrown.name === 'QuotaExceededError') throw thrown;
        await write(key, await content.arrayBuffer(), content.size);
      }
    },
    get: async (key) => {
      const found = await database.get('files', key);
      if (found === undefined) return null;
      return found.content instanceof Blob ? found.content : new Blob([found.content]);
    },
  };
}

/** Takes the oldest texts out, so that one of `size` bytes under `key` has room. */
async function makeRoom(database: IDBPDatabase<Schema>, key: string, size: number): Promise<void> {
  const tx = database.transaction('files', 'readwrite');
  tx.done.catch(() => undefined);
  const others = (await tx.store.getAll()).filter((one) => one.key !== key);
  others.sort((a, b) => b.kept - a.kept);
  let used = size;
  for (const [index, one] of others.entries()) {
    used += one.size;
    if (index + 1 >= MOST || used > ROOM) await tx.store.delete(one.key);
  }
  await tx.done;
}
