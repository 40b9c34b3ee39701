/**
 * Keeps the run of this tab: saves it as it goes, offers to go on with it after a reload or a
 * crash, and with any other that was kept. Knows no DOM but the page's visibility.
 */
import { asError, failure } from '../../engine/errors.ts';
import { differingOptions } from '../../engine/options.ts';
import type { Checkpoint } from '../../engine/trainer.ts';
import { rateOf } from '../training/current-run.ts';
import type { CurrentRun } from '../training/current-run.ts';
import type { RunData } from '../training/run-data.ts';
import type { Session } from '../training/session.ts';
import { keep, randomId, recall } from '../storage.ts';
import { keptText } from '../text/text-source.ts';
import type { KeptText, LoadedText } from '../text/text-source.ts';
import { EarlierLines } from './earlier-lines.ts';
import { GoodStates } from './good-state.ts';
import type { GoodState } from './good-state.ts';
import { LeavingSaves } from './leaving-saves.ts';
import type { SavedAs } from './leaving-saves.ts';
import { Problems } from './problems.ts';
import { RunList } from './run-list.ts';
import { heldRuns, holdRun, whenFree } from './run-lock.ts';
import type { RunFacts, RunRecord, RunSave } from './run-record.ts';
import type { RunStore } from './run-store.ts';
import { checkpointBytes, LARGEST_FILE, saveInterval } from './save-pace.ts';
import { StoreAccess, UNFETCHED } from './store-access.ts';

/** Milliseconds of quiet after a pause before it is saved: single steps come in rows. */
const QUIET = 250;
/** Where the id of the tab's run is kept. */
const TAB_KEY = 'run';

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

export class RunKeeper {
  readonly problems: Problems;
  readonly list: RunList;
  readonly #options: RunKeeperOptions;
  readonly #tab = randomId();
  readonly #access: StoreAccess;
  readonly #lines: EarlierLines;
  readonly #good = new GoodStates();
  #timer: ReturnType<typeof setTimeout> | undefined;
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
  /** The run from a file that was looked for among those that are kept. */
  #lookedFor = -1;

  /** Whether the saved runs have been looked up. */
  ready = false;
  /** A run to resume; null without one, or once the reader has dismissed it. */
  offer: RunRecord | null = null;
  /** The kept run that is the same as the one just opened from a file, until that trains on. */
  recognised: RunRecord | null = null;
  /** A saved run is being opened. */
  opening = false;

  constructor(options: RunKeeperOptions) {
    this.#options = options;
    const { session, changed } = options;
    this.problems = new Problems(changed);
    const tell = (thrown: unknown): void => {
      this.problems.tell(thrown);
    };
    this.#lines = new EarlierLines(session);
    this.list = new RunList({
      store: () => this.#access.store,
      current: () => this.#id,
      ...{ tell, changed },
    });
    this.#access = new StoreAccess({
      tab: this.#tab,
      opened: (store) => this.#begin(store),
      cameLate: () => {
        if (!this.#saving) this.#saved = '';
        this.#lookedFor = -1;
        this.look();
      },
      ...{ tell, changed },
    });
    document.addEventListener('visibilitychange', this.#onHide);
    addEventListener('beforeunload', this.#onLeave);
    addEventListener('pagehide', this.#onGone);
  }

  /** Id under which the run under way is saved, or will be; null while it has none. */
  get current(): string | null {
    return this.#id;
  }

  /** The name that the reader gave to a run, by its number here; empty for none. */
  nameOf(run: number): string {
    return this.list.find(this.#lines.idOf(run) ?? '')?.name ?? '';
  }

  /** Whether anything can be kept here; null while unknown. */
  get keeps(): boolean | null {
    if (this.#access.store !== null) return true;
    return this.ready && !this.isUnfetched ? false : null;
  }

  /** Whether the code of the store did not come: it is asked for again. */
  get isUnfetched(): boolean {
    return this.#access.isUnfetched;
  }

  /** Milliseconds that the last save held training up. */
  get cost(): number {
    return this.#cost;
  }

  /** A state of the run under way that is known to be good. */
  get good(): GoodState | null {
    return this.#good.last;
  }

  /** Opens the store and finds the run to offer. Call once, when there is a session. */
  async begin(): Promise<void> {
    try {
      await this.#access.reach();
    } catch (thrown) {
      // Without a store there is nothing to keep in; the first save that would be made says so.
      const { code } = asError(thrown);
      if (code !== 'storage-denied' && code !== UNFETCHED) this.problems.tell(thrown);
    } finally {
      this.ready = true;
      this.look();
      this.#options.changed();
    }
  }

  async #begin(store: RunStore): Promise<void> {
    // Nothing is wrong with the connection any more.
    this.problems.forget(UNFETCHED);
    this.list.listen();
    const tell = this.#options.tellBeside();
    if (tell !== null) this.#leaving = new LeavingSaves(tell, this.#tab);
    await store.purge(null);
    await this.#findOffer();
    void this.#lines.restore(store, () => this.#access.isDestroyed);
  }

  destroy(): void {
    clearTimeout(this.#timer);
    document.removeEventListener('visibilitychange', this.#onHide);
    removeEventListener('beforeunload', this.#onLeave);
    removeEventListener('pagehide', this.#onGone);
    this.list.destroy();
    this.#release();
    this.#access.destroy();
  }

  // ---- Saving -----------------------------------------------------------------------------------

  /** Looks at the run, which has changed, and saves it when that is due. */
  look(): void {
    this.#lines.note();
    const current = this.#options.session()?.current ?? null;
    if (!this.ready || this.opening || current === null) return;
    const { step, state, history, number } = current.data;
    // Another run is under way, which is saved as one of its own.
    if (number !== this.#number) {
      this.#adopt(number, null, null);
      this.#good.forget();
    }
    this.#leaving?.run(this.#savedAsNow(current));
    if (step === 0 || !current.info.trains || state === 'diverged') return;
    this.offer = null;
    this.#good.look(history.smoothedLast());
    if (this.#saving) return;
    clearTimeout(this.#timer);
    if (this.#saved === stampOf(current.data)) return;
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
    const current = session?.current ?? null;
    const facts = current === null ? null : factsOf(current);
    if (session === null || current === null || facts === null) return;
    const { number, step, history } = current.data;
    if (this.#saving || this.#muted || number !== this.#number || step === 0) return;
    const size = sizeOf(current);
    if (size > LARGEST_FILE) {
      this.problems.tellOnce(failure('storage-large', 'the model is too large', [size]));
      return;
    }
    this.#saving = true;
    clearTimeout(this.#timer);
    try {
      // What hinders it is told below: the state of the run is good to have also where nothing is
      // kept.
      await this.#access.reach().catch(() => undefined);
      // Another run has begun meanwhile.
      if (session.current?.data !== current.data) return;
      if (this.#isKept(current, session, facts)) return;
      this.recognised = null;
      const leaves = this.#leaves;
      const point = await session.trainer.checkpoint(noteOf(facts));
      if (point.run !== this.#number || point.state === 'diverged') return;
      this.#cost = point.cost;
      this.#saved = stampOf(point);
      this.#good.keep(point, session, current, this.#options.probe());
      await this.#put(point, { ...facts, loss: history.smoothedLast() ?? null }, leaves);
    } catch (thrown) {
      this.problems.tellOnce(thrown);
    } finally {
      this.#saving = false;
      this.#saves += 1;
      this.#savedAt = performance.now();
      this.#options.changed();
      // What happened meanwhile, a pause say, may be due already.
      this.look();
    }
  }

  async #put(
    point: Checkpoint,
    { content, ...facts }: SavedFacts & Pick<RunFacts, 'loss'>,
    leaves: number,
  ): Promise<void> {
    const store = await this.#access.reach();
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
      const record = { ...facts, id, updated: Date.now(), state, step, steps };
      const save = { file, history, probe: this.#options.probe() };
      if (await store.put(record, save, content, spared)) {
        this.#lines.savedAs(point.run, id);
        break;
      }
      // Another tab went on with it: from here on this is a run of its own.
      this.#id = null;
    }
    this.list.announce();
    await this.list.refresh();
  }

  readonly #onHide = (): void => {
    if (document.visibilityState === 'hidden') this.#saveNow();
    // A tab that was closed meanwhile said nothing of it.
    else if (this.ready) void this.list.refresh();
  };

  /**
   * The page is about to be left, but lives on until the next one answers, or for good when its
   * reader stays after all.
   */
  readonly #onLeave = (): void => {
    // What was ticked in the last frame is noted too.
    this.#lines.note();
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
    const run = this.#options.session()?.run ?? null;
    if (run === null || run.number !== this.#number) return false;
    // Of a run that goes on, the worker has steps that nobody was told of yet.
    if (run.state !== 'running' && this.#saved === stampOf(run)) return false;
    this.#leaves += 1;
    return leaving.ask();
  }

  /** Saves the run as it is now; one that is being saved, once more after that. */
  #saveNow(): void {
    const run = this.#options.session()?.run ?? null;
    if (run === null || this.#saved === stampOf(run)) return;
    this.#hurries = this.#saving;
    void this.save();
  }

  /** The run under way is saved under this id from now on; null for a new one. */
  #adopt(number: number, id: string | null, release: (() => void) | null): void {
    this.#release();
    this.#release = release ?? ((): void => undefined);
    this.#number = number;
    this.#id = id;
    if (id !== null) this.#lines.savedAs(number, id);
    this.#muted = false;
    this.#saved = '';
    this.recognised = null;
    this.#saves = 0;
    this.#savedAt = performance.now();
    this.#good.begin();
    clearTimeout(this.#timer);
    keep('tab', TAB_KEY, id);
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
  #savedAsNow(current: CurrentRun): SavedAs | null {
    const known = factsOf(current);
    const { number, step, state } = current.data;
    if (known === null || this.#muted || step === 0 || state === 'diverged') return null;
    const bytes = sizeOf(current);
    if (bytes > LARGEST_FILE) return null;
    // It may be kept already.
    const isFromFile = this.#id === null && current.model?.purpose === 'resume';
    if (isFromFile && this.#lookedFor !== number) return null;
    if (this.#id === null) this.#giveId().catch(() => undefined);
    if (this.#id === null) return null;
    const { content: text, ...facts } = known;
    const probe = this.#options.probe();
    return { number, facts: { id: this.#id, ...facts }, note: noteOf(known), text, probe, bytes };
  }

  /**
   * Whether a run that was opened from a file is kept already, as it is: a second copy of it would
   * be one too many. It is looked for once; training it further makes another run.
   */
  #isKept({ data, model }: CurrentRun, { table }: Session, { text, recipe }: SavedFacts): boolean {
    if (this.#id !== null || model?.purpose !== 'resume') return false;
    if (this.#lookedFor === data.number) return false;
    this.#lookedFor = data.number;
    const loss = data.history.smoothedLast() ?? null;
    // Equal steps on equal text with equal settings, down to the last bit of the loss.
    const same = this.list.records.find(
      (one) =>
        one.text.key === text.key &&
        one.step === data.step &&
        one.loss === loss &&
        differingOptions(table, one.recipe, recipe).length === 0,
    );
    if (same === undefined) return false;
    this.recognised = same;
    this.#saved = stampOf(data);
    return true;
  }

  // ---- Going on ---------------------------------------------------------------------------------

  /** Resumes a saved run. If that fails, nothing changes. */
  async open(id: string): Promise<void> {
    const { store } = this.#access;
    if (store === null || this.opening) return;
    this.opening = true;
    this.problems.dismiss();
    try {
      // Under way in another tab: here it goes on as a run of its own.
      const release = await holdRun(id);
      const stored = await store.get(id, release !== null);
      if (stored === null) throw failure('run-gone', 'this run is not kept any more');
      const { record } = stored;
      const { source, fileName } = record.text;
      const text = { source, fileName, content: stored.text };
      const { session, current, save } = await this.#resume(stored.saves, record.recipe.preset, text); // prettier-ignore
      this.#adopt(current.data.number, release === null ? null : id, release);
      // It is kept as it is already: looking at it makes it no newer.
      const resting = record.step >= record.steps ? 'finished' : 'paused';
      if (release !== null) this.#saved = stampOf({ step: record.step, state: resting });
      this.#good.put(save, current.data.step, session, current);
      if (record.state === 'running') session.start();
    } catch (thrown) {
      this.problems.tell(thrown);
    } finally {
      this.opening = false;
      this.offer = null;
      // In other tabs it is one that is open elsewhere from now on.
      this.list.announce();
      await this.list.refresh();
    }
  }

  /** Back to the last good state of a run that diverged, with a gentler learning rate. */
  async goBack(): Promise<void> {
    const { good, gentler } = this;
    if (good === null || gentler === null || this.opening) return;
    this.opening = true;
    this.#options.changed();
    try {
      const { current } = await this.#resume([good], good.preset, good.text, gentler);
      this.#number = current.data.number;
      this.#saved = '';
      this.#good.begin();
    } catch (thrown) {
      this.problems.tell(thrown);
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
    if (session === null || session.current === null) return null;
    return this.#good.gentler(rateOf(session.current, session.table));
  }

  /** Goes on with the first of these saves that can be read. Answers which, and the run. */
  async #resume(
    saves: readonly RunSave[],
    preset: string,
    text: KeptText,
    rate?: number,
  ): Promise<{
    readonly session: Session;
    readonly current: CurrentRun;
    readonly save: RunSave;
  }> {
    const session = this.#options.session();
    if (session === null) throw failure('state', 'there is no engine yet');
    const loaded = await keptText(text);
    let error: unknown = failure('run-gone', 'this run is not kept any more');
    for (const save of saves) {
      const { file, history, probe } = save;
      // The engine takes the buffer over, and may have to read the text twice.
      const given = { ...loaded, bytes: loaded.bytes.slice() };
      try {
        const current = await session.models.resume({ file, history, preset, rate, text: given });
        this.#options.show(loaded, probe);
        return { session, current, save };
      } catch (thrown) {
        error = thrown;
      }
    }
    throw error;
  }

  // ---- What is offered, and what the reader does with the list ----------------------------------

  async #findOffer(): Promise<void> {
    const own = recall('tab', TAB_KEY);
    const isHeld = own !== null && (await heldRuns()).has(own);
    // Read after that look: what a page that is gone had saved until then is in it.
    await this.list.refresh();
    if (!isHeld) {
      await this.#offerNewest(own);
      return;
    }
    // The page before a reload is not gone yet, and saves its run until it is: then that is
    // offered.
    void whenFree(own)
      .then(() => this.list.refresh())
      .then(() => this.#offerNewest(own));
  }

  /** Offers the run of this tab, or else the newest that no tab works on. */
  async #offerNewest(own: string | null): Promise<void> {
    const records = this.list.records.filter(({ dismissed }) => !dismissed);
    const held = await heldRuns();
    const isBegun = (this.#options.session()?.run?.step ?? 0) > 0;
    if (this.#access.isDestroyed || isBegun) return;
    const ours = records.find(({ id }) => id === own);
    this.offer = ours ?? records.find(({ id }) => !held.has(id)) ?? null;
    this.#options.changed();
  }

  async dismissOffer(): Promise<void> {
    const { offer } = this;
    this.offer = null;
    this.#options.changed();
    if (offer !== null) await this.list.change(offer.id, { dismissed: true });
  }

  dismissRecognised(): void {
    this.recognised = null;
    this.#options.changed();
  }

  /** False when another tab works on the run: what it shows would be gone at its next reload. */
  async remove(id: string): Promise<boolean> {
    const record = this.list.find(id);
    if (record === null) return false;
    // Asked now: the list is as old as the last word of another tab.
    if (id !== this.#id && (await heldRuns()).has(id)) {
      await this.list.refresh();
      return false;
    }
    if (id === this.#id) this.#muted = true;
    if (id === this.offer?.id) this.offer = null;
    if (id === this.recognised?.id) this.recognised = null;
    await this.list.remove(record);
    return true;
  }

  /** Brings back what was deleted last. */
  async restore(): Promise<void> {
    if (this.list.undo?.id === this.#id) this.#muted = false;
    await this.list.restore();
  }
}

/** What a save says of a run, and the text to keep with it; null if it cannot be saved. */
function factsOf({ recipe, text, tokensPerCharacter, info }: CurrentRun) {
  if (text === null || !info.trains) return null;
  const { key, source, fileName, content } = text;
  const facts = { key, source, fileName, bytes: content.size };
  return { recipe, text: facts, tokensPerCharacter: tokensPerCharacter.train, content };
}

type SavedFacts = NonNullable<ReturnType<typeof factsOf>>;

/** What a checkpoint says of its text. */
function noteOf({ text }: SavedFacts): string {
  return JSON.stringify({ text: text.source });
}

/** About how many bytes a save of the run has. */
function sizeOf({ plan, data }: CurrentRun): number {
  return checkpointBytes(plan.parameters, data.step);
}

/** By which a state of a run is known from its next one. */
function stampOf({ step, state }: Pick<RunData, 'step' | 'state'>): string {
  return `${String(step)} ${state}`;
}

/** What panels may read of the list, and do with it. */
type ShownList =
  'records' | 'undo' | 'use' | 'elsewhere' | 'rename' | 'file' | 'persist' | 'refresh';

/** What can be asked of it. */
export type Runs = Pick<RunKeeper, Exclude<keyof RunKeeper, 'list' | 'problems'>> & {
  readonly list: Pick<RunList, ShownList>;
  readonly problems: Pick<Problems, 'last' | 'dismiss'>;
};
