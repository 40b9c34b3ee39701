/**
 * Snapshots of saved runs in IndexedDB, so that one can look back after a reload as well: of the
 * runs that were under way last. A database of their own: they are the first to go when room is
 * short.
 */
import type { DBSchema } from 'idb';
import type { KeptMoment, Past } from '../../engine/trainer.ts';
import { Database } from '../runs/database.ts';
import { SNAPSHOTS_NAME } from './snapshot-name.ts';

/** Runs whose snapshots stay. */
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
  /** When snapshots of a run were kept last, and how many bytes they take. */
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

  /** Throws where the browser keeps nothing for this page. */
  static async open(): Promise<SnapshotStore> {
    const database = await Database.open<Schema>(SNAPSHOTS_NAME, (made) => {
      made.createObjectStore('moments', { keyPath: ['run', 'step'] });
      made.createObjectStore('runs', { keyPath: 'run' });
    });
    return new SnapshotStore(database);
  }

  /** Of all runs. */
  async bytes(): Promise<number> {
    const all = await this.#database.use((database) => database.getAll('runs'));
    return all.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /**
   * Those before `step`, from where the run goes on, in their order. What was kept after it is of
   * steps that are to be made again, perhaps with other settings: it goes.
   */
  async before(run: string, step: number): Promise<KeptMoment[]> {
    return this.#database.use(async (database) => {
      await database.delete('moments', IDBKeyRange.bound([run, step], [run, Infinity]));
      return database.getAll('moments', rangeOf(run));
    });
  }

  /**
   * Keeps the snapshots that `trainer` has of `run`, and no others of it, as long as `isShown`:
   * from then on the trainer has another run.
   */
  async keep(run: string, trainer: Past, isShown: () => boolean): Promise<void> {
    const wanted = await trainer.moments();
    const keys = await this.#database.use((database) =>
      database.getAllKeys('moments', rangeOf(run)),
    );
    const kept = new Set(keys.map(([, step]) => step));
    if (!isShown()) return;
    const gone = [...kept].filter((step) => !wanted.includes(step));
    let bytes = 0;
    for (const step of wanted.filter((one) => !kept.has(one))) {
      const { moment: snapshot, from } = await trainer.wayBack(step);
      if (!isShown()) return;
      // It was given up meanwhile.
      if (snapshot === null || from !== step) continue;
      // All of a run are of about the same size.
      bytes = wanted.length * snapshot.length;
      await this.#database.use((database) =>
        database.put('moments', { run, step, bytes: snapshot }),
      );
    }
    await this.#database.use(async (database) => {
      for (const step of gone) await database.delete('moments', [run, step]);
      if (bytes > 0) await database.put('runs', { run, kept: Date.now(), bytes });
    });
    await this.#tidy();
  }

  /** Frees those of a run. */
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
