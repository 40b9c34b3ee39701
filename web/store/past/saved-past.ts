/** The past of saved runs: kept with them, and there again after a reload. */
import { TRACES } from '../../base/form.ts';
import { ignore } from '../../engine/errors.ts';
import type { Session } from '../training/session.ts';
import type { SnapshotStore } from './snapshot-store.ts';

export class SavedPast {
  readonly #changed: () => void;
  #store: Promise<SnapshotStore> | null = null;
  /** One after the other: a save may come before the one before it is done. */
  #last: Promise<unknown> = Promise.resolve();
  /** Bytes that it takes in this browser. */
  bytes = 0;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Keeps what can be come back to of the run under way, which is saved as `id`. */
  keep(id: string, session: Session): void {
    const number = session.run?.number;
    void this.#use(async (store) => {
      const isShown = (): boolean => session.run?.number === number;
      if (session.firstStep === null || !isShown()) return;
      await store.keep(id, session.trainer, isShown);
      this.bytes = await store.bytes();
      this.#changed();
    });
  }

  /** Gives it back to the run that has just gone on. */
  async give(id: string, session: Session): Promise<void> {
    await this.#use(async (store) => {
      const { firstStep, run } = session;
      const snapshots = firstStep === null ? [] : await store.before(id, run?.step ?? 0);
      if (snapshots.length > 0) await session.restoreSnapshots(snapshots);
      this.bytes = await store.bytes();
    });
  }

  /** The reader has deleted this run. */
  forget(id: string): void {
    void this.#use(async (store) => {
      await store.forget(id);
      this.bytes = await store.bytes();
      this.#changed();
    });
  }

  destroy(): void {
    this.#store?.then((store) => {
      store.close();
    }, ignore);
  }

  /** What fails is lost, and nothing else: training and saves go on. */
  #use(action: (store: SnapshotStore) => Promise<void>): Promise<unknown> {
    if (!TRACES) return this.#last;
    // One that did not come is asked for again.
    this.#store ??= import('./snapshot-store.ts')
      .then((code) => code.SnapshotStore.open())
      .catch((thrown: unknown) => {
        this.#store = null;
        throw thrown;
      });
    const store = this.#store;
    this.#last = this.#last.then(async () => action(await store)).catch(ignore);
    return this.#last;
  }
}
