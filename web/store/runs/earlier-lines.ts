/** Restores the earlier runs beside the shown one after a reload (note: earlier-note.ts). */
import { yieldTask } from '../../base/yield-task.ts';
import { keep, recall } from '../storage.ts';
import type { EarlierRun } from '../training/earlier-runs.ts';
import { RunData } from '../training/run-data.ts';
import type { Session } from '../training/session.ts';
import { readEarlier, writeEarlier } from './earlier-note.ts';
import type { RunStore } from './run-store.ts';

/** Name of the note in the tab's storage. */
const KEY = 'earlier';
/** First number of restored runs: below -1 (no run), because the trainer counts from 0. */
const FIRST_READ_BACK = -2;

export class EarlierLines {
  readonly #session: () => Session | null;
  /** Ids in the store, by run number, of the runs of this session. */
  readonly #ids = new Map<number, string>();
  /** The runs in the note as last written; null until runs from before a reload are restored. */
  #noted: readonly EarlierRun[] | null = null;
  #savedSince = false;

  constructor(session: () => Session | null) {
    this.#session = session;
  }

  /** Id in the store of a run of this session. */
  idOf(run: number): string | undefined {
    return this.#ids.get(run);
  }

  /** Notes the id of a run; an older run with the same id loses it. */
  savedAs(run: number, id: string): void {
    for (const [other, saved] of this.#ids) if (saved === id) this.#ids.delete(other);
    this.#ids.set(run, id);
    this.#savedSince = true;
  }

  /** Writes the note if the runs or their ids have changed. */
  note(): void {
    const session = this.#session();
    if (session === null || this.#noted === null) return;
    const runs = session.earlier.all;
    if (this.#noted === runs && !this.#savedSince) return;
    this.#noted = runs;
    this.#savedSince = false;
    const note = writeEarlier(runs, (run) => this.#ids.get(run), session.named?.textKey ?? null);
    keep('tab', KEY, note);
  }

  /** Reads the curves of the noted runs, one by one. */
  async restore(store: RunStore, isOver: () => boolean): Promise<void> {
    const found = [];
    for (const [index, note] of readEarlier(recall('tab', KEY)).entries()) {
      await yieldTask();
      try {
        const kept = await store.history(note.saved);
        if (kept === null) continue;
        const number = FIRST_READ_BACK - index;
        const { step, text } = kept.record;
        const run = RunData.kept(number, step, kept.history, note.changed);
        this.#ids.set(number, note.saved);
        found.push({ ...note, run, text, textKey: text.key });
      } catch {
        // Skips an unreadable curve; the error is reported when the run itself is opened.
      }
    }
    if (isOver()) return;
    if (found.length > 0) this.#session()?.restoreEarlier(found);
    this.#noted = [];
    this.note();
  }
}
