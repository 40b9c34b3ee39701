/** The runs that are kept in this browser: their list, and what can be done with one of them. */
import { heldRuns } from './run-lock.ts';
import { visible } from './run-record.ts';
import type { RunRecord } from './run-record.ts';
import type { RunStore } from './run-store.ts';

/**
 * How much of the browser's room for this site is used, in bytes, and whether it may be cleared.
 */
export interface StorageUse {
  readonly used: number;
  readonly quota: number;
  readonly persisted: boolean;
}

export interface RunListOptions {
  readonly store: () => RunStore | null;
  /** Id of the run under way here; null while it has none. */
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

  /** A deleted run that can still come back. */
  get undo(): RunRecord | null {
    return this.#undo;
  }

  get use(): StorageUse | null {
    return this.#use;
  }

  /** Ids of the runs that other tabs are working on. */
  get elsewhere(): ReadonlySet<string> {
    return this.#elsewhere;
  }

  /** A kept run, deleted or not. */
  find(id: string): RunRecord | null {
    return this.#all.find((one) => one.id === id) ?? null;
  }

  /** Hears of what other tabs save and delete. */
  listen(): void {
    document.addEventListener('visibilitychange', this.#onShow);
    this.#channel = openRunChannel();
    if (this.#channel !== null) this.#channel.onmessage = () => void this.refresh();
  }

  /** Tells other tabs that the list is another one. */
  announce(): void {
    this.#channel?.postMessage(null);
  }

  /** Reads the list and the room that is left anew. */
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

  /** False if it could not be kept, which is told. */
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

  /** Deletes a run, which can come back until the next one is. */
  async remove(record: RunRecord): Promise<void> {
    const { store, tell } = this.#options;
    if (!(await this.change(record.id, { deleted: true }))) return;
    this.#undo = record;
    await store()?.purge(record.id).catch(tell);
    await this.refresh();
  }

  /** Brings back what was deleted last. */
  async restore(): Promise<void> {
    const undo = this.#undo;
    this.#undo = null;
    if (undo !== null) await this.change(undo.id, { deleted: false });
  }

  /** Asks the browser not to clear what is kept when it needs room. */
  async persist(): Promise<void> {
    try {
      await navigator.storage.persist();
    } catch {
      // It was not to be; the list says what is.
    }
    await this.refresh();
  }

  destroy(): void {
    document.removeEventListener('visibilitychange', this.#onShow);
    this.#channel?.close();
  }

  readonly #onShow = (): void => {
    // A tab that was closed meanwhile said nothing of it.
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

/** The channel by which tabs tell each other that the list has changed; null if refused. */
function openRunChannel(): BroadcastChannel | null {
  if (typeof BroadcastChannel === 'undefined') return null;
  try {
    return new BroadcastChannel('glasshouse-runs');
  } catch {
    // A list is then as old as the last look at it.
    return null;
  }
}
