/**
 * Readers' own texts that are too long for the small things of `storage.ts`, kept in IndexedDB for
 * the tabs that opened them. As blobs: they never pass through the page's memory.
 */
import type { DBSchema } from 'idb';
import { Database } from '../runs/database.ts';
import { FILE_LIMIT } from './text-source.ts';

/** Texts that stay: the newest ones, and of these as many as have room. */
const MOST = 12;
/** Of one tab: its text, those that it replaced, and the one before a change that may be undone. */
const MOST_OF_TAB = 5;
/**
 * A tab that was closed may be opened again so long after its text was last read; in milliseconds.
 */
const STAY = 3 * 24 * 60 * 60 * 1000;
const ROOM = 2 * FILE_LIMIT;

interface Schema extends DBSchema {
  readonly files: {
    readonly key: string;
    readonly value: {
      readonly key: string;
      /** The tab that keeps it. */
      readonly tab: string;
      /** Where blobs cannot be kept (some private windows), their bytes can. */
      readonly content: Blob | ArrayBuffer;
      readonly size: number;
      /** When it was written or read last, in milliseconds since 1970. */
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

/** Opens the store for the texts of `tab`; throws where the browser keeps nothing for this page. */
export async function openFileStore(tab: string, name = 'glasshouse-texts'): Promise<FileStore> {
  const database = await Database.open<Schema>(name, (made) => {
    made.createObjectStore('files', { keyPath: 'key' });
  });
  const write = (key: string, content: Blob | ArrayBuffer, size: number): Promise<void> =>
    database.use(async (now) => {
      const tx = now.transaction('files', 'readwrite');
      // It is told by the await below, or by what fails before.
      tx.done.catch(() => undefined);
      await tx.store.put({ key, tab, content, size, kept: Date.now() });
      await tx.done;
    });
  await tidy(database);
  return {
    put: async (key, content) => {
      try {
        await write(key, content, content.size);
      } catch (thrown) {
        if (thrown instanceof DOMException && thrown.name === 'QuotaExceededError') throw thrown;
        await write(key, await content.arrayBuffer(), content.size);
      }
      await tidy(database);
    },
    get: async (key) => {
      const found = await database.use((now) => now.get('files', key));
      if (found === undefined) return null;
      // Where there is no room for that, it stays as long as it would have.
      await database
        .use((now) => now.put('files', { ...found, tab, kept: Date.now() }))
        .catch(() => undefined);
      return found.content instanceof Blob ? found.content : new Blob([found.content]);
    },
  };
}

/** Takes out what has stayed long enough, or has no room beside what is newer. */
function tidy(database: Database<Schema>): Promise<void> {
  return database.use(async (now) => {
    const tx = now.transaction('files', 'readwrite');
    tx.done.catch(() => undefined);
    const all = (await tx.store.getAll()).sort((a, b) => b.kept - a.kept);
    const ofTab = new Map<string, number>();
    let [count, used] = [0, 0];
    for (const { key, tab, size, kept } of all) {
      const mine = (ofTab.get(tab) ?? 0) + 1;
      const stays =
        mine <= MOST_OF_TAB &&
        count < MOST &&
        // The newest has room, whatever its size.
        (count === 0 || used + size <= ROOM) &&
        Date.now() - kept < STAY;
      if (!stays) {
        await tx.store.delete(key);
        continue;
      }
      ofTab.set(tab, mine);
      count += 1;
      used += size;
    }
    await tx.done;
  });
}
