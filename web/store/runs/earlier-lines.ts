/** Which runs lie beside the shown one, over a reload: see earlier-note.ts for what is noted. */
import { yieldTask } from '../../base/yield-task.ts';
import { keep, recall } from '../storage.ts';
import type { EarlierRun } from '../training/earlier-runs.ts';
import { RunData } from '../training/run-data.ts';
import type { Session } from '../training/session.ts';
import { readEarlier, writeEarlier } from './earlier-note.ts';
import type { RunStore } from './run-store.ts';

/** Where it is noted for the tab. */
const KEY = 'earlier';
/** The number of a run that is read back to be looked at: the trainer's begin at 0, -1 is none. */
const FIRST_READ_BACK = -2;

export class EarlierLines {
  readonly #session: () => Session | null;
  /** What the runs of this sitting are saved as, by their numbers. */
  readonly #ids = new Map<number, string>();
  /** As they were noted last; null until those of before the reload are back. */
  #noted: readonly EarlierRun[] | null = null;
  #savedSince = false;

  constructor(session: () => Session | null) {
    this.#session = session;
  }

  /** Id in the store of a run of this sitting. */
  idOf(run: number): string | undefined {
    return this.#ids.get(run);
  }

  /** A run that goes on under the id of another one takes its place there. */
  savedAs(run: number, id: string): void {
    for (const [other, saved] of this.#ids) if (saved === id) this.#ids.delete(other);
    this.#ids.set(run, id);
    this.#savedSince = true;
  }

  /** Notes them, when they have changed. */
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

  /** Reads the curves of those of before a reload, one by one. */
  async restore(store: RunStore, isOver: () => boolean): Promise<void> {
    const found = [];
    try {
      for (const [index, note] of readEarlier(recall('tab', KEY)).entries()) {
        await yieldTask();
        const kept = await store.history(note.saved);
        if (kept === null) continue;
        const number = FIRST_READ_BACK - index;
        const { step, text } = kept.record;
        const run = RunData.kept(number, step, kept.history, note.changed);
        this.#ids.set(number, note.saved);
        found.push({ ...note, run, text, textKey: text.key });
      }
    } catch {
      // A line that cannot be read is none; the runs themselves say what is wrong with them.
    }
    if (isOver()) return;
    if (found.length > 0) this.#session()?.restoreEarlier(found);
    this.#noted = [];
    this.note();
  }
}
