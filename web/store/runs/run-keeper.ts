/**
 * Keeps the run of this tab: saves it as it goes, offers to go on with it after a reload or a
 * crash, and with any other that was kept. Knows no DOM but the page's visibility.
 */
import { asError, failure } from '../../engine/errors.ts';
import type { ErrorFacts, GlasshouseError } from '../../engine/errors.ts';
import { differingOptions, valueOf } from '../../engine/options.ts';
import type { Checkpoint } from '../../engine/trainer.ts';
import { yieldTask } from '../../base/yield-task.ts';
import type { EarlierRun } from '../training/earlier-runs.ts';
import { RunData } from '../training/run-data.ts';
import type { Session } from '../training/session.ts';
import { keep, randomId, recall } from '../storage.ts';
import { keptText } from '../text/text-source.ts';
import type { KeptText, LoadedText } from '../text/text-source.ts';
import { readEarlier, writeEarlier } from './earlier-note.ts';
import { LeavingSaves } from './leaving-saves.ts';
import type { SavedAs } from './leaving-saves.ts';
import { openRunChannel } from './run-channel.ts';
import { heldRuns, holdRun, whenFree } from './run-lock.ts';
import { visible } from './run-record.ts';
import type { RunRecord, RunSave } from './run-record.ts';
import type { RunStore } from './run-store.ts';
import { checkpointBytes, LARGEST_FILE, saveInterval } from './save-pace.ts';
import { knownFacts, textFacts } from './text-facts.ts';

/** Milliseconds of quiet after a pause before it is saved: single steps come in rows. */
const QUIET = 250;
/**
 * Milliseconds after which the code of the store is asked for again, and those at most between two
 * times.
 */
const PATIENCE = 5_000;
const MOST_PATIENCE = 60_000;
/** A run is healthy while its smoothed loss is at most this many times its lowest. */
const HEALTHY = 1.15;
/** What is wrong when the code of the store did not come. */
const UNFETCHED = 'storage-fetch';
/** Where the id of the tab's run is kept. */
const TAB_KEY = 'run';
/** Where the lines beside it are. */
const EARLIER_KEY = 'earlier';
/** The number of a run that is read back to be looked at: the trainer's begin at 0, -1 is none. */
const FIRST_READ_BACK = -2;

export interface RunKeeperOptions {
  readonly session: () => Session | null;
  /** Something that a panel shows has changed. */
  readonly changed: () => void;
  /** Shows the text and probe of a run that is gone on with. */
  readonly show: (text: LoadedText, probe: string) => void;
  readonly probe: () => string;
  /** Reaches the script beside the trainer, in its worker; null without a worker. */
  readonly tellBeside: () => ((message: unknown) => void) | null;
}

/**
 * How much of the browser's room for this site is used, in bytes, and whether it may be cleared.
 */
export interface StorageUse {
  readonly used: number;
  readonly quota: number;
  readonly persisted: boolean;
}

/** A state of the run under way that is known to be good. */
export interface GoodState extends RunSave {
  readonly step: number;
  readonly text: KeptText;
  readonly preset: string;
  /** Its learning rate, before the schedule. */
  readonly rate: number;
}

export class RunKeeper {
  readonly #options: RunKeeperOptions;
  readonly #tab = randomId();
  #store: RunStore | null = null;
  /** Why there is no store; null as long as nothing has failed. */
  #refusal: GlasshouseError | null = null;
  /** The store is being opened. */
  #reaching: Promise<RunStore> | null = null;
  #patience = PATIENCE;
  #again: ReturnType<typeof setTimeout> | undefined;
  #destroyed = false;
  #records: readonly RunRecord[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #channel: BroadcastChannel | null = null;
  /** Null where no worker can save the run without the page. */
  #leaving: LeavingSaves | null = null;
  /** How often the page was about to be left. */
  #leaves = 0;
  /** The run under way, as the trainer counts runs; and its id in the store. */
  #number = -1;
  #id: string | null = null;
  #release: () => void = () => undefined;
  /** The run under way is being given an id. */
  #naming: Promise<void> | null = null;
  /** What the runs of this sitting are saved as, by their numbers. */
  readonly #ids = new Map<number, string>();
  /**
   * The lines beside the shown run as they were noted last; null until those of before are back.
   */
  #noted: readonly EarlierRun[] | null = null;
  #savedSince = false;
  /** What was saved last of it, "step state". */
  #saved = '';
  #saves = 0;
  #saving = false;
  /** Something is to be saved as soon as what is being saved is. */
  #hurries = false;
  /** The reader deleted the run under way: it is not saved behind the reader's back. */
  #muted = false;
  #cost = 0;
  #savedAt = 0;
  #lowest = Infinity;
  #told = new Set<string>();
  /** The run from a file that was looked for among those that are kept. */
  #lookedFor = -1;

  /** Whether the saved runs have been looked up. */
  ready = false;
  /** A run to resume; null without one, or once the reader has dismissed it. */
  offer: RunRecord | null = null;
  /** What went wrong last, until the reader has read it. */
  problem: ErrorFacts | null = null;
  /** The kept run that is the same as the one just opened from a file, until that trains on. */
  recognised: RunRecord | null = null;
  /** A deleted run that can still come back. */
  undo: RunRecord | null = null;
  good: GoodState | null = null;
  use: StorageUse | null = null;
  /** Ids of the runs that other tabs are working on. */
  elsewhere: ReadonlySet<string> = new Set();
  /** A saved run is being opened. */
  opening = false;

  constructor(options: RunKeeperOptions) {
    this.#options = options;
    document.addEventListener('visibilitychange', this.#onHide);
    addEventListener('beforeunload', this.#onLeave);
    addEventListener('pagehide', this.#onGone);
    addEventListener('online', this.#onOnline);
  }

  /** Saved runs, newest first. */
  get records(): readonly RunRecord[] {
    return visible(this.#records);
  }

  /** Id under which the run under way is saved, or will be; null while it has none. */
  get current(): string | null {
    return this.#id;
  }

  /** The name that the reader gave to a run, by its number here; empty for none. */
  nameOf(run: number): string {
    const id = this.#ids.get(run);
    return this.#records.find((one) => one.id === id)?.name ?? '';
  }

  /** Whether anything can be kept here; null while unknown. */
  get keeps(): boolean | null {
    if (this.#store !== null) return true;
    return this.ready && !this.isUnfetched ? false : null;
  }

  /** Whether the code of the store did not come: it is asked for again. */
  get isUnfetched(): boolean {
    return this.#store === null && this.#refusal?.code === UNFETCHED;
  }

  /** Milliseconds that the last save held training up. */
  get cost(): number {
    return this.#cost;
  }

  /** Opens the store and finds the run to offer. Call once, when there is a session. */
  async begin(): Promise<void> {
    try {
      await this.#reach();
    } catch (thrown) {
      // Without a store there is nothing to keep in; the first save that would be made says so.
      const { code } = asError(thrown);
      if (code !== 'storage-denied' && code !== UNFETCHED) this.#tell(thrown);
    } finally {
      this.ready = true;
      this.look();
      this.#options.changed();
    }
  }

  /** Looks at the run, which has changed, and saves it when that is due. */
  look(): void {
    this.#noteEarlier();
    const session = this.#options.session();
    const run = session?.run ?? null;
    if (!this.ready || this.opening || session === null || run === null) return;
    if (run.number !== this.#number) this.#leave(run.number);
    if (!session.isPreparing) this.#leaving?.run(this.#savedAsNow(session, run));
    const { step, state, history } = run;
    if (step === 0 || !session.trains || state === 'diverged') return;
    this.offer = null;
    this.#lowest = Math.min(this.#lowest, history.smoothedLast() ?? Infinity);
    if (this.#saving) return;
    clearTimeout(this.#timer);
    if (this.#saved === stampOf(run)) return;
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

  /** Saves the run as it is now. */
  async save(): Promise<void> {
    const session = this.#options.session();
    const run = session?.run ?? null;
    const facts = session === null ? null : factsOfRun(session);
    if (session === null || run === null || facts === null || this.#saving || this.#muted) return;
    if (run.number !== this.#number || run.step === 0) return;
    const size = sizeOf(session, run);
    if (size > LARGEST_FILE) {
      this.#tellOnce(failure('storage-large', 'the model is too large', [size]));
      return;
    }
    this.#saving = true;
    clearTimeout(this.#timer);
    try {
      // What hinders it is told below: the state of the run is good to have also where nothing is
      // kept.
      await this.#reach().catch(() => undefined);
      if (await this.#isKept(run, session, facts)) return;
      this.recognised = null;
      const leaves = this.#leaves;
      const point = await session.trainer.checkpoint(noteOf(facts));
      if (point.run !== this.#number || point.state === 'diverged') return;
      this.#cost = point.cost;
      this.#saved = stampOf(point);
      this.#remember(point, facts, run.history.smoothedLast());
      await this.#put(point, facts, run.history.smoothedLast() ?? null, leaves);
    } catch (thrown) {
      this.#tellOnce(thrown);
    } finally {
      this.#saving = false;
      this.#saves += 1;
      this.#savedAt = performance.now();
      this.#options.changed();
      // What happened meanwhile, a pause say, may be due already.
      this.look();
    }
  }

  /** Resumes a saved run. If that fails, nothing changes. */
  async open(id: string): Promise<void> {
    if (this.#store === null || this.opening) return;
    this.opening = true;
    this.problem = null;
    this.#options.changed();
    try {
      // Under way in another tab: here it goes on as a run of its own.
      const release = await holdRun(id);
      const stored = await this.#store.get(id, release !== null);
      if (stored === null) throw failure('run-gone', 'this run is not kept any more');
      const { source, fileName } = stored.record.text;
      const text = { source, fileName, content: stored.text };
      const { preset } = stored.record.recipe;
      const { number, save } = await this.#resume(stored.saves, preset, text);
      this.#adopt(number, release === null ? null : id, release);
      const { step, steps } = stored.record;
      // It is kept as it is already: looking at it makes it no newer.
      const resting = step >= steps ? 'finished' : 'paused';
      if (release !== null) this.#saved = stampOf({ step, state: resting });
      this.good = this.#goodAfter(save, text);
      if (stored.record.state === 'running') this.#options.session()?.start();
    } catch (thrown) {
      this.#tell(thrown);
    } finally {
      this.opening = false;
      this.offer = null;
      // In other tabs it is one that is open elsewhere from now on.
      this.#channel?.postMessage(null);
      await this.refresh();
    }
  }

  /** Back to the last good state of a run that diverged, with a gentler learning rate. */
  async goBack(): Promise<void> {
    const session = this.#options.session();
    const { good } = this;
    if (session === null || good === null || this.opening) return;
    this.opening = true;
    this.#options.changed();
    try {
      const now = session.runRecipe;
      const rate = gentlerRate(good, now === null ? good.rate : valueOf(session.table, now, 'lr'));
      this.#number = (await this.#resume([good], good.preset, good.text, rate)).number;
      this.#saved = '';
      this.#lowest = Infinity;
    } catch (thrown) {
      this.#tell(thrown);
    } finally {
      this.opening = false;
      this.#options.changed();
    }
  }

  /**
   * The learning rate with which `goBack` would go on; null when there is nothing to go back to.
   */
  get gentler(): number | null {
    const session = this.#options.session();
    const now = session?.runRecipe ?? null;
    if (session === null || now === null || this.good === null) return null;
    return gentlerRate(this.good, valueOf(session.table, now, 'lr'));
  }

  async dismissOffer(): Promise<void> {
    const { offer } = this;
    this.offer = null;
    this.#options.changed();
    if (offer !== null) await this.#change(offer.id, { dismissed: true });
  }

  dismissRecognised(): void {
    this.recognised = null;
    this.#options.changed();
  }

  dismissProblem(): void {
    this.problem = null;
    this.#options.changed();
  }

  async rename(id: string, name: string): Promise<void> {
    await this.#change(id, { name: name.trim() });
  }

  /** False when another tab works on the run: what it shows would be gone at its next reload. */
  async remove(id: string): Promise<boolean> {
    const record = this.#records.find((one) => one.id === id) ?? null;
    if (record === null) return false;
    // Asked now: the list is as old as the last word of another tab.
    if (id !== this.#id && (await heldRuns()).has(id)) {
      await this.refresh();
      return false;
    }
    if (id === this.#id) this.#muted = true;
    if (id === this.offer?.id) this.offer = null;
    if (id === this.recognised?.id) this.recognised = null;
    await this.#change(id, { deleted: true });
    this.undo = record;
    await this.#store?.purge(id).catch((thrown: unknown) => {
      this.#tell(thrown);
    });
    await this.refresh();
    return true;
  }

  async restore(): Promise<void> {
    const { undo } = this;
    this.undo = null;
    if (undo === null) return;
    if (undo.id === this.#id) this.#muted = false;
    await this.#change(undo.id, { deleted: false });
  }

  /** The newest checkpoint of a run, as a file. */
  async file(id: string): Promise<{ file: Blob; record: RunRecord } | null> {
    try {
      const stored = await this.#store?.get(id, false);
      const file = stored?.saves[0]?.file;
      return stored && file ? { file, record: stored.record } : null;
    } catch (thrown) {
      this.#tell(thrown);
      return null;
    }
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

  /** Reads the list and the room that is left anew. */
  async refresh(): Promise<void> {
    try {
      if (this.#store !== null) this.#records = await this.#store.list();
      this.use = await storageUse();
      const held = await heldRuns();
      if (this.#id !== null) held.delete(this.#id);
      this.elsewhere = held;
    } catch (thrown) {
      this.#tell(thrown);
    }
    this.#options.changed();
  }

  destroy(): void {
    this.#destroyed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#again);
    document.removeEventListener('visibilitychange', this.#onHide);
    removeEventListener('beforeunload', this.#onLeave);
    removeEventListener('pagehide', this.#onGone);
    removeEventListener('online', this.#onOnline);
    this.#channel?.close();
    this.#release();
    this.#store?.close();
  }

  // ---- The store --------------------------------------------------------------------------------

  /** Opens the store once; throws if the browser has none. */
  #reach(): Promise<RunStore> {
    if (this.#store !== null) return Promise.resolve(this.#store);
    // What has failed stays so until it is time to ask again.
    if (this.#refusal !== null) return Promise.reject(this.#refusal);
    this.#reaching ??= this.#open().finally(() => {
      this.#reaching = null;
    });
    return this.#reaching;
  }

  async #open(): Promise<RunStore> {
    const store = await this.#openStore();
    this.#store = store;
    // Nothing is wrong with the connection any more.
    if (this.#told.delete(UNFETCHED) && this.problem?.code === UNFETCHED) this.problem = null;
    if (this.#destroyed) {
      store.close();
      return store;
    }
    this.#listen();
    const tell = this.#options.tellBeside();
    if (tell !== null) this.#leaving = new LeavingSaves(tell, this.#tab);
    await store.purge(null);
    await this.#findOffer();
    void this.#restoreEarlier(store);
    return store;
  }

  async #openStore(): Promise<RunStore> {
    try {
      const script = await import('./run-store.ts').catch((thrown: unknown) => {
        throw failure(UNFETCHED, String(thrown));
      });
      return await script.RunStore.open(this.#tab);
    } catch (thrown) {
      this.#refusal = asError(thrown);
      if (this.isUnfetched && !this.#destroyed) {
        this.#again = setTimeout(() => void this.#askAgain(), this.#patience);
        this.#patience = Math.min(2 * this.#patience, MOST_PATIENCE);
      }
      throw this.#refusal;
    }
  }

  readonly #onOnline = (): void => {
    this.#patience = PATIENCE;
    void this.#askAgain();
  };

  /** Asks once more for what could not be fetched, and saves what has waited for it. */
  async #askAgain(): Promise<void> {
    clearTimeout(this.#again);
    if (!this.isUnfetched || this.#reaching !== null) return;
    this.#refusal = null;
    try {
      await this.#reach();
      if (!this.#saving) this.#saved = '';
      this.#lookedFor = -1;
      this.look();
    } catch (thrown) {
      // The next save says it, where it is the browser that refuses this time.
      if (this.#store !== null) this.#tell(thrown);
    }
    this.#options.changed();
  }

  // ---- Saving -----------------------------------------------------------------------------------

  readonly #onHide = (): void => {
    if (document.visibilityState === 'hidden') this.#saveNow();
    // A tab that was closed meanwhile said nothing of it.
    else if (this.ready) void this.refresh();
  };

  /**
   * The page is about to be left, but lives on until the next one answers, or for good when its
   * reader stays after all.
   */
  readonly #onLeave = (): void => {
    // What was ticked in the last frame is noted too.
    this.#noteEarlier();
    if (this.#leaving === null) this.#saveNow();
    else this.#askToSave(this.#leaving);
  };

  /**
   * The page is gone from the screen, and its worker will be the moment that this returns. Without
   * a worker it is too late: what the page itself writes now is not written any more.
   */
  readonly #onGone = (): void => {
    if (this.#leaving === null) this.#saveNow();
    else if (this.#askToSave(this.#leaving)) this.#leaving.wait();
  };

  /** Has the worker save what is not saved yet. False when there is nothing to save. */
  #askToSave(leaving: LeavingSaves): boolean {
    const run = this.#options.session()?.run;
    if (run === undefined || run === null || run.number !== this.#number) return false;
    // Of a run that goes on, the worker has steps that nobody was told of yet.
    if (run.state !== 'running' && this.#saved === stampOf(run)) return false;
    this.#leaves += 1;
    return leaving.ask();
  }

  /** Saves the run as it is now; one that is being saved, once more after that. */
  #saveNow(): void {
    const run = this.#options.session()?.run;
    if (run === undefined || run === null || this.#saved === stampOf(run)) return;
    this.#hurries = this.#saving;
    void this.save();
  }

  /** Another run is under way, which is saved as one of its own. */
  #leave(number: number): void {
    this.#adopt(number, null, null);
    this.good = null;
  }

  #adopt(number: number, id: string | null, release: (() => void) | null): void {
    this.#release();
    this.#release = release ?? ((): void => undefined);
    this.#number = number;
    this.#id = id;
    if (id !== null) this.#savedAs(number, id);
    this.#muted = false;
    this.#saved = '';
    this.recognised = null;
    this.#saves = 0;
    this.#savedAt = performance.now();
    this.#lowest = Infinity;
    clearTimeout(this.#timer);
    keep('tab', TAB_KEY, id);
  }

  async #put(
    point: Checkpoint,
    facts: RunFacts,
    loss: number | null,
    leaves: number,
  ): Promise<void> {
    const store = await this.#reach();
    const text = await textFacts(facts.text);
    const spared = await heldRuns();
    for (;;) {
      if (this.#id === null) await this.#giveId();
      const id = this.#id;
      // Another run has begun while the file was on its way.
      if (point.run !== this.#number) return;
      if (id === null) continue;
      // The worker has saved a later state by itself: that one stays the newest.
      if (leaves !== this.#leaves) {
        this.#saved = '';
        return;
      }
      const { state, step, steps, file, history } = point;
      const { recipe, tokensPerCharacter } = facts;
      const record = {
        ...{ id, updated: Date.now(), recipe, text, state, step, steps, loss },
        tokensPerCharacter,
      };
      const save = { file, history, probe: this.#options.probe() };
      if (await store.put(record, save, facts.text.content, spared)) {
        this.#savedAs(point.run, id);
        break;
      }
      // Another tab went on with it: from here on this is a run of its own.
      this.#id = null;
    }
    this.#channel?.postMessage(null);
    await this.refresh();
  }

  /** A run that goes on under the id of another one takes its place there. */
  #savedAs(number: number, id: string): void {
    for (const [other, saved] of this.#ids) if (saved === id) this.#ids.delete(other);
    this.#ids.set(number, id);
    this.#savedSince = true;
  }

  /** Gives the run under way an id, and the lock of it. */
  #giveId(): Promise<void> {
    const give = async (): Promise<void> => {
      const id = randomId();
      const number = this.#number;
      const release = await holdRun(id);
      if (number === this.#number) {
        this.#release();
        this.#release = release ?? ((): void => undefined);
        this.#id = id;
        keep('tab', TAB_KEY, id);
      } else {
        release?.();
      }
    };
    // Where it cannot be had, it is asked for anew.
    this.#naming ??= give().finally(() => {
      this.#naming = null;
    });
    return this.#naming;
  }

  /**
   * What the worker saves the run as when the page is left; null while that is not known, and for
   * runs that are not saved. What it takes to know it is begun here: the next look finds it.
   */
  #savedAsNow(session: Session, run: RunData): SavedAs | null {
    const facts = factsOfRun(session);
    if (facts === null || this.#muted || run.step === 0 || run.state === 'diverged') return null;
    if (sizeOf(session, run) > LARGEST_FILE) return null;
    // It may be kept already.
    const isFromFile = this.#id === null && session.runModel?.purpose === 'resume';
    if (isFromFile && this.#lookedFor !== run.number) return null;
    const text = knownFacts(facts.text);
    // What hinders it is told by the save that comes by itself.
    if (text === null) textFacts(facts.text).catch(() => undefined);
    if (this.#id === null) this.#giveId().catch(() => undefined);
    if (text === null || this.#id === null) return null;
    const { recipe, tokensPerCharacter } = facts;
    return {
      number: run.number,
      facts: { id: this.#id, recipe, text, tokensPerCharacter },
      note: noteOf(facts),
      text: facts.text.content,
      probe: this.#options.probe(),
      bytes: sizeOf(session, run),
    };
  }

  #remember(
    { file, history, step }: Checkpoint,
    { text, recipe, rate }: RunFacts,
    loss: number | undefined,
  ): void {
    if (loss === undefined || !(loss <= HEALTHY * this.#lowest)) return;
    const { preset } = recipe;
    this.good = { file, history, step, text, preset, rate, probe: this.#options.probe() };
  }

  /**
   * Whether a run that was opened from a file is kept already, as it is: a second copy of it would
   * be one too many. It is looked for once; training it further makes another run.
   */
  async #isKept(run: RunData, session: Session, facts: RunFacts): Promise<boolean> {
    if (this.#id !== null || session.runModel?.purpose !== 'resume') return false;
    if (this.#lookedFor === run.number) return false;
    this.#lookedFor = run.number;
    const { step } = run;
    const loss = run.history.smoothedLast() ?? null;
    const { key } = await textFacts(facts.text);
    // Equal steps on equal text with equal settings, down to the last bit of the loss.
    const same = this.records.find(
      (one) =>
        one.text.key === key &&
        one.step === step &&
        one.loss === loss &&
        differingOptions(session.table, one.recipe, facts.recipe).length === 0,
    );
    if (same === undefined || session.run !== run || run.step !== step) return false;
    this.recognised = same;
    this.#saved = stampOf(run);
    return true;
  }

  // ---- Lines beside the shown run ---------------------------------------------------------------

  /** Notes which runs lie beside the shown one, when that has changed. */
  #noteEarlier(): void {
    const session = this.#options.session();
    if (session === null || this.#noted === null) return;
    const runs = session.earlier.all;
    if (this.#noted === runs && !this.#savedSince) return;
    this.#noted = runs;
    this.#savedSince = false;
    const note = writeEarlier(
      runs,
      (number) => this.#ids.get(number),
      (text) => session.likeness(text),
      session.named === null ? null : session.likeness(session.named.textNumber),
    );
    keep('tab', EARLIER_KEY, note);
  }

  /** Reads the curves of the runs that lay beside the shown one before a reload, one by one. */
  async #restoreEarlier(store: RunStore): Promise<void> {
    const found = [];
    try {
      for (const [index, note] of readEarlier(recall('tab', EARLIER_KEY)).entries()) {
        await yieldTask();
        const kept = await store.history(note.saved);
        if (kept === null) continue;
        const number = FIRST_READ_BACK - index;
        const run = RunData.kept(number, kept.record.step, kept.history, note.changed);
        this.#ids.set(number, note.saved);
        found.push({ ...note, run, text: kept.record.text });
      }
    } catch {
      // A line that cannot be read is none; the runs themselves say what is wrong with them.
    }
    if (this.#destroyed) return;
    if (found.length > 0) this.#options.session()?.restoreEarlier(found);
    this.#noted = [];
    this.#noteEarlier();
  }

  // ---- Going on ---------------------------------------------------------------------------------

  /** What was read back is where a run that diverges later can go on from. */
  #goodAfter(save: RunSave, text: KeptText): GoodState | null {
    const session = this.#options.session();
    const facts = session === null ? null : factsOfRun(session);
    const step = session?.run?.step;
    if (facts === null || step === undefined) return null;
    return { ...save, step, text, preset: facts.recipe.preset, rate: facts.rate };
  }

  /**
   * Goes on with the first of these saves that can be read. Answers which, and the run's number.
   */
  async #resume(
    saves: readonly RunSave[],
    preset: string,
    text: KeptText,
    rate?: number,
  ): Promise<{ readonly number: number; readonly save: RunSave }> {
    const session = this.#options.session();
    if (session === null) throw failure('state', 'there is no engine yet');
    const loaded = await keptText(text);
    let error: unknown = failure('run-gone', 'this run is not kept any more');
    for (const save of saves) {
      const { file, history, probe } = save;
      // The engine takes the buffer over, and may have to read the text twice.
      const given = { ...loaded, bytes: loaded.bytes.slice() };
      try {
        const number = await session.resume({ file, history, preset, rate, text: given });
        this.#options.show(loaded, probe);
        return { number, save };
      } catch (thrown) {
        error = thrown;
      }
    }
    throw error;
  }

  async #findOffer(): Promise<void> {
    const own = recall('tab', TAB_KEY);
    const isHeld = own !== null && (await heldRuns()).has(own);
    // Read after that look: what a page that is gone had saved until then is in it.
    await this.refresh();
    if (!isHeld) {
      await this.#offerNewest(own);
      return;
    }
    // The page before a reload is not gone yet, and saves its run until it is: then that is
    // offered.
    void whenFree(own)
      .then(() => this.refresh())
      .then(() => this.#offerNewest(own));
  }

  /** Offers the run of this tab, or else the newest that no tab works on. */
  async #offerNewest(own: string | null): Promise<void> {
    const records = this.records.filter(({ dismissed }) => !dismissed);
    const held = await heldRuns();
    this.#offerRun(
      records.find(({ id }) => id === own) ?? records.find(({ id }) => !held.has(id)) ?? null,
    );
  }

  #offerRun(record: RunRecord | null): void {
    if (this.#destroyed || (this.#options.session()?.run?.step ?? 0) > 0) return;
    this.offer = record;
    this.#options.changed();
  }

  // ---- Telling ----------------------------------------------------------------------------------

  async #change(id: string, changes: Parameters<RunStore['change']>[1]): Promise<void> {
    try {
      await this.#store?.change(id, changes);
      this.#channel?.postMessage(null);
    } catch (thrown) {
      this.#tell(thrown);
    }
    await this.refresh();
  }

  /** Hears of what other tabs save and delete. */
  #listen(): void {
    this.#channel = openRunChannel();
    if (this.#channel !== null) this.#channel.onmessage = () => void this.refresh();
  }

  #tell(thrown: unknown): void {
    this.problem = asError(thrown);
    this.#options.changed();
  }

  /** Says what hinders every save once, not at every save. */
  #tellOnce(thrown: unknown): void {
    const { code } = asError(thrown);
    if (this.#told.has(code)) return;
    this.#told.add(code);
    this.#tell(thrown);
  }
}

/** What a save of the session's run needs to know of it; null when it cannot be saved. */
function factsOfRun(session: Session) {
  const { run, runRecipe: recipe, runText: text, table, trains } = session;
  if (run === null || recipe === null || text === null || !trains) return null;
  const tokensPerCharacter = session.tokensPerCharacter.train;
  return { recipe, text, rate: valueOf(table, recipe, 'lr'), tokensPerCharacter };
}

type RunFacts = NonNullable<ReturnType<typeof factsOfRun>>;

/** What a checkpoint says of its text. */
function noteOf({ text }: RunFacts): string {
  return JSON.stringify({ text: text.source });
}

/** About how many bytes a save of the run has. */
function sizeOf(session: Session, run: RunData): number {
  return checkpointBytes(session.runPlan?.parameters ?? 0, run.step);
}

/** By which a state of a run is known from its next one. */
function stampOf({ step, state }: Pick<RunData, 'step' | 'state'>): string {
  return `${String(step)} ${state}`;
}

/** Not above that of the good state, and well below the one that failed. */
function gentlerRate(good: GoodState, failed: number): number {
  return Number(Math.min(good.rate, failed / 10).toPrecision(6));
}

async function storageUse(): Promise<StorageUse | null> {
  try {
    const { usage = 0, quota = 0 } = await navigator.storage.estimate();
    return { used: usage, quota, persisted: await navigator.storage.persisted() };
  } catch {
    return null;
  }
}

/** What can be asked of it. */
export type Runs = Pick<RunKeeper, keyof RunKeeper>;
