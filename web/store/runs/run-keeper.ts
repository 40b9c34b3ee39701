/**
 * The saved runs of this browser: saves the run of this tab (run-saver.ts), resumes saved runs, and
 * offers one after a reload or a crash.
 */
import { asError, failure } from '../../engine/errors.ts';
import { rateOf } from '../training/current-run.ts';
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
import { RunSaver } from './run-saver.ts';
import type { FiledFacts } from './run-file-parts.ts';
import type * as RunFiles from './run-files.ts';
import type { RunRecord } from './run-record.ts';
import type { RunStore, StoredRun } from './run-store.ts';
import { RecognisedRun } from './saved-facts.ts';
import { StoreAccess, UNFETCHED } from './store-access.ts';
import { TabRun } from './tab-run.ts';

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
  readonly #saver: RunSaver;
  /** Whether the attempt to open the store has ended, even with a failure. */
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
        if (!this.#saver.isSaving) this.#run.setSaved(null);
        this.#recognised.searchAgain();
        this.look();
      },
      tell,
      changed,
    });
    const isFresh = (): boolean => (session()?.run?.step ?? 0) === 0 && !this.#access.isDestroyed;
    this.#offer = new RunOffer(this.list, isFresh, changed);
    this.#saver = new RunSaver({
      ...options,
      mustWait: () => !this.ready || this.opening,
      keeps: () => this.keeps,
      access: this.#access,
      list: this.list,
      problems: this.problems,
      lines: this.#lines,
      good: this.#good,
      run: this.#run,
      recognised: this.#recognised,
      offer: this.#offer,
      past: this.#past,
    });
  }

  /** Reacts to a change of the run; saves it if due. */
  look(): void {
    this.#saver.look();
  }

  /** Saves the run; during a save returns the promise of that save. */
  save(): Promise<void> {
    return this.#saver.save();
  }

  /** Id of the current run in the store; null if it is not saved yet. */
  get current(): string | null {
    return this.#run.id;
  }

  /** The run offered for resuming; null if none, or if dismissed. */
  get offer(): RunRecord | null {
    return this.#offer.run;
  }

  /**
   * The saved run equal to the run just opened from a file, until the opened run trains; else null.
   */
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
    return this.#saver.cost;
  }

  /** Bytes that snapshots of saved runs take in this browser. */
  get pastBytes(): number {
    return this.#past.bytes;
  }

  /** The last healthy state of the current run; null if none. */
  get good(): GoodState | null {
    return this.#good.last;
  }

  /** The oldest run that was replaced without being saved, until it is dismissed; else null. */
  get lost(): FiledFacts | null {
    return this.#saver.lost[0]?.facts ?? null;
  }

  /** Whether the store has refused the newest state of the current run. */
  get isRefused(): boolean {
    return this.#saver.unsaved !== null;
  }

  /** Opens the store and finds the run to offer. Call once, after the session exists. */
  async begin(): Promise<void> {
    const session = this.#options.session();
    if (session !== null) session.leave = () => this.#saver.leave();
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
    // The code of the store is loaded, so the error of its download is over.
    this.problems.forget(UNFETCHED);
    this.list.listen();
    await store.purge(null);
    this.list.announce();
    await this.#offer.find(this.#run.idBefore);
    void this.#lines.restore(store, () => this.#access.isDestroyed);
  }

  destroy(): void {
    this.#saver.destroy();
    this.list.destroy();
    this.#run.destroy();
    this.#access.destroy();
    this.#past.destroy();
  }

  // ---- Resuming ---------------------------------------------------------------------------------

  /** Resumes a saved run. `text`: the run's text, if the store lacks it. A failure is reported. */
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

  /**
   * Saves and resumes the run in a file. Returns the id of the saved run; null if it was not saved.
   */
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

  /**
   * Resumes a stored run: under its id if this tab has the run's lock, as a new run if `release` is
   * null.
   */
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
    this.#saver.adopt(current.data.number, release === null ? null : record.id, release);
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

  /** Writes the lost run to a file; null if that fails. */
  async lostFile(): Promise<RunFiles.RunFile | null> {
    const [lost] = this.#saver.lost;
    if (lost === undefined) return null;
    try {
      return await (await runFiles()).fileOf(lost, true);
    } catch (thrown) {
      this.problems.report(thrown);
      return null;
    }
  }

  dismissLost(): void {
    this.#saver.lost = this.#saver.lost.slice(1);
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

  /**
   * Deletes a run. False if it is unknown, or open in another tab, which would lose it at a reload.
   */
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
      this.#saver.unsaved = null;
    }
    if (id === this.offer?.id) this.#offer.withdraw();
    if (id === this.recognised?.id) this.#recognised.forget();
    await this.list.remove(record);
    this.#past.forget(id);
    // The deletion may have made room for the state that the store refused.
    if (this.#saver.unsaved !== null) void this.save();
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
