/**
 * All that an app knows and may do, without a document: its text, settings, session, kept runs and
 * address. Panels read the state and call the actions; nothing else writes.
 */
import { failure, ignore } from '../engine/errors.ts';
import type { ErrorFacts } from '../engine/errors.ts';
import { checkValue, findOption, withChange } from '../engine/options.ts';
import type { OptionTable, Recipe } from '../engine/options.ts';
import type { Trainer } from '../engine/trainer.ts';
import { KEPT, TRACES } from '../base/form.ts';
import { permitted } from './actions.ts';
import type {
  LookActions,
  ModelActions,
  PageActions,
  RunActions,
  SettingsActions,
  TextActions,
} from './actions.ts';
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
import type { Address } from './address/page-settings.ts';
import { droppedFiles, OpenedFiles, sorting } from './opened-files.ts';
import { beginState, settingsOf } from './page-state.ts';
import type { PageState } from './page-state.ts';
import type { StartSecond } from './questions.ts';
import { NoRuns } from './runs/no-runs.ts';
import { RunKeeper } from './runs/run-keeper.ts';
import type { Runs } from './runs/run-keeper.ts';
import { OwnText } from './text/own-text.ts';
import { fileStore } from './text/reach-file-store.ts';
import { TextController } from './text/text-controller.ts';
import type { Coming } from './text/text-controller.ts';
import { TextSettings } from './text/text-settings.ts';
import { givenText } from './text/text-source.ts';
import type { LoadedText, SampleReader } from './text/text-source.ts';
import { findSample, noteOfText } from './text/texts.ts';
import type { SourceId } from './text/texts.ts';
import { keepLossChoice } from './training/loss-choice.ts';
import { readStop } from './address/lesson.ts';
import { keptSteps, nearestStep } from './timeline.ts';
import { FirstRun } from './training/first-run.ts';
import { saveName } from './training/model-files.ts';
import { OpenedModelNote } from './training/opened-model-note.ts';
import { ProbeChoice } from './training/probe-choice.ts';
import { givenRecipe, recipeOfPreset } from './training/wanted.ts';
import { Session } from './training/session.ts';
import type { Change } from './training/session.ts';
import { shownFile } from './training/shown-name.ts';

export interface StoreOptions {
  readonly address: AddressStore;
  /** The bytes of a sample text, by the name of its file. */
  readonly readSample: SampleReader;
  /** Whether small things may be kept for the next visit. */
  readonly keeps: boolean;
  /** The reader's own text to begin with, for addresses that say `text=own`. */
  readonly text?: string | Uint8Array<ArrayBuffer> | undefined;
  /** The name that its link or element gives to it. */
  readonly textName?: string | undefined;
  /** Why it is missing, if there should have been one. */
  readonly textError?: unknown;
  /** What a teacher decided, as it is now. */
  readonly lesson: () => Lesson;
  /** The recipe of the address is that of a lesson. */
  readonly isLesson: boolean;
  /** The app is the site's own page: its address has no parameters for other hosts. */
  readonly onSite: boolean;
  /** Stands in the field until the first text has come. */
  readonly loading: string;
  /** The language for the address; null if nobody chose one. */
  readonly lang: () => string | null;
  /** The address asks for this language, or for none. */
  readonly onLang: (lang: string | null) => void;
  /** Called with the parameters of an address or of attributes that mean nothing here. */
  /** The address names a step to go to, or none. */
  readonly onStop: (step: number | null) => void;
  readonly onUnknownParams: (words: readonly string[]) => void;
  /** Hands the reader a file. */
  readonly download: (file: Blob, name: string) => void;
  /** Another text is looked at for its attention. */
  readonly onProbe: () => void;
  /** Reaches the script beside the trainer, in its worker; null without a worker. */
  readonly tellBeside: () => ((message: unknown) => void) | null;
  /** Whether the first run in this browser is to be slowed down, so that it can be watched. */
  readonly watches: () => boolean;
  /** Something in the state has changed. */
  readonly changed: () => void;
  /** Starts a second engine, which answers questions while the first trains; null for none. */
  readonly startSecond: StartSecond | null;
  /** Starts one that can go back in a run; null for none. */
  readonly startPast: StartSecond | null;
  /** The session has changed. */
  readonly ran: (what: Change) => void;
}

export class Store {
  readonly state: PageState;
  readonly actions: PageActions;
  readonly runs: Runs;
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
  /** The fragment as it was last read or written. */
  #known: string;
  /** The address is being followed: what changes then comes from it. */
  #reading = false;
  /** A text that came before the engine. */
  #early: { readonly text: LoadedText; readonly coming: Coming } | null = null;
  /**
   * The text that was typed to be looked at token by token; null for none, or one from elsewhere.
   */
  #scoredByHand: string | null;

  constructor(options: StoreOptions) {
    this.#options = options;
    const { address, keeps, changed, lesson } = options;
    const session = (): Session | null => this.#session;
    this.#known = address.read();
    this.#address = readAddress(this.#known);
    const wasPlain = isPlain(this.#address);
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
      onText: (text, coming) => this.#takeText(text, coming),
      onFailure: () => {
        // Without a text of before, nothing can be resumed.
        if (state.version === 0) this.#session?.failText(state.textError);
        this.saveAddress();
        options.ran('all');
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
          tellBeside: options.tellBeside,
          probe: () => state.probe,
          show: (text, probed) => this.#showOfRun(text, probed),
          readBytes: () => this.#text.readBytes(),
          readSample: options.readSample,
          openModel: (file) => this.#files.openModel([file]),
        })
      : new NoRuns();
    // What has to come over the network sets out at once.
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
    this.actions = permitted(lesson, {
      ...this.#textActions(),
      ...this.#modelActions(),
      ...this.#settingsActions(),
      ...this.#runActions(),
      ...this.#lookActions(),
    });
    this.#unsubscribe = address.subscribe(() => this.#readAnew());
  }

  /** Null until the engine has started. */
  get session(): Session | null {
    return this.#session;
  }

  update(change: Partial<PageState>): void {
    Object.assign(this.state, change);
    this.#options.changed();
  }

  /** The engine is there. */
  begin(trainer: Trainer, table: OptionTable, params: URLSearchParams | null): void {
    const { state } = this;
    const recipe = readRecipe(this.#address, table);
    this.#settings.begin(recipe, table);
    const heard = (what: Change): void => {
      if (this.#session === null) return;
      if (what === 'all') {
        this.#modelNote?.look(session);
        this.saveAddress();
      }
      this.#probe.suit();
      this.#firstRun.look(session);
      this.#options.ran(what);
      this.runs.look();
    };
    const { startSecond, startPast } = this.#options;
    const session = new Session(trainer, table, recipe, heard, startSecond, startPast);
    this.#session = session;
    this.#modelNote?.tell(session);
    if (this.#options.isLesson) session.giveLesson(recipe);
    session.pace(state.pace);
    this.tellUnknown(params ?? this.#address.params);
    if (this.#early !== null) this.#settings.send(session, this.#early.text, this.#early.coming);
    else if (state.textError !== null) session.failText(state.textError);
    this.#early = null;
    this.#files.begin();
  }

  destroy(): void {
    this.#unsubscribe();
    this.runs.destroy();
    this.#session = null;
  }

  /** Begins to keep runs, where small things are kept. */
  keep(): void {
    if (this.#options.keeps) void this.runs.begin();
  }

  /** Fetches the code that is needed later, so that nothing is asked of the network then. */
  preload(): void {
    sorting().catch(ignore);
    if (TRACES) {
      const past = [import('./past/looking-back.ts'), import('./past/fork.ts')];
      Promise.all([...past, import('./past/snapshot-store.ts')]).catch(ignore);
    }
    // A file that is opened without a network is kept as well.
    if (this.#options.keeps) fileStore().catch(ignore);
  }

  /** Something was asked for that is not to be had. */
  refuse(why: ErrorFacts): void {
    this.#text.refuse(why);
  }

  /** Of these parameters of an address or of attributes, says which mean nothing here. */
  tellUnknown(params: URLSearchParams): void {
    if (this.#session === null) return;
    const known = this.#options.onSite ? PAGE_PARAMS : ADDRESS_PARAMS;
    const unknown = unknownParams(params, this.#session.table, known);
    this.state.unknownParams = unknown;
    if (unknown.length > 0) this.#options.onUnknownParams(unknown);
  }

  // ---- What a page around this one asks for, and the page itself --------------------------------

  start(): void {
    this.#train((now) => {
      // What cannot begin is nothing to watch.
      if (now.error === null) this.#firstRun.begin();
      now.start();
    });
  }

  step(): void {
    this.#train((now) => now.step());
  }

  /** A run begins with the text that was asked for, once that is here; later it has its own. */
  #train(act: (now: Session) => void): void {
    const then = (): void => {
      if (this.#session !== null) act(this.#session);
    };
    if ((this.#session?.run?.step ?? 0) > 0) then();
    else this.#text.whenHere(then);
  }

  /** Another text to learn, as if it had been pasted. */
  giveText(text: string): void {
    this.#text.type(text, true);
    // The address is read again at the next word from outside.
    this.saveAddress();
  }

  givePreset(preset: string): void {
    if (this.#session !== null && !this.#session.table.presets.includes(preset)) {
      throw failure('host-call', `there is no preset ${preset}`, [], preset);
    }
    this.#takeRecipe({ preset, changes: {} }, false);
    this.saveAddress();
  }

  giveOption(name: string, value: number): void {
    const session = this.#session;
    if (session === null) return;
    const option = findOption(session.table, name);
    if (option === undefined) throw failure('host-call', `there is no option ${name}`, [], name);
    const error = checkValue(option, value);
    if (error !== null) throw error;
    this.#takeRecipe(withChange(session.table, session.recipe, name, value), true);
    this.saveAddress();
  }

  // ---- Address ----------------------------------------------------------------------------------

  saveAddress(): void {
    const { address, lang } = this.#options;
    // An address that is not of our writing is about to be read.
    if (this.#session === null || this.#reading || address.read() !== this.#known) return;
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
    const hash = writeAddress(settings, table, address.read());
    if (hash === address.read()) return;
    // Another place is one to come back to; all else, typing above all, is not.
    address.write(hash, !samePlace(address.read(), hash, table));
    this.#known = address.read();
  }

  #readAnew(): void {
    const { address: store, onSite, onLang, onStop } = this.#options;
    this.#known = store.read();
    const address = readAddress(this.#known);
    this.#address = address;
    this.#scoredByHand = address.params.get('scored');
    this.#reading = true;
    try {
      this.update({ scored: this.#scoredByHand, ...settingsOf(address) });
      if (address.source !== this.state.source) this.#text.follow(address.source);
      // An engine that is on its way will begin with these settings.
      if (this.#session !== null) {
        if (onSite) this.tellUnknown(address.params);
        this.#session.pace(this.state.pace);
        this.#takeRecipe(readRecipe(address, this.#session.table), false);
      }
      this.#probe.choose(address.params.get('probe'));
      onLang(address.lang);
      if (onSite) onStop(readStop(address.params.get('stop')));
      this.#options.changed();
    } finally {
      this.#reading = false;
    }
    this.saveAddress();
  }

  /**
   * A recipe from outside: from the address, or from the page around. Where there is no lesson, the
   * address holds what the reader changed.
   */
  #takeRecipe(recipe: Recipe, typing: boolean): void {
    if (this.#options.isLesson) this.#session?.giveRecipe(recipe, typing);
    else this.#session?.setRecipe(recipe, typing);
  }

  /** What the address says is another from here on. */
  #set(change: Partial<PageState>): void {
    this.update(change);
    this.saveAddress();
  }

  #setRecipe(recipe: Recipe, typing: boolean): void {
    this.#session?.setRecipe(recipe, typing);
    this.saveAddress();
  }

  // ---- Texts and models -------------------------------------------------------------------------

  get #source(): SourceId {
    return this.state.source as SourceId;
  }

  /** The text and the probe of a run that is gone on with. */
  #showOfRun(text: LoadedText, probed: string): void {
    this.#text.showOfRun(text);
    this.#settings.forget();
    this.#probe.take(probed, text);
    this.saveAddress();
  }

  #takeText(text: LoadedText, coming: Coming): void {
    this.#settings.come(text, coming);
    if (this.#session === null) this.#early = { text, coming };
    else this.#settings.send(this.#session, text, coming);
    this.#probe.follow(text);
  }

  // ---- Actions ----------------------------------------------------------------------------------

  #textActions(): TextActions {
    const { state } = this;
    const textController = this.#text;
    const settings = this.#settings;
    return {
      onSource: (id) => {
        const from = state.source;
        textController.choose(id as SourceId);
        settings.follow(from, id);
        this.saveAddress();
      },
      onType: (text) => {
        state.brought = null;
        textController.type(text);
        this.saveAddress();
      },
      onFile: (file) => void this.#files.open([file]),
      onReadAs: (choice) => textController.readAs(choice),
      onDrop: (dropped) => void this.#files.open(droppedFiles(dropped)),
      onBringBack: () => {
        textController.bringBack();
        settings.exchange();
        this.saveAddress();
      },
      readText: (most) => textController.readText(most),
      readBytes: () => textController.readBytes(),
      onMend: (text) => {
        const back = textController.mend(text);
        this.saveAddress();
        return () => {
          back();
          this.saveAddress();
        };
      },
    };
  }

  #modelActions(): ModelActions {
    const { state } = this;
    return {
      onModel: (files) => this.#files.openModelOrRun(files),
      onPurpose: (purpose) => this.#session?.models.setPurpose(purpose),
      onClose: () => this.#session?.models.close(),
      onSave: (form) => {
        const note = noteOfText(state.source);
        state.saved = null;
        this.#session?.models.save(form, note, (file, run, step) => {
          const name = saveName(form, shownFile(this.#session, this.runs), step);
          state.saved = { name, run: run.number, step };
          this.#options.download(file, name);
        });
      },
    };
  }

  #settingsActions(): SettingsActions {
    const { state } = this;
    const settings = this.#settings;
    return {
      onPreset: (preset) => {
        const given = this.#session && recipeOfPreset(this.#session, preset);
        this.#setRecipe(given ?? { preset, changes: {} }, false);
      },
      onSuggestion: () => {
        const preset = findSample(state.source)?.preset;
        if (preset !== undefined) this.#setRecipe({ preset, changes: {} }, false);
      },
      onFit: () => settings.apply(),
      onFitUndo: () => settings.undo(),
      onFitKeep: () => settings.decline(),
      onReset: () => {
        if (this.#session !== null) this.#setRecipe(givenRecipe(this.#session), false);
      },
      onRecipe: (recipe) => this.#setRecipe(recipe, false),
      onOption: (name, value) => {
        if (this.#session === null) return;
        const { table, recipe } = this.#session;
        this.#setRecipe(withChange(table, recipe, name, value), true);
      },
      onTwin: (recipe) => this.#session?.tryTwin(recipe),
      onGentler: () => this.#session?.gentler(),
      onWayBack: () => void this.runs.goBack(),
    };
  }

  #runActions(): RunActions {
    return {
      onStart: () => this.start(),
      onStep: () => this.step(),
      onPace: (pace) => {
        this.#session?.pace(pace);
        this.#set({ pace });
      },
      onFork: async (fork) => {
        const session = this.#session;
        if (session === null) return;
        const { forkRun } = await import('./past/fork.ts');
        const isOtherText = session.pending().includes('text');
        const text = await forkRun(session, fork);
        if (isOtherText && text !== null) this.#showOfRun(text, this.state.probe);
      },
      onSlowedSeen: () => this.update({ slowed: null }),
    };
  }

  #lookActions(): LookActions {
    const { state } = this;
    return {
      onProbe: (text) => {
        if (text === null) this.#probe.choose(null);
        else this.#probe.type(text);
        this.saveAddress();
      },
      onHead: (head) => this.update({ head }),
      onWeightRead: (weightRead) => this.update({ weightRead }),
      onLookAt: (step) => {
        const session = this.#session;
        const run = session?.run ?? null;
        if (session === null || run === null) return;
        const reach = { step: run.step, keptSteps: keptSteps(run), firstStep: session.firstStep };
        const at = step === null ? null : nearestStep(step, reach);
        this.update({ lookedAt: at === null ? null : { run: run.number, step: at } });
        session.lookAt(at);
      },
      onScored: (scored, typed) => {
        this.#scoredByHand = typed ? scored : null;
        this.#set({ scored });
      },
      onLossChoice: (change) => {
        const lossChoice = { ...state.lossChoice, ...change };
        if (this.#options.keeps) keepLossChoice(lossChoice);
        this.update({ lossChoice });
      },
      onAskChange: (ask) => this.#set({ ask }),
      onTab: (tab) => {
        state.tab = tab;
        this.saveAddress();
      },
      onUnknownParamsSeen: () => this.update({ unknownParams: [] }),
    };
  }
}
