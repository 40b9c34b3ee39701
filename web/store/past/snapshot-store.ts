/**
 * Snapshots of the most recently saved runs in IndexedDB, so that past steps can be viewed after a
 * reload. A separate database, because it is deleted first when storage is full.
 */
import type { DBSchema } from 'idb';
import type { KeptMoment, Past } from '../../engine/trainer.ts';
import { Database } from '../runs/database.ts';
import { SNAPSHOTS_NAME } from './snapshot-name.ts';

/** Number of runs whose snapshots are kept. */
const MOST_RUNS = 2;

interface Schema extends DBSchema {
  readonly moments: {
    readonly key: [string, number];
    readonly value: {
      readonly run: string;
      readonly step: number;
      readonly bytes: Uint8Array<ArrayBuffer>;
    };
  };
  /** Time at which snapshots of a run were last saved, and their size in bytes. */
  readonly runs: {
    readonly key: string;
    readonly value: { readonly run: string; readonly kept: number; readonly bytes: number };
  };
}

export class SnapshotStore {
  readonly #database: Database<Schema>;

  private constructor(database: Database<Schema>) {
    this.#database = database;
  }

  /** Opens the store; throws if the browser stores nothing for this page. */
  static async open(): Promise<SnapshotStore> {
    const database = await Database.open<Schema>(SNAPSHOTS_NAME, (made) => {
      made.createObjectStore('moments', { keyPath: ['run', 'step'] });
      made.createObjectStore('runs', { keyPath: 'run' });
    });
    return new SnapshotStore(database);
  }

  /** Bytes of the snapshots of all runs. */
  async bytes(): Promise<number> {
    const all = await this.#database.use((database) => database.getAll('runs'));
    return all.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /**
   * Returns the snapshots before `step`, ascending. Deletes later ones: the run will compute those
   * steps again.
   */
  async before(run: string, step: number): Promise<KeptMoment[]> {
    return this.#database.use(async (database) => {
      await database.delete('moments', IDBKeyRange.bound([run, step], [run, Infinity]));
      return database.getAll('moments', rangeOf(run));
    });
  }

  /**
   * Makes the stored snapshots of `run` equal to those of `trainer`. Stops when `isShown` returns
   * false, because the trainer then has another run.
   */
  async keep(run: string, trainer: Past, isShown: () => boolean): Promise<void> {
    const wanted = await trainer.moments();
    const keys = await this.#database.use((database) =>
      database.getAllKeys('moments', rangeOf(run)),
    );
    const kept = new Set(keys.map(([, step]) => step));
    if (!isShown()) return;
    const gone = [...kept].filter((step) => !wanted.includes(step));
    /** Bytes of one snapshot; null if none was added. All snapshots of a run have about the same. */
    let size: number | null = null;
    for (const step of wanted.filter((one) => !kept.has(one))) {
      const { moment: snapshot, from } = await trainer.wayBack(step);
      if (!isShown()) return;
      // The trainer has dropped this snapshot meanwhile.
      if (snapshot === null || from !== step) continue;
      size = snapshot.length;
      await this.#database.use((database) =>
        database.put('moments', { run, step, bytes: snapshot }),
      );
    }
    await this.#database.use(async (database) => {
      for (const step of gone) await database.delete('moments', [run, step]);
      if (size === null && gone.length === 0) return;
      const each = size ?? ((await database.get('runs', run))?.bytes ?? 0) / kept.size;
      if (each > 0) {
        await database.put('runs', { run, kept: Date.now(), bytes: wanted.length * each });
      }
    });
    await this.#tidy();
  }

  /** Deletes the snapshots of a run. */
  async forget(run: string): Promise<void> {
    await this.#database.use(async (database) => {
      await database.delete('moments', rangeOf(run));
      await database.delete('runs', run);
    });
  }

  close(): void {
    this.#database.close();
  }

  async #tidy(): Promise<void> {
    const runs = await this.#database.use((database) => database.getAll('runs'));
    const old = runs.sort((a, b) => b.kept - a.kept).slice(MOST_RUNS);
    for (const { run } of old) await this.forget(run);
  }
}

function rangeOf(run: string): IDBKeyRange {
  return IDBKeyRange.bound([run, 0], [run, Infinity]);
}
