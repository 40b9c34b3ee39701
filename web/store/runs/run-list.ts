/** The saved runs in this browser: their list, and actions on one run. */
import { heldRuns } from './run-lock.ts';
import { visible } from './run-record.ts';
import type { RunRecord } from './run-record.ts';
import type { RunStore } from './run-store.ts';

/** Storage of this site in bytes, and whether the browser promised not to clear it. */
export interface StorageUse {
  readonly used: number;
  readonly quota: number;
  readonly persisted: boolean;
}

export interface RunListOptions {
  readonly store: () => RunStore | null;
  /** Id of this tab's run; null if it is not saved. */
  readonly current: () => string | null;
  readonly tell: (thrown: unknown) => void;
  readonly changed: () => void;
}

export class RunList {
  readonly #options: RunListOptions;
  #channel: BroadcastChannel | null = null;
  #all: readonly RunRecord[] = [];
  #undo: RunRecord | null = null;
  #use: StorageUse | null = null;
  #elsewhere: ReadonlySet<string> = new Set();

  constructor(options: RunListOptions) {
    this.#options = options;
  }

  /** Saved runs, newest first. */
  get records(): readonly RunRecord[] {
    return visible(this.#all);
  }

  /** The deleted run that can be restored; null if none, or if it was deleted for good. */
  get undo(): RunRecord | null {
    return this.find(this.#undo?.id ?? '')?.deleted === true ? this.#undo : null;
  }

  get use(): StorageUse | null {
    return this.#use;
  }

  /** Ids of the runs open in other tabs. */
  get elsewhere(): ReadonlySet<string> {
    return this.#elsewhere;
  }

  /** A run by id, deleted or not; null if unknown. */
  find(id: string): RunRecord | null {
    return this.#all.find((one) => one.id === id) ?? null;
  }

  /** Listens to changes by other tabs. */
  listen(): void {
    document.addEventListener('visibilitychange', this.#onShow);
    this.#channel = openRunChannel();
    if (this.#channel !== null) this.#channel.onmessage = () => void this.refresh();
  }

  /** Reports a change to other tabs. */
  announce(): void {
    this.#channel?.postMessage(null);
  }

  /** Reads list and storage use again. */
  async refresh(): Promise<void> {
    const { store, current, tell, changed } = this.#options;
    try {
      const now = store();
      if (now !== null) this.#all = await now.list();
      this.#use = await storageUse();
      const held = await heldRuns();
      const own = current();
      if (own !== null) held.delete(own);
      this.#elsewhere = held;
    } catch (thrown) {
      tell(thrown);
    }
    changed();
  }

  /** Changes a record; false if that failed, which is reported. */
  async change(id: string, changes: Parameters<RunStore['change']>[1]): Promise<boolean> {
    const { store, tell } = this.#options;
    let isKept = true;
    try {
      await store()?.change(id, changes);
      this.announce();
    } catch (thrown) {
      isKept = false;
      tell(thrown);
    }
    await this.refresh();
    return isKept;
  }

  async rename(id: string, name: string): Promise<void> {
    await this.change(id, { name: name.trim() });
  }

  /** Deletes a run; it can be restored until the next deletion. */
  async remove(record: RunRecord): Promise<void> {
    const { store, tell } = this.#options;
    if (!(await this.change(record.id, { deleted: true }))) return;
    this.#undo = record;
    await store()?.purge(record.id).catch(tell);
    await this.refresh();
  }

  /** Undoes the last deletion. */
  async restore(): Promise<void> {
    const undo = this.#undo;
    this.#undo = null;
    if (undo !== null) await this.change(undo.id, { deleted: false });
  }

  /** Asks the browser not to clear the storage when disk space is low. */
  async persist(): Promise<void> {
    try {
      await navigator.storage.persist();
    } catch {
      // If refused, `use.persisted` stays false.
    }
    await this.refresh();
  }

  destroy(): void {
    document.removeEventListener('visibilitychange', this.#onShow);
    this.#channel?.close();
  }

  readonly #onShow = (): void => {
    // A closed tab has not reported that its run is free.
    if (document.visibilityState === 'visible') void this.refresh();
  };
}

async function storageUse(): Promise<StorageUse | null> {
  try {
    const { usage = 0, quota = 0 } = await navigator.storage.estimate();
    return { used: usage, quota, persisted: await navigator.storage.persisted() };
  } catch {
    return null;
  }
}

/** Opens the channel that announces changes of the list to other tabs; null if refused. */
function openRunChannel(): BroadcastChannel | null {
  if (typeof BroadcastChannel === 'undefined') return null;
  try {
    return new BroadcastChannel('glasshouse-runs');
  } catch {
    // A missing channel leaves the list as old as its last refresh.
    return null;
  }
}
