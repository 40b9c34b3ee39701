/** Saves the snapshots of saved runs, and restores them after a reload. */
import { TRACES } from '../../base/form.ts';
import { ignore } from '../../engine/errors.ts';
import type { Session } from '../training/session.ts';
import type { SnapshotStore } from './snapshot-store.ts';

export class SavedPast {
  readonly #changed: () => void;
  #store: Promise<SnapshotStore> | null = null;
  /**
   * The last action. Actions run one after another, because a save may start during the previous
   * one.
   */
  #last: Promise<unknown> = Promise.resolve();
  /** Bytes of all saved snapshots in this browser. */
  bytes = 0;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Saves the snapshots of the current run under `id`. */
  keep(id: string, session: Session): void {
    const number = session.run?.number;
    void this.#use(async (store) => {
      const isShown = (): boolean => session.run?.number === number;
      if (session.lookedAt.firstStep === null || !isShown()) return;
      await store.keep(id, session.trainer, isShown);
      this.bytes = await store.bytes();
      this.#changed();
    });
  }

  /** Restores the saved snapshots of a run that was just resumed. */
  async give(id: string, session: Session): Promise<void> {
    await this.#use(async (store) => {
      const { run } = session;
      const { firstStep } = session.lookedAt;
      const snapshots = firstStep === null ? [] : await store.before(id, run?.step ?? 0);
      if (snapshots.length > 0) await session.lookedAt.restoreSnapshots(snapshots);
      this.bytes = await store.bytes();
    });
  }

  /** Deletes the snapshots of a run that the reader deleted. */
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

  /** Runs `action`. Errors are ignored: only snapshots are lost; training and saves continue. */
  #use(action: (store: SnapshotStore) => Promise<void>): Promise<unknown> {
    if (!TRACES) return this.#last;
    // After a failure the next call tries again.
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
