/**
 * State and actions of an app: text, settings, session, saved runs, address. Draws nothing. Panels
 * read the state and call the actions; only the store and its parts write the state.
 */
import { signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import { failure, GlasshouseError, ignore } from '../engine/errors.ts';
import type { ErrorFacts } from '../engine/errors.ts';
import { checkValue, findOption, withChange } from '../engine/options.ts';
import type { OptionTable, Recipe } from '../engine/options.ts';
import type { Trainer } from '../engine/trainer.ts';
import { KEPT, SITE, TRACES } from '../base/form.ts';
import { permitted } from './actions.ts';
import type { PageActions } from './actions.ts';
import { makeActions } from './make-actions.ts';
import type { AddressStore } from './address/address-store.ts';
import { ADDRESS_PARAMS, PAGE_PARAMS, unknownParams } from './address/address-params.ts';
import type { Lesson } from './address/lesson.ts';
import {
  readAddress,
  isPlain,
  readRecipe,
  samePlace,
  writeAddress,
} from './address/page-settings.ts';
import { giftLines, withGift } from './address/gift.ts';
import type { Address } from './address/page-settings.ts';
import type { Fork } from './past/fork.ts';
import { OpenedFiles, sorting } from './opened-files.ts';
import { beginState, settingsOf } from './page-state.ts';
import type { PageState } from './page-state.ts';
import type { StartSecond } from './questions.ts';
import { NoRuns } from './runs/no-runs.ts';
import { RunKeeper } from './runs/run-keeper.ts';
import type { Runs } from './runs/run-keeper.ts';
import { OwnText } from './text/own-text.ts';
import { fileStore } from './text/reach-file-store.ts';
import { TextController } from './text/text-controller.ts';
import { TextSettings } from './text/text-settings.ts';
import { givenText } from './text/text-source.ts';
import type { LoadedText, SampleReader } from './text/text-source.ts';
import type { SourceId } from './text/texts.ts';
import { readStop } from './address/lesson.ts';
import { FirstRun } from './training/first-run.ts';
import { OpenedModelNote } from './training/opened-model-note.ts';
import { ProbeChoice } from './training/probe-choice.ts';
import { Session } from './training/session.ts';
import type { Change } from './training/session.ts';

export interface StoreOptions {
  readonly address: AddressStore;
  /** Reads a sample text by file name. */
  readonly readSample: SampleReader;
  /** Whether values may be kept for the next visit. */
  readonly keeps: boolean;
  /** The reader's own text, for addresses with `text=own`. */
  readonly text?: string | Uint8Array<ArrayBuffer> | undefined;
  /** Name of that text in its link or element. */
  readonly textName?: string | undefined;
  /** Why that text is missing; undefined if it is not. */
  readonly textError?: unknown;
  /** The current lesson. */
  readonly lesson: () => Lesson;
  /** Whether the recipe of the address belongs to a lesson. */
  readonly isLesson: boolean;
  /** Whether the app is the site's own page, whose address has no parameters of lessons. */
  readonly onSite: boolean;
  /** Content of the field until the first text is loaded. */
  readonly loading: string;
  /** Language for the address; null unless the reader chose it. */
  readonly lang: () => string | null;
  /** Called with the language of a new address, or null. */
  readonly onLang: (lang: string | null) => void;
  /** Called with the step at which a new address stops the run, or null. */
  readonly onStop: (step: number | null) => void;
  /** Called with link parameters or attributes that are unknown or invalid. */
  readonly onUnknownParams: (words: readonly string[]) => void;
  /** Offers a file to the reader as a download. */
  readonly download: (file: Blob, name: string) => void;
  /** Called when the text of the attention panel has changed. */
  readonly onProbe: () => void;
  /** Whether to slow down the first run in this browser, so that it can be watched. */
  readonly watches: () => boolean;
  /** Starts a second engine, which answers questions during training; null if not available. */
  readonly startSecond: StartSecond | null;
  /** Starts an engine that can restore snapshots; null if not available. */
  readonly startPast: StartSecond | null;
  /** Called after a change of the session or the lesson. */
  readonly ran: () => void;
}

export class Store {
  readonly state: PageState;
  readonly actions: PageActions;
  /** The actions without the locks of the lesson, for the host. */
  readonly #unlocked: PageActions;
  readonly runs: Runs;
  readonly #changes = signal(0);
  readonly #options: StoreOptions;
  readonly #text: TextController;
  readonly #files: OpenedFiles;
  readonly #settings: TextSettings;
  readonly #probe: ProbeChoice;
  readonly #modelNote: OpenedModelNote | null;
  readonly #unsubscribe: () => void;
  #session: Session | null = null;
  readonly #firstRun: FirstRun;
  #address: Address;
  /** The fragment last read or written. */
  #lastFragment: string;
  /** Text and recipe that the lines of a card in the link belong to; null before the first save. */
  #giftOf: string | null = null;
  /** True while a new address is applied, so that it is not written back. */
  #applyingAddress = false;
  /** The text to analyse if the reader typed it or the address names it; null otherwise. */
  #scoredByHand: string | null;

  constructor(options: StoreOptions) {
    this.#options = options;
    const { address, keeps, lesson } = options;
    const changed = (): void => this.update({});
    const session = (): Session | null => this.#session;
    this.#lastFragment = address.read();
    this.#address = readAddress(this.#lastFragment);
    const wasPlain = SITE && isPlain(this.#address);
    this.#scoredByHand = this.#address.params.get('scored');
    const own = new OwnText({
      given: options.text === undefined ? undefined : givenText(options.text, options.textName),
      keeps,
      openStore: fileStore,
      changed,
    });
    this.state = beginState(this.#address, own, options);
    const { state } = this;
    this.#modelNote = keeps ? new OpenedModelNote() : null;
    this.#settings = new TextSettings({
      state,
      session,
      keeps,
      changed,
      lesson,
      onSite: options.onSite,
      address: () => this.#address,
      setRecipe: (recipe) => this.#setRecipe(recipe, false),
    });
    this.#probe = new ProbeChoice(this.#address.params.get('probe'), {
      state,
      session,
      show: (text) => {
        this.update({ probe: text });
        options.onProbe();
      },
      onGivenUp: () => this.saveAddress(),
    });
    this.#text = new TextController({
      state,
      own,
      readSample: options.readSample,
      changed,
      onText: (text, coming) => {
        this.#settings.learn(text, coming);
        this.#probe.follow(text);
      },
      onFailure: () => {
        // If an earlier text is loaded, its run can still train.
        if (state.version === 0) this.#session?.failText(state.textError);
        this.saveAddress();
        this.tell();
      },
    });
    this.#files = new OpenedFiles({
      session,
      changed,
      lesson,
      textController: this.#text,
      source: () => this.#source,
      openRun: (file) => void this.runs.openFile(file),
      saveAddress: () => this.saveAddress(),
    });
    this.runs = KEPT
      ? new RunKeeper({
          session,
          changed,
          probe: () => state.probe,
          show: (text, probed) => this.#showOfRun(text, probed),
          readBytes: () => this.#text.readBytes(),
          readSample: options.readSample,
          openModel: (file) => this.#files.openModel([file]),
        })
      : new NoRuns();
    // Loads the text at once, while the engine is still loading.
    if (options.textError === undefined) this.#text.follow(this.#address.source);
    else this.#text.missOwn(options.textError);
    this.#firstRun = new FirstRun({
      state,
      onPace: (pace) => this.actions.onPace(pace),
      isWatched: () => {
        const { watches, onSite } = options;
        return watches() && onSite && keeps && wasPlain && this.runs.list.records.length === 0;
      },
    });
    this.#unlocked = makeActions({
      state,
      session,
      controller: this.#text,
      files: this.#files,
      settings: this.#settings,
      probe: this.#probe,
      runs: this.runs,
      keeps,
      download: options.download,
      start: () => this.start(),
      step: () => this.step(),
      update: (change) => this.update(change),
      saveAddress: () => this.saveAddress(),
      setRecipe: (recipe, typing) => this.#setRecipe(recipe, typing),
      showOfRun: (text, probed) => this.#showOfRun(text, probed),
      setScoredByHand: (text) => {
        this.#scoredByHand = text;
      },
    });
    this.actions = permitted(lesson, this.#unlocked);
    this.#unsubscribe = address.subscribe(() => this.#applyAddress());
  }

  /** The session; null until the engine is ready. */
  get session(): Session | null {
    return this.#session;
  }

  /**
   * Counter of changes of the state, the session and its run; views that read it are drawn again.
   */
  get changes(): ReadonlySignal<number> {
    return this.#changes;
  }

  update(change: Partial<PageState>): void {
    Object.assign(this.state, change);
    this.#changes.value = this.#changes.peek() + 1;
  }

  /** Resolves once `condition` holds, at once or after a change. */
  reaches(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.#changes.subscribe(() => {
        if (!condition()) return;
        resolve();
        // Subscribing calls at once, before `stop` is known.
        queueMicrotask(() => {
          stop();
        });
      });
    });
  }

  /** Reports a change of the session or the lesson. */
  tell(): void {
    this.update({});
    this.#options.ran();
  }

  /** Called when the engine is ready. */
  begin(trainer: Trainer, table: OptionTable, params: URLSearchParams | null): void {
    const { state } = this;
    const recipe = readRecipe(this.#address, table);
    const onChange = (what: Change): void => {
      if (this.#session === null) return;
      // Snapshots change nothing in the address.
      if (what === 'state') this.saveAddress();
      this.#modelNote?.look(session);
      this.#probe.suit();
      this.#firstRun.look(session);
      this.tell();
      this.runs.look();
    };
    const { startSecond, startPast } = this.#options;
    const session = new Session(trainer, table, recipe, onChange, startSecond, startPast);
    this.#session = session;
    this.#modelNote?.tell(session);
    if (this.#options.isLesson) session.giveLesson(recipe);
    session.pace(state.pace);
    this.tellUnknown(params ?? this.#address.params);
    this.#settings.begin(session);
    if (state.version === 0 && state.textError !== null) session.failText(state.textError);
    this.#files.begin();
  }

  destroy(): void {
    this.#unsubscribe();
    this.runs.destroy();
    this.#session = null;
  }

  /** Starts saving runs, where storage is allowed. */
  keep(): void {
    if (this.#options.keeps) void this.runs.begin();
  }

  /** Loads code in advance, so that later use needs no network. */
  preload(): void {
    sorting().catch(ignore);
    if (TRACES) {
      const past = [import('./past/looking-back.ts'), import('./past/fork.ts')];
      Promise.all([...past, import('./past/snapshot-store.ts')]).catch(ignore);
    }
    // Code of the file store, which saves files that are opened offline.
    if (this.#options.keeps) fileStore().catch(ignore);
  }

  /** Shows why a request was refused. */
  refuse(why: ErrorFacts): void {
    this.#text.refuse(why);
  }

  /** Reports unknown parameters of an address or of attributes. */
  tellUnknown(params: URLSearchParams): void {
    if (this.#session === null) return;
    const known = this.#options.onSite ? PAGE_PARAMS : ADDRESS_PARAMS;
    const unknown = unknownParams(params, this.#session.table, known);
    this.update({ unknownParams: unknown });
    if (unknown.length > 0) this.#options.onUnknownParams(unknown);
  }

  // ---- Commands of the page and of the host around it -------------------------------------------

  /** Trains to step `until`; see Session.start. */
  start(until?: number): void {
    this.#train((now) => {
      // A run with an error cannot start, so there is nothing to watch.
      if (now.error === null) this.#firstRun.begin();
      now.start(until);
    });
  }

  step(): void {
    this.#train((now) => {
      now.step();
    });
  }

  /**
   * Calls `act` once the requested text is loaded; at once if the run has made steps, because it
   * has a text.
   */
  #train(act: (now: Session) => void): void {
    const then = (): void => {
      if (this.#session !== null) act(this.#session);
    };
    if ((this.#session?.run?.step ?? 0) > 0) then();
    else this.#text.whenHere(then);
  }

  /**
   * Sets the training text for a host. Unlike a pasted text, it changes no settings unless the
   * address has `fit`.
   */
  giveText(text: string): void {
    this.#text.type(text, true);
    // The host's next call may apply the whole address again, so the address must name this text.
    this.saveAddress();
  }

  givePreset(preset: string): void {
    if (this.#session !== null && !this.#session.table.presets.includes(preset)) {
      throw failure('host-call', `there is no preset ${preset}`, [], preset);
    }
    this.#setOuterRecipe({ preset, changes: {} }, false);
    this.saveAddress();
  }

  giveOption(name: string, value: number): void {
    const session = this.#session;
    if (session === null) return;
    const option = findOption(session.table, name);
    if (option === undefined) throw failure('host-call', `there is no option ${name}`, [], name);
    const error = checkValue(option, value);
    if (error !== null) throw error;
    this.#setOuterRecipe(withChange(session.table, session.recipe, name, value), true);
    this.saveAddress();
  }

  /** Trains on from a step, for a host. */
  giveFork(fork: Fork): Promise<void> {
    return this.#unlocked.onFork(fork);
  }

  /** Opens a file for a host; rejects with the reason if that fails. */
  async openFile(file: File): Promise<void> {
    await this.#files.open([file]);
    await this.reaches(
      () => !this.#text.isLoading && !this.runs.opening && this.#session?.opening !== true,
    );
    const wrong = this.state.textError ?? this.#session?.modelError ?? this.runs.problems.last;
    if (wrong) throw new GlasshouseError(wrong);
  }

  // ---- Address ----------------------------------------------------------------------------------

  saveAddress(): void {
    const { address, lang } = this.#options;
    // An unread change of the address must not be overwritten.
    if (this.#session === null || this.#applyingAddress || address.read() !== this.#lastFragment)
      return;
    const { recipe, table } = this.#session;
    const { ask, pace, tab } = this.state;
    const settings = {
      lang: lang(),
      source: this.#source,
      recipe,
      ask,
      pace,
      tab,
      probe: this.#probe.chosen,
      scored: this.#scoredByHand,
    };
    const hash = this.#withGift(writeAddress(settings, table, address.read()), recipe);
    if (hash === address.read()) return;
    // A change of place adds a history entry; other changes, such as typing, do not.
    address.write(hash, !samePlace(address.read(), hash, table));
    this.#lastFragment = address.read();
  }

  /** Keeps the lines of a card in the address while they belong to text and settings. */
  #withGift(hash: string, recipe: Recipe): string {
    const { gift } = this.state;
    if (gift === '') return hash;
    const of = JSON.stringify([this.#source, recipe]);
    this.#giftOf ??= of;
    if (this.#giftOf === of) return withGift(hash, giftLines(gift));
    this.update({ gift: '' });
    return hash;
  }

  #applyAddress(): void {
    const { address: store, onSite, onLang, onStop } = this.#options;
    this.#lastFragment = store.read();
    const address = readAddress(this.#lastFragment);
    this.#address = address;
    this.#scoredByHand = address.params.get('scored');
    this.#applyingAddress = true;
    try {
      const gift = address.params.get('card') ?? '';
      this.#giftOf = null;
      this.update({ scored: this.#scoredByHand, gift, ...settingsOf(address) });
      if (address.source !== this.state.source) this.#text.follow(address.source);
      // Without an engine, `begin` reads these settings later.
      if (this.#session !== null) {
        if (onSite) this.tellUnknown(address.params);
        this.#session.pace(this.state.pace);
        this.#setOuterRecipe(readRecipe(address, this.#session.table), false);
      }
      this.#probe.choose(address.params.get('probe'));
      onLang(address.lang);
      if (onSite) onStop(readStop(address.params.get('stop')));
      this.update({});
    } finally {
      this.#applyingAddress = false;
    }
    this.saveAddress();
  }

  /**
   * Sets a recipe from the address or from a host. In a lesson, its changes count as the lesson's,
   * otherwise as the reader's.
   */
  #setOuterRecipe(recipe: Recipe, typing: boolean): void {
    if (this.#options.isLesson) this.#session?.giveRecipe(recipe, typing);
    else this.#session?.setRecipe(recipe, typing);
  }

  #setRecipe(recipe: Recipe, typing: boolean): void {
    this.#session?.setRecipe(recipe, typing);
    this.saveAddress();
  }

  // ---- Texts and models -------------------------------------------------------------------------

  get #source(): SourceId {
    return this.state.source as SourceId;
  }

  /** Shows text and probe of a resumed run. */
  #showOfRun(text: LoadedText, probed: string): void {
    this.#text.showOfRun(text);
    this.#settings.forget();
    this.#probe.take(probed, text);
    this.saveAddress();
  }
}
