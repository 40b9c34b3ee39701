/**
 * IndexedDB store of readers' own texts: opened files, and typed texts too long for storage.ts.
 * Each text belongs to the tab that last read or wrote it. Texts are stored as blobs, outside the
 * page's memory, where the browser allows it.
 */
import type { DBSchema } from 'idb';
import { Database } from '../runs/database.ts';
import { FILE_LIMIT } from './text-source.ts';

/** Maximum number of texts. */
const MOST = 12;
/** Maximum per tab: its text, replaced ones, and the one before an undoable change. */
const MOST_OF_TAB = 5;
/**
 * Milliseconds after the last use for which a text is kept, because a closed tab can be reopened.
 */
const STAY = 3 * 24 * 60 * 60 * 1000;
const ROOM = 2 * FILE_LIMIT;

interface Schema extends DBSchema {
  readonly files: {
    readonly key: string;
    readonly value: {
      readonly key: string;
      /** Id of the tab that owns the text. */
      readonly tab: string;
      /** A blob, or its bytes where the browser refuses to store blobs (some private windows). */
      readonly content: Blob | ArrayBuffer;
      readonly size: number;
      /** Time of the last read or write, in milliseconds since 1970. */
      readonly kept: number;
    };
  };
}

/** A store of texts. */
export interface FileStore {
  /** Stores `content` under `key`, replacing another; throws if that fails. */
  readonly put: (key: string, content: Blob) => Promise<void>;
  /**
   * Reads the text under `key`, which then belongs to this tab; null if it is missing, such as
   * deleted for room or age.
   */
  readonly get: (key: string) => Promise<Blob | null>;
}

/** Opens the store for `tab`; throws if the browser stores nothing for this page. */
export async function openFileStore(tab: string, name = 'glasshouse-texts'): Promise<FileStore> {
  const database = await Database.open<Schema>(name, (made) => {
    made.createObjectStore('files', { keyPath: 'key' });
  });
  const write = (key: string, content: Blob | ArrayBuffer, size: number): Promise<void> =>
    database.use(async (now) => {
      const tx = now.transaction('files', 'readwrite');
      // The await below, or an earlier failure, reports this error.
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
      // If this write fails, the old time stays.
      await database
        .use((now) => now.put('files', { ...found, tab, kept: Date.now() }))
        .catch(() => undefined);
      return found.content instanceof Blob ? found.content : new Blob([found.content]);
    },
  };
}

/** Deletes texts that are too old, or exceed the limits; newest ones have priority. */
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
        // The newest text is kept even if it exceeds the limit.
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
