/**
 * Saved runs in IndexedDB. A save is one transaction: the new checkpoint goes in beside the old one
 * and the record comes to point at it, or nothing of it happens. So a page, worker or browser that
 * dies in the middle leaves the last complete save as it was. Files are kept as blobs: they never
 * pass through the page's memory.
 */
import type { DBSchema, IDBPTransaction } from 'idb';
import { failure } from '../../engine/errors.ts';
import type { RunHistory } from '../../engine/trainer.ts';
import { dropSnapshots } from '../past/snapshot-name.ts';
import { Database } from './database.ts';
import { toDrop } from './run-record.ts';
import type { RunFacts, RunRecord, RunSave } from './run-record.ts';

/** Where blobs cannot be kept (some private windows), their bytes can. */
type Content = Blob | ArrayBuffer;

interface Schema extends DBSchema {
  readonly runs: { readonly key: string; readonly value: RunRecord };
  readonly saves: {
    readonly key: [string, number];
    readonly value: Omit<RunSave, 'file'> & {
      readonly run: string;
      readonly number: number;
      readonly file: Content;
    };
  };
  readonly texts: {
    readonly key: string;
    readonly value: { readonly key: string; readonly content: Content };
  };
}

type Writing = IDBPTransaction<Schema, ('runs' | 'saves' | 'texts')[], 'readwrite'>;

const STORES: ('runs' | 'saves' | 'texts')[] = ['runs', 'saves', 'texts'];

/** A run as it was kept: the newest save first. */
export interface StoredRun {
  readonly record: RunRecord;
  readonly saves: readonly RunSave[];
  /** Null if it came in a file without its text. */
  readonly text: Blob | null;
}

export class RunStore {
  readonly #database: Database<Schema>;
  /** This tab, among all that have the page open. */
  readonly #writer: string;
  #keepsBlobs = true;

  private constructor(database: Database<Schema>, writer: string) {
    this.#database = database;
    this.#writer = writer;
  }

  /** Opens the store; throws `storage-denied` where the browser keeps nothing for this page. */
  static async open(writer: string, name = 'glasshouse'): Promise<RunStore> {
    try {
      const database = await Database.open<Schema>(name, (made) => {
        made.createObjectStore('runs', { keyPath: 'id' });
        made.createObjectStore('saves', { keyPath: ['run', 'number'] });
        made.createObjectStore('texts', { keyPath: 'key' });
      });
      return new RunStore(database, writer);
    } catch (thrown) {
      throw failure('storage-denied', `nothing can be kept here: ${String(thrown)}`);
    }
  }

  /** All records, in no order. */
  async list(): Promise<RunRecord[]> {
    return this.#database.use((database) => database.getAll('runs'));
  }

  /**
   * Keeps `save` as the newest of its run. False when another tab has taken the run over: nothing
   * is changed then. `text` is read only when it is not here yet; null if it is not known. A full
   * browser first loses moments of the past, then deleted runs, then one unnamed run after the
   * other, the oldest first, of which `onDropped` is told; those in `spared` stay. Throws
   * `storage-full` and `storage`.
   */
  async put(
    facts: RunFacts & Partial<Pick<RunRecord, 'name' | 'created'>>,
    save: RunSave,
    text: Blob | null,
    spared: ReadonlySet<string>,
    onDropped: (run: RunRecord) => void = () => undefined,
  ): Promise<boolean> {
    const attempt = async (): Promise<boolean> => {
      const file = await this.#content(save.file);
      const content = text && (await this.#content(text));
      return this.#write(async (tx) => {
        const runs = tx.objectStore('runs');
        const before = await runs.get(facts.id);
        if (before !== undefined && before.writer !== this.#writer) return false;
        const number = (before?.save ?? 0) + 1;
        const { history, probe } = save;
        await tx.objectStore('saves').put({ run: facts.id, number, file, history, probe });
        await tx.objectStore('saves').delete([facts.id, number - 2]);
        const { key } = facts.text;
        if (content !== null && (await tx.objectStore('texts').getKey(key)) === undefined) {
          await tx.objectStore('texts').put({ key, content });
        }
        await runs.put({
          ...facts,
          name: before?.name ?? facts.name ?? '',
          created: before?.created ?? facts.created ?? facts.updated,
          bytes: save.file.size,
          save: number,
          writer: this.#writer,
          dismissed: false,
          deleted: false,
        });
        await drop(tx, toDrop(await runs.getAll(), new Set([...spared, facts.id])));
        return true;
      });
    };
    try {
      return await attempt();
    } catch (thrown) {
      if (isFull(thrown)) {
        const steps = [dropSnapshots, () => this.purge(null)];
        return this.#makeRoom(attempt, steps, new Set([...spared, facts.id]), onDropped);
      }
      if (!this.#keepsBlobs || !isBlobRefusal(thrown)) return explain(thrown);
      this.#keepsBlobs = false;
      return attempt().catch(explain);
    }
  }

  /**
   * The run with this id, its saves that can be read, and its text. Null when it is not there any
   * more.
   */
  async get(id: string): Promise<StoredRun | null> {
    return this.#write(async (tx): Promise<StoredRun | null> => {
      const record = await tx.objectStore('runs').get(id);
      if (record === undefined) return null;
      const numbers = [record.save, record.save - 1];
      const saves = await Promise.all(
        numbers.map((number) => tx.objectStore('saves').get([id, number])),
      );
      const text = await tx.objectStore('texts').get(record.text.key);
      return {
        record,
        saves: saves
          .filter((save) => save !== undefined)
          .map(({ file, history, probe }) => ({ file: asBlob(file), history, probe })),
        text: text === undefined ? null : asBlob(text.content),
      };
    }).catch(explain);
  }

  /** This tab saves under the id of the run from now on; another one that did so has lost it. */
  async take(id: string): Promise<void> {
    await this.#write(async (tx) => {
      const record = await tx.objectStore('runs').get(id);
      if (record !== undefined) {
        await tx.objectStore('runs').put({ ...record, writer: this.#writer });
      }
    }).catch(explain);
  }

  /**
   * The history of the newest save of a run that was not deleted, with its record; null when there
   * is none. The checkpoint beside it is not read.
   */
  async history(id: string): Promise<{ record: RunRecord; history: RunHistory } | null> {
    return this.#database.use(async (database) => {
      const tx = database.transaction(['runs', 'saves']);
      const record = await tx.objectStore('runs').get(id);
      if (record === undefined || record.deleted) return null;
      const save = await tx.objectStore('saves').get([id, record.save]);
      return save === undefined ? null : { record, history: save.history };
    });
  }

  /** Changes what the reader may change of a record. */
  async change(
    id: string,
    changes: Partial<Pick<RunRecord, 'name' | 'dismissed' | 'deleted'>>,
  ): Promise<void> {
    await this.#write(async (tx) => {
      const record = await tx.objectStore('runs').get(id);
      if (record !== undefined) await tx.objectStore('runs').put({ ...record, ...changes });
    }).catch((thrown: unknown) => explain(thrown, 'storage-change'));
  }

  /** Frees what was deleted, but for `except`. */
  async purge(except: string | null): Promise<void> {
    await this.#write(async (tx) => {
      const records = await tx.objectStore('runs').getAll();
      const gone = records.filter(({ id, deleted }) => deleted && id !== except);
      await drop(
        tx,
        gone.map(({ id }) => id),
      );
    }).catch(explain);
  }

  close(): void {
    this.#database.close();
  }

  /** Tries again after each step, and then after each of the oldest automatic runs that goes. */
  async #makeRoom<Result>(
    attempt: () => Promise<Result>,
    steps: readonly (() => Promise<void>)[],
    spared: ReadonlySet<string>,
    onDropped: (run: RunRecord) => void,
  ): Promise<Result> {
    const left = [...steps];
    for (;;) {
      const step = left.shift();
      const dropped = step === undefined ? await this.#dropOldest(spared).catch(explain) : null;
      await step?.();
      try {
        return await attempt();
      } catch (thrown) {
        if (!isFull(thrown) || (step === undefined && dropped === null)) return explain(thrown);
      } finally {
        if (dropped !== null) onDropped(dropped);
      }
    }
  }

  /** Drops the oldest automatic run. Returns its record, or null without one. */
  #dropOldest(spared: ReadonlySet<string>): Promise<RunRecord | null> {
    return this.#write(async (tx) => {
      const records = await tx.objectStore('runs').getAll();
      const id = toDrop(records, spared, 0).at(-1);
      const oldest = records.find((record) => record.id === id) ?? null;
      if (oldest !== null) await drop(tx, [oldest.id]);
      return oldest;
    });
  }

  async #content(blob: Blob): Promise<Content> {
    return this.#keepsBlobs ? blob : blob.arrayBuffer();
  }

  /** All of `action`, or nothing of it; on the disk, once this has answered. */
  #write<Result>(action: (tx: Writing) => Promise<Result>): Promise<Result> {
    return this.#database.use(async (database) => {
      const tx = database.transaction(STORES, 'readwrite', { durability: 'strict' });
      // It is told by `action`, or by the await below.
      tx.done.catch(() => undefined);
      try {
        const result = await action(tx);
        await tx.done;
        return result;
      } catch (thrown) {
        try {
          tx.abort();
        } catch {
          // It has ended by itself; why is said by its own error.
        }
        throw tx.error ?? thrown;
      }
    });
  }
}

/** Takes runs out, with their saves, and with texts that no run has any more. */
async function drop(tx: Writing, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  for (const id of ids) {
    await tx.objectStore('saves').delete(IDBKeyRange.bound([id, 0], [id, Infinity]));
    await tx.objectStore('runs').delete(id);
  }
  const used = new Set((await tx.objectStore('runs').getAll()).map(({ text }) => text.key));
  for (const key of await tx.objectStore('texts').getAllKeys()) {
    if (!used.has(key)) await tx.objectStore('texts').delete(key);
  }
}

function asBlob(content: Content): Blob {
  return content instanceof Blob ? content : new Blob([content]);
}

function nameOf(thrown: unknown): string {
  return thrown instanceof DOMException || thrown instanceof Error ? thrown.name : '';
}

function isFull(thrown: unknown): boolean {
  return nameOf(thrown) === 'QuotaExceededError';
}

function isBlobRefusal(thrown: unknown): boolean {
  return ['DataCloneError', 'UnknownError', 'NotSupportedError'].includes(nameOf(thrown));
}

/** Throws the reason why something could not be kept; `code` if it is not a lack of room. */
function explain(thrown: unknown, code = 'storage'): never {
  if (isFull(thrown)) throw failure('storage-full', 'the browser has no more room for this page');
  throw failure(code, `the browser could not keep it: ${String(thrown)}`);
}
