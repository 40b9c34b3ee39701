/**
 * Saves the run of this tab while it trains, and resumes saved runs; offers one after a reload or a
 * crash. Uses no DOM except the page's visibility.
 */
import { asError, failure } from '../../engine/errors.ts';
import type { Checkpoint } from '../../engine/trainer.ts';
import { rateOf } from '../training/current-run.ts';
import type { CurrentRun } from '../training/current-run.ts';
import type { Session } from '../training/session.ts';
import { SavedPast } from '../past/saved-past.ts';
import { randomId } from '../storage.ts';
import { EarlierLines } from './earlier-lines.ts';
import { GoodStates } from './good-state.ts';
import type { GoodState } from './good-state.ts';
import { Problems } from './problems.ts';
import { Resuming, runFiles } from './resuming.ts';
import type { ResumingOptions } from './resuming.ts';
import { RunList } from './run-list.ts';
import { heldRuns, holdRun } from './run-lock.ts';
import { RunOffer } from './run-offer.ts';
import type { FiledRun } from './run-file.ts';
import type { FiledFacts } from './run-file-parts.ts';
import type * as RunFiles from './run-files.ts';
import type { RunRecord } from './run-record.ts';
import type { RunStore, StoredRun } from './run-store.ts';
import { LARGEST_FILE, saveInterval } from './save-pace.ts';
import { factsOf, filedRun, RecognisedRun } from './saved-facts.ts';
import type { SavedFacts } from './saved-facts.ts';
import { StoreAccess, UNFETCHED } from './store-access.ts';
import { TabRun } from './tab-run.ts';

/** Milliseconds after a pause until it is saved, because single steps often follow each other. */
const QUIET = 250;

export interface RunKeeperOptions extends ResumingOptions {
  /** Called when anything changes that a panel shows. */
  readonly changed: () => void;
  readonly probe: () => string;
}

export class RunKeeper {
  readonly problems: Problems;
  readonly list: RunList;
  readonly #options: RunKeeperOptions;
  readonly #tab = randomId();
  readonly #access: StoreAccess;
  readonly #lines: EarlierLines;
  readonly #good = new GoodStates();
  readonly #run = new TabRun();
  readonly #offer: RunOffer;
  readonly #recognised = new RecognisedRun();
  readonly #resuming: Resuming;
  readonly #past: SavedPast;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saves = 0;
  #saving = false;
  #lastSave: Promise<void> = Promise.resolve();
  /** Save again as soon as the present save is done. */
  #hurries = false;
  #cost = 0;
  #savedAt = 0;
  /** The newest state of the current run, if the store has refused it; else null. */
  #unsaved: FiledRun | null = null;
  #lost: FiledRun | null = null;
  /** Whether the saved runs are known. */
  ready = false;
  /** Whether a saved run is being opened. */
  opening = false;

  constructor(options: RunKeeperOptions) {
    this.#options = options;
    const { session, changed } = options;
    this.problems = new Problems(changed);
    const tell = (thrown: unknown): void => {
      this.problems.report(thrown);
    };
    this.#lines = new EarlierLines(session);
    this.#resuming = new Resuming(options);
    this.#past = new SavedPast(changed);
    this.list = new RunList({
      store: () => this.#access.store,
      current: () => this.#run.id,
      tell,
      changed,
    });
    this.#access = new StoreAccess({
      tab: this.#tab,
      opened: (store) => this.#begin(store),
      onLateSuccess: () => {
        if (!this.#saving) this.#run.setSaved(null);
        this.#recognised.searchAgain();
        this.look();
      },
      tell,
      changed,
    });
    const isFresh = (): boolean => (session()?.run?.step ?? 0) === 0 && !this.#access.isDestroyed;
    this.#offer = new RunOffer(this.list, isFresh, changed);
    document.addEventListener('visibilitychange', this.#onHide);
    addEventListener('beforeunload', this.#onLeave);
  }

  /** Id of the current run in the store; null if it is not saved yet. */
  get current(): string | null {
    return this.#run.id;
  }

  /** The run offered for resuming; null if none, or if dismissed. */
  get offer(): RunRecord | null {
    return this.#offer.run;
  }

  /** The saved run equal to the one just opened from a file, until that trains; else null. */
  get recognised(): RunRecord | null {
    return this.#recognised.run;
  }

  /** The name that the reader gave to run number `run`; empty for none. */
  nameOf(run: number): string {
    return this.list.find(this.#lines.idOf(run) ?? '')?.name ?? '';
  }

  /** Whether runs can be saved here; null while unknown. */
  get keeps(): boolean | null {
    if (this.#access.store !== null) return true;
    return this.ready && !this.isUnfetched ? false : null;
  }

  /** Whether the store's code failed to load and will be requested again. */
  get isUnfetched(): boolean {
    return this.#access.isUnfetched;
  }

  /** Milliseconds that the last save paused training. */
  get cost(): number {
    return this.#cost;
  }

  /** Bytes that snapshots of saved runs take in this browser. */
  get pastBytes(): number {
    return this.#past.bytes;
  }

  /** A state of the current run that is known to be good; null if none. */
  get good(): GoodState | null {
    return this.#good.last;
  }

  /** The last run that was replaced without being saved, until it is dismissed; else null. */
  get lost(): FiledFacts | null {
    return this.#lost?.facts ?? null;
  }

  /** Whether the store has refused the newest state of the current run. */
  get isRefused(): boolean {
    return this.#unsaved !== null;
  }

  /** Opens the store and finds the run to offer. Call once, after the session exists. */
  async begin(): Promise<void> {
    const session = this.#options.session();
    if (session !== null) session.leave = () => this.leave();
    try {
      await this.#access.reach();
    } catch (thrown) {
      // A missing store is reported by the first save that needs it.
      const { code } = asError(thrown);
      if (code !== 'storage-denied' && code !== UNFETCHED) this.problems.report(thrown);
    } finally {
      this.ready = true;
      this.look();
      this.#options.changed();
    }
  }

  async #begin(store: RunStore): Promise<void> {
    // The connection works again.
    this.problems.forget(UNFETCHED);
    this.list.listen();
    await store.purge(null);
    this.list.announce();
    await this.#offer.find(this.#run.idBefore);
    void this.#lines.restore(store, () => this.#access.isDestroyed);
  }

  destroy(): void {
    clearTimeout(this.#timer);
    document.removeEventListener('visibilitychange', this.#onHide);
    removeEventListener('beforeunload', this.#onLeave);
    this.list.destroy();
    this.#run.destroy();
    this.#access.destroy();
    this.#past.destroy();
  }

  // ---- Saving -----------------------------------------------------------------------------------

  /** Reacts to a change of the run; saves it if due. */
  look(): void {
    this.#lines.note();
    const current = this.#options.session()?.current ?? null;
    if (!this.ready || this.opening || current === null) return;
    const { state, history, number } = current.data;
    // Another run has begun; it gets its own id.
    if (number !== this.#run.number) {
      this.#adopt(number, null, null);
      this.#good.forget();
    }
    const saved = factsOf(current);
    if (saved === null) return;
    this.#offer.withdraw();
    this.#good.noteLoss(history.smoothedLast());
    if (this.#saving) return;
    clearTimeout(this.#timer);
    if (this.#run.isSaved(current.data)) return;
    if (state !== 'running') {
      this.#timer = setTimeout(() => void this.save(), QUIET);
    } else if (
      this.#hurries ||
      performance.now() - this.#savedAt >= saveInterval(this.#saves, this.#cost)
    ) {
      this.#hurries = false;
      void this.save();
    }
  }

  /** Saves the run; during a save returns that one. */
  save(): Promise<void> {
    if (!this.#saving) this.#lastSave = this.#saveOnce();
    return this.#lastSave;
  }

  /** Saves the run before another replaces it. */
  async leave(): Promise<void> {
    // A save in progress contains an earlier state.
    await this.#lastSave;
    if (this.#isUnsaved() || this.#unsaved !== null) await this.save();
  }

  async #saveOnce(): Promise<void> {
    const session = this.#options.session();
    const current = session?.current ?? null;
    const saved = current && factsOf(current);
    if (session === null || current === null || saved === null) return;
    if (this.#saving || this.#run.isMuted || current.data.number !== this.#run.number) return;
    if (saved.bytes > LARGEST_FILE) {
      this.problems.reportOnce(failure('storage-large', 'the model is too large', [saved.bytes]));
      return;
    }
    this.#saving = true;
    clearTimeout(this.#timer);
    try {
      // A failure is reported in #put; the good state is worth having even without a store.
      await this.#access.reach().catch(() => undefined);
      // Another run has begun meanwhile.
      if (session.current?.data !== current.data) return;
      if (this.#isKept(current, saved, session)) return;
      this.#recognised.forget();
      const point = await session.trainer.checkpoint(saved.note);
      if (point.run !== this.#run.number || point.state === 'diverged') return;
      this.#cost = point.cost;
      this.#run.setSaved(point);
      this.#good.keep(point, session, current, this.#options.probe());
      const kept = this.list.find(this.#run.id ?? '');
      const run = filedRun(saved, point, current, kept, this.#options.probe());
      // Until it is stored; a page that may store nothing says so once.
      if (this.keeps !== false) this.#unsaved = run;
      await this.#put(point, run, saved.facts);
    } catch (thrown) {
      this.problems.reportOnce(thrown);
    } finally {
      this.#saving = false;
      this.#saves += 1;
      this.#savedAt = performance.now();
      this.#options.changed();
      // A change during the save, such as a pause, may be due.
      this.look();
    }
  }

  async #put(
    { run, state }: Checkpoint,
    { facts: { step, steps, loss }, save, text }: FiledRun,
    facts: SavedFacts['facts'],
  ): Promise<void> {
    const store = await this.#access.reach();
    const spared = await heldRuns();
    const dropped: RunRecord[] = [];
    try {
      for (;;) {
        if (this.#run.id === null) await this.#run.name();
        const { id } = this.#run;
        // Another run has begun while the file was written.
        if (run !== this.#run.number) return;
        if (id === null) continue;
        const record = { ...facts, id, updated: Date.now(), state, step, steps, loss };
        if (await store.put(record, save, text, spared, (gone) => dropped.push(gone))) {
          this.#noteStored(run, id, step, dropped.length);
          return;
        }
        this.#run.leaveId();
      }
    } catch (thrown) {
      const { code, message } = asError(thrown);
      if (code !== 'storage-full' || dropped.length === 0) throw thrown;
      throw failure(code, message, [dropped.length], 'dropped');
    } finally {
      this.list.announce();
      await this.list.refresh();
    }
  }

  /** Notes that a run is stored; `dropped`: how many others were deleted for that. */
  #noteStored(run: number, id: string, step: number, dropped: number): void {
    this.#unsaved = null;
    this.problems.beginRun();
    if (dropped > 0) {
      this.problems.report(
        failure('storage-room', `deleted to make room: ${dropped} runs`, [dropped]),
      );
    }
    this.#run.setStored(step);
    this.#lines.savedAs(run, id);
    const session = this.#options.session();
    if (session !== null) this.#past.keep(id, session);
  }

  /** While training, the worker has steps that the page does not know yet. */
  #isUnsaved(): boolean {
    const run = this.#options.session()?.run ?? null;
    if (run === null || run.number !== this.#run.number) return false;
    return run.state === 'running' || !this.#run.isSaved(run);
  }

  readonly #onHide = (): void => {
    if (document.visibilityState === 'hidden') this.#saveNow();
  };

  /**
   * Saves as the page is left. The save is complete only if the page lives long enough; if more
   * than a little would be lost, the browser asks the reader whether to leave.
   */
  readonly #onLeave = (event: Event): void => {
    // Notes lines that were shown or hidden in the last frame.
    this.#lines.note();
    const run = this.#options.session()?.run ?? null;
    const mayLose = this.keeps === true && run !== null && this.#run.mayLose(run);
    if (mayLose || this.#lost !== null) event.preventDefault();
    this.#saveNow();
  };

  /** Saves the run as it is now; one that is being saved, once more after that. */
  #saveNow(): void {
    const run = this.#options.session()?.run ?? null;
    if (run === null || this.#run.isSaved(run)) return;
    this.#hurries = this.#saving;
    void this.save();
  }

  /** Saves run `number` under `id` from now on; null for a new id. */
  #adopt(number: number, id: string | null, release: (() => void) | null): void {
    this.#run.begin(number, id, release);
    if (this.#unsaved !== null) this.#lost = this.#unsaved;
    this.#unsaved = null;
    this.problems.beginRun();
    if (id !== null) this.#lines.savedAs(number, id);
    this.#recognised.forget();
    this.#saves = 0;
    this.#savedAt = performance.now();
    this.#good.begin();
    clearTimeout(this.#timer);
  }

  /** Whether a run that was opened from a file is kept already, as it is. */
  #isKept(current: CurrentRun, saved: SavedFacts, { table }: Session): boolean {
    if (this.#run.id !== null || !this.#recognised.isUnknown(current)) return false;
    if (!this.#recognised.search(current, saved, this.list.records, table)) return false;
    this.#run.setSaved(current.data);
    this.#run.setStored(current.data.step);
    return true;
  }

  // ---- Resuming ---------------------------------------------------------------------------------

  /** Resumes a saved run; `text` is its text if that is not saved. A failure changes nothing. */
  async open(id: string, text: Blob | null = null): Promise<void> {
    const { store } = this.#access;
    if (store === null) return;
    await this.#opening(async () => {
      // Null if another tab holds the run: then it is resumed here as a new run.
      const release = await holdRun(id);
      try {
        const stored = await store.get(id);
        if (stored === null) throw failure('run-gone', 'this run is not kept any more');
        await this.#goOn({ ...stored, text: stored.text ?? text }, release);
      } finally {
        if (this.#run.id !== id) release?.();
      }
    });
  }

  /** Opens and saves the run in a file. Returns its id; null if it is not saved. */
  async openFile(file: File): Promise<string | null> {
    const kept = await this.#opening(async () => {
      const files = await runFiles();
      const stored = await files.readStored(file);
      const [session, store] = [this.#options.session(), this.#access.store];
      if (store !== null && session !== null) {
        const id = await files.keepStored(stored, store, this.list.records, session);
        return { id, text: stored.text };
      }
      await this.#goOn(stored, null);
      return null;
    });
    if (kept !== null) await this.open(kept.id, kept.text);
    return kept?.id ?? null;
  }

  /** Runs `action`; null if it fails, which is reported, or if another run is being opened. */
  async #opening<Result>(action: () => Promise<Result>): Promise<Result | null> {
    if (this.opening) return null;
    this.opening = true;
    this.problems.dismiss();
    try {
      return await action();
    } catch (thrown) {
      this.problems.report(thrown);
      return null;
    } finally {
      this.opening = false;
      // If opening failed, the current run may have changes to save.
      this.look();
      this.#offer.withdraw();
      // Other tabs now list the run as open elsewhere.
      this.list.announce();
      await this.list.refresh();
    }
  }

  /** Resumes a stored run, under its id if its lock is held (`release` is not null). */
  async #goOn(stored: StoredRun, release: (() => void) | null): Promise<void> {
    const { record, saves } = stored;
    const content = stored.text ?? (await this.#resuming.findText(record.text));
    if (content === null) {
      this.#resuming.openWithout(stored);
      return;
    }
    const { source, fileName } = record.text;
    const text = { source, fileName, content };
    const resumed = await this.#resuming.resume(saves, record.recipe.preset, text);
    const { session, current, save } = resumed;
    this.#adopt(current.data.number, release === null ? null : record.id, release);
    // Already saved in this state: resuming must not change its date.
    const resting = record.step >= record.steps ? 'finished' : 'paused';
    if (release !== null) {
      this.#run.setSaved({ step: record.step, state: resting });
      this.#run.setStored(record.step);
    }
    this.#good.keepResumed(save, current.data.step, session, current);
    if (release !== null) {
      await this.#past.give(record.id, session);
      await this.#access.store?.claim(record.id);
    }
    if (record.state === 'running') session.start();
  }

  /** Writes a saved run, or the present state of this tab's run, to a file; null if that fails. */
  async file(id: string | null, withText: boolean): Promise<RunFiles.RunFile | null> {
    const { store } = this.#access;
    try {
      const { fileOfCurrent, fileOfKept } = await runFiles();
      if (store !== null && id !== null && id !== this.#run.id) {
        return await fileOfKept(store, id, withText);
      }
      const kept = this.list.find(this.#run.id ?? '');
      return await fileOfCurrent(this.#options.session(), kept, this.#options.probe(), withText);
    } catch (thrown) {
      this.problems.report(thrown);
      return null;
    }
  }

  /** Writes the lost run to a file, or else this tab's run; null if that fails. */
  async unsavedFile(): Promise<RunFiles.RunFile | null> {
    const lost = this.#lost;
    if (lost === null) return this.file(null, true);
    try {
      return await (await runFiles()).fileOf(lost, true);
    } catch (thrown) {
      this.problems.report(thrown);
      return null;
    }
  }

  dismissLost(): void {
    this.#lost = null;
    this.#options.changed();
  }

  /** Returns a diverged run to its last good state, with a lower learning rate. */
  async goBack(): Promise<void> {
    const { good, gentler } = this;
    if (good === null || gentler === null || this.opening) return;
    this.opening = true;
    this.#options.changed();
    try {
      const { session, current } = await this.#resuming.resume([good], good.preset, good.text, {
        lr: gentler,
      });
      this.#run.goOn(current.data.number);
      this.#good.begin();
      if (this.#run.id !== null) await this.#past.give(this.#run.id, session);
    } catch (thrown) {
      this.problems.report(thrown);
    } finally {
      this.opening = false;
      this.#options.changed();
    }
  }

  /** The learning rate for `goBack`; null without a good state. */
  get gentler(): number | null {
    const session = this.#options.session();
    if (session === null || session.current === null) return null;
    return this.#good.gentler(rateOf(session.current, session.table));
  }

  // ---- Actions on the list ----------------------------------------------------------------------

  async dismissOffer(): Promise<void> {
    await this.#offer.dismiss();
  }

  dismissRecognised(): void {
    this.#recognised.forget();
    this.#options.changed();
  }

  /** Deletes a run. False if another tab has it open, which would lose it at its next reload. */
  async remove(id: string): Promise<boolean> {
    const record = this.list.find(id);
    if (record === null) return false;
    // Requests the locks again, because the list is only as current as the last message of other
    // tabs.
    if (id !== this.#run.id && (await heldRuns()).has(id)) {
      await this.list.refresh();
      return false;
    }
    if (id === this.#run.id) {
      this.#run.isMuted = true;
      this.#unsaved = null;
    }
    if (id === this.offer?.id) this.#offer.withdraw();
    if (id === this.recognised?.id) this.#recognised.forget();
    await this.list.remove(record);
    this.#past.forget(id);
    // There may be room now.
    if (this.#unsaved !== null) void this.save();
    return true;
  }

  /** Undoes the last deletion. */
  async restore(): Promise<void> {
    if (this.list.undo?.id === this.#run.id) this.#run.isMuted = false;
    await this.list.restore();
  }
}

/** Members of the list that panels may use. */
type ShownList = 'records' | 'undo' | 'use' | 'elsewhere' | 'rename' | 'persist' | 'refresh';

/** Members of RunKeeper that panels may use. */
export type Runs = Pick<RunKeeper, Exclude<keyof RunKeeper, 'list' | 'problems'>> & {
  readonly list: Pick<RunList, ShownList>;
  readonly problems: Pick<Problems, 'last' | 'dismiss'>;
};
