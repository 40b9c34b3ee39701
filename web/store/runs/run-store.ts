/**
 * Saved runs in IndexedDB. A save is one transaction that adds the new checkpoint beside the old
 * one and updates the record; if page, worker or browser dies meanwhile, the last complete save
 * stays. Files are stored as blobs, outside the page's memory, where the browser allows it.
 */
import type { DBSchema, IDBPTransaction } from 'idb';
import { failure } from '../../engine/errors.ts';
import type { RunHistory } from '../../engine/trainer.ts';
import { dropSnapshots } from '../past/snapshot-name.ts';
import { Database } from './database.ts';
import { toDrop } from './run-record.ts';
import type { RunFacts, RunRecord, RunSave } from './run-record.ts';

/** A blob, or its bytes where the browser refuses to store blobs (some private windows). */
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

/** A stored run; `saves` from newest to oldest. */
export interface StoredRun {
  readonly record: RunRecord;
  readonly saves: readonly RunSave[];
  /** Text of the run; null if the run came from a file without its text. */
  readonly text: Blob | null;
}

export class RunStore {
  readonly #database: Database<Schema>;
  /** Id of this tab. */
  readonly #writer: string;
  #keepsBlobs = true;

  private constructor(database: Database<Schema>, writer: string) {
    this.#database = database;
    this.#writer = writer;
  }

  /** Opens the store; throws `storage-denied` if the browser stores nothing for this page. */
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

  /** All records, unordered. */
  async list(): Promise<RunRecord[]> {
    return this.#database.use((database) => database.getAll('runs'));
  }

  /**
   * Stores `save` as the newest of its run, and `text` unless the store has it (null: the run came
   * without it). Returns false without any change if another tab has resumed the run. Deletes
   * unnamed runs beyond KEEP_AUTOMATIC that are not in `spared`. If storage is full, deletes
   * snapshots, then soft-deleted runs, then further unnamed runs, oldest first; reports only the
   * latter to `onDropped`. Throws `storage-full` and `storage`.
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

  /** The run, its readable saves, and its text; null if it does not exist. */
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

  /** Makes this tab the writer of the run; the previous one can no longer save it. */
  async claim(id: string): Promise<void> {
    await this.#write(async (tx) => {
      const record = await tx.objectStore('runs').get(id);
      if (record !== undefined) {
        await tx.objectStore('runs').put({ ...record, writer: this.#writer });
      }
    }).catch(explain);
  }

  /**
   * The record of a run and the history of its newest save, without reading the checkpoint; null if
   * it is deleted or missing.
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

  /** Changes the fields of a record that the reader may change. */
  async change(
    id: string,
    changes: Partial<Pick<RunRecord, 'name' | 'dismissed' | 'deleted'>>,
  ): Promise<void> {
    await this.#write(async (tx) => {
      const record = await tx.objectStore('runs').get(id);
      if (record !== undefined) await tx.objectStore('runs').put({ ...record, ...changes });
    }).catch((thrown: unknown) => explain(thrown, 'storage-change'));
  }

  /** Deletes soft-deleted runs for good, except run `except`. */
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

  /** Retries after each of `steps`, then after deleting each of the oldest unnamed runs. */
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

  /** Deletes the oldest unnamed run and returns its record; null if none is left. */
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

  /** Runs `action` in one transaction; resolves once it is on disk. */
  #write<Result>(action: (tx: Writing) => Promise<Result>): Promise<Result> {
    return this.#database.use(async (database) => {
      const tx = database.transaction(STORES, 'readwrite', { durability: 'strict' });
      // `action` or the await below reports the failure.
      tx.done.catch(() => undefined);
      try {
        const result = await action(tx);
        await tx.done;
        return result;
      } catch (thrown) {
        try {
          tx.abort();
        } catch {
          // The transaction has ended with its own error, thrown below.
        }
        throw tx.error ?? thrown;
      }
    });
  }
}

/** Deletes runs with their saves, and texts that no other run uses. */
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

/** Throws the error of a failed write; `code` unless storage is full. */
function explain(thrown: unknown, code = 'storage'): never {
  if (isFull(thrown)) throw failure('storage-full', 'the browser has no more room for this page');
  throw failure(code, `the browser could not keep it: ${String(thrown)}`);
}
