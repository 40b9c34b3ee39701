/**
 * Saves the run of this tab while it trains, and when it is paused or replaced or the page is left.
 * Uses no DOM except the events of hiding and leaving the page.
 */
import { asError, failure } from '../../engine/errors.ts';
import type { Checkpoint } from '../../engine/trainer.ts';
import type { SavedPast } from '../past/saved-past.ts';
import type { CurrentRun } from '../training/current-run.ts';
import type { Session } from '../training/session.ts';
import type { EarlierLines } from './earlier-lines.ts';
import type { GoodStates } from './good-state.ts';
import type { Problems } from './problems.ts';
import type { FiledRun } from './run-file.ts';
import type { RunList } from './run-list.ts';
import { heldRuns } from './run-lock.ts';
import type { RunOffer } from './run-offer.ts';
import type { RunRecord } from './run-record.ts';
import { LARGEST_FILE, saveInterval } from './save-pace.ts';
import { factsOf, filedRun } from './saved-facts.ts';
import type { RecognisedRun, SavedFacts } from './saved-facts.ts';
import type { StoreAccess } from './store-access.ts';
import type { TabRun } from './tab-run.ts';

/** Milliseconds after a pause until it is saved, because single steps often follow each other. */
const QUIET = 250;

export interface RunSaverParts {
  readonly session: () => Session | null;
  readonly probe: () => string;
  /** Called when anything changes that a panel shows. */
  readonly changed: () => void;
  /** Whether the saved runs are still unknown, or one is being opened. */
  readonly mustWait: () => boolean;
  /** Whether runs can be saved here; null while unknown. */
  readonly keeps: () => boolean | null;
  readonly access: StoreAccess;
  readonly list: RunList;
  readonly problems: Problems;
  readonly lines: EarlierLines;
  readonly good: GoodStates;
  readonly run: TabRun;
  readonly recognised: RecognisedRun;
  readonly offer: RunOffer;
  readonly past: SavedPast;
}

export class RunSaver {
  readonly #parts: RunSaverParts;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saves = 0;
  #lastSave: Promise<void> = Promise.resolve();
  /** Whether to save again as soon as the present save is done. */
  #hurries = false;
  #savedAt = 0;
  isSaving = false;
  /** Milliseconds that the last save paused training. */
  cost = 0;
  /** The newest state of the current run, if the store has refused it; else null. */
  unsaved: FiledRun | null = null;
  /** Runs that were replaced without being saved, oldest first, until they are dismissed. */
  lost: readonly FiledRun[] = [];

  constructor(parts: RunSaverParts) {
    this.#parts = parts;
    document.addEventListener('visibilitychange', this.#onHide);
    addEventListener('beforeunload', this.#onLeave);
  }

  destroy(): void {
    clearTimeout(this.#timer);
    document.removeEventListener('visibilitychange', this.#onHide);
    removeEventListener('beforeunload', this.#onLeave);
  }

  /** Reacts to a change of the run; saves it if due. */
  look(): void {
    this.#parts.lines.note();
    const current = this.#parts.session()?.current ?? null;
    if (this.#parts.mustWait() || current === null) return;
    const { state, history, number } = current.data;
    // Another run has begun; it gets its own id.
    if (number !== this.#parts.run.number) {
      this.adopt(number, null, null);
      this.#parts.good.forget();
    }
    const saved = factsOf(current);
    if (saved === null) return;
    this.#parts.offer.withdraw();
    this.#parts.good.noteLoss(history.smoothedLast());
    if (this.isSaving) return;
    clearTimeout(this.#timer);
    if (this.#parts.run.isSaved(current.data)) return;
    if (state !== 'running') {
      this.#timer = setTimeout(() => void this.save(), QUIET);
    } else if (
      this.#hurries ||
      performance.now() - this.#savedAt >= saveInterval(this.#saves, this.cost)
    ) {
      this.#hurries = false;
      void this.save();
    }
  }

  /** Saves the run; during a save returns the promise of that save. */
  save(): Promise<void> {
    if (!this.isSaving) this.#lastSave = this.#saveOnce();
    return this.#lastSave;
  }

  /** Saves the run before another replaces it. */
  async leave(): Promise<void> {
    // A save in progress contains an earlier state.
    await this.#lastSave;
    if (this.#isUnsaved() || this.unsaved !== null) await this.save();
  }

  async #saveOnce(): Promise<void> {
    const session = this.#parts.session();
    const current = session?.current ?? null;
    const saved = current && factsOf(current);
    if (session === null || current === null || saved === null) return;
    if (this.isSaving || this.#parts.run.isMuted || current.data.number !== this.#parts.run.number)
      return;
    if (saved.bytes > LARGEST_FILE) {
      this.#parts.problems.reportOnce(
        failure('storage-large', 'the model is too large', [saved.bytes]),
      );
      return;
    }
    this.isSaving = true;
    clearTimeout(this.#timer);
    try {
      // #put reports a failure. Even without a store, GoodStates needs the checkpoint below.
      await this.#parts.access.reach().catch(() => undefined);
      // Another run has begun meanwhile.
      if (session.current?.data !== current.data) return;
      if (this.#isKept(current, saved, session)) return;
      this.#parts.recognised.forget();
      const point = await session.trainer.checkpoint(saved.note);
      if (point.run !== this.#parts.run.number || point.state === 'diverged') return;
      this.cost = point.cost;
      this.#parts.run.setSaved(point);
      this.#parts.good.keep(point, session, current, this.#parts.probe());
      const kept = this.#parts.list.find(this.#parts.run.id ?? '');
      const run = filedRun(saved, point, current, kept, this.#parts.probe());
      // #noteStored resets this. Where storage is refused, only the refusal is reported, once.
      if (this.#parts.keeps() !== false) this.unsaved = run;
      await this.#put(point, run, saved.facts);
    } catch (thrown) {
      this.#parts.problems.reportOnce(thrown);
    } finally {
      this.isSaving = false;
      this.#saves += 1;
      this.#savedAt = performance.now();
      this.#parts.changed();
      // A change during the save, such as a pause, may be due.
      this.look();
    }
  }

  async #put(
    { run, state }: Checkpoint,
    { facts: { step, steps, loss }, save, text }: FiledRun,
    facts: SavedFacts['facts'],
  ): Promise<void> {
    const store = await this.#parts.access.reach();
    const spared = await heldRuns();
    const dropped: RunRecord[] = [];
    try {
      for (;;) {
        if (this.#parts.run.id === null) await this.#parts.run.name();
        const { id } = this.#parts.run;
        // Another run has begun while the file was written.
        if (run !== this.#parts.run.number) return;
        if (id === null) continue;
        const record = { ...facts, id, updated: Date.now(), state, step, steps, loss };
        if (await store.put(record, save, text, spared, (gone) => dropped.push(gone))) {
          this.#noteStored(run, id, step, dropped.length);
          return;
        }
        this.#parts.run.leaveId();
      }
    } catch (thrown) {
      const { code, message } = asError(thrown);
      if (code !== 'storage-full' || dropped.length === 0) throw thrown;
      throw failure(code, message, [dropped.length], 'dropped');
    } finally {
      this.#parts.list.announce();
      await this.#parts.list.refresh();
    }
  }

  /** Notes that a run is stored; `dropped`: how many others were deleted for that. */
  #noteStored(run: number, id: string, step: number, dropped: number): void {
    this.unsaved = null;
    this.#parts.problems.beginRun();
    if (dropped > 0) {
      this.#parts.problems.report(
        failure('storage-room', `deleted to make room: ${dropped} runs`, [dropped]),
      );
    }
    this.#parts.run.setStored(step);
    this.#parts.lines.savedAs(run, id);
    const session = this.#parts.session();
    if (session !== null) this.#parts.past.keep(id, session);
  }

  /**
   * Whether the run has unsaved steps; true during training, because the worker is ahead of the
   * page.
   */
  #isUnsaved(): boolean {
    const run = this.#parts.session()?.run ?? null;
    if (run === null || run.number !== this.#parts.run.number) return false;
    return run.state === 'running' || !this.#parts.run.isSaved(run);
  }

  readonly #onHide = (): void => {
    if (document.visibilityState === 'hidden') this.#saveNow();
  };

  /**
   * Saves as the page is left. The save is complete only if the page lives long enough; the browser
   * asks the reader whether to leave if more than NEGLIGIBLE or a run in `lost` would be lost.
   */
  readonly #onLeave = (event: Event): void => {
    // Updates the note of earlier runs, which may have been shown or hidden in the last frame.
    this.#parts.lines.note();
    const run = this.#parts.session()?.run ?? null;
    const mayLose = this.#parts.keeps() === true && run !== null && this.#parts.run.mayLose(run);
    if (mayLose || this.lost.length > 0) event.preventDefault();
    this.#saveNow();
  };

  /** Saves the run now; during a save, once more as soon as that save is done. */
  #saveNow(): void {
    const run = this.#parts.session()?.run ?? null;
    if (run === null || this.#parts.run.isSaved(run)) return;
    this.#hurries = this.isSaving;
    void this.save();
  }

  /** Saves run `number` under `id` from now on; null for a new id. */
  adopt(number: number, id: string | null, release: (() => void) | null): void {
    this.#parts.run.begin(number, id, release);
    if (this.unsaved !== null) this.lost = withinMemory([...this.lost, this.unsaved]);
    this.unsaved = null;
    this.#parts.problems.beginRun();
    if (id !== null) this.#parts.lines.savedAs(number, id);
    this.#parts.recognised.forget();
    this.#saves = 0;
    this.#savedAt = performance.now();
    this.#parts.good.begin();
    clearTimeout(this.#timer);
  }

  /** Whether a run opened from a file equals a saved run; if so, marks it as saved. */
  #isKept(current: CurrentRun, saved: SavedFacts, { table }: Session): boolean {
    if (this.#parts.run.id !== null || !this.#parts.recognised.isUnknown(current)) return false;
    if (!this.#parts.recognised.search(current, saved, this.#parts.list.records, table))
      return false;
    this.#parts.run.setSaved(current.data);
    this.#parts.run.setStored(current.data.step);
    return true;
  }
}

/** The newest runs, as many as have checkpoints of at most LARGEST_FILE bytes together. */
function withinMemory(runs: readonly FiledRun[]): FiledRun[] {
  let bytes = 0;
  const newest = [...runs]
    .reverse()
    .filter(({ save }) => (bytes += save.file.size) <= LARGEST_FILE);
  return newest.reverse();
}
