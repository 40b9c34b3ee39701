/**
 * The app: reads the address, starts the engine, and ties the panels and the session together.
 */
import type { CreatedTrainer } from '../engine/create.ts';
import { asError, factsOf, failure } from '../engine/errors.ts';
import { checkValue, findOption, valueOf, withChange } from '../engine/options.ts';
import type { OptionTable, Recipe } from '../engine/options.ts';
import type { Purpose, SaveForm } from '../engine/trainer.ts';
import { LANG_TAGS, LANGS, chooseLang, hasAllWords, loadAllWords, wordsOf } from '../i18n/index.ts';
import type { Lang, Words } from '../i18n/index.ts';
import type { AddressStore } from '../store/address/address-store.ts';
import { preloadCloser } from './closer.ts';
import type { FileStore } from '../store/text/file-store.ts';
import { Fitting } from '../store/text/fitting.ts';
import { preloadGlossary } from '../instruments/glossary/glossary.ts';
import { buildLayout } from './layout.ts';
import { createKept } from '../kit/kept.ts';
import { FREE, canChange, isOn, samePanels, shows } from '../store/address/lesson.ts';
import { CLOSER } from './panels.ts';
import type { Lesson } from '../store/address/lesson.ts';
import { keepLossChoice, recallLossChoice } from '../store/training/loss-choice.ts';
import { idle } from '../kit/idle.ts';
import { watchSight } from '../kit/in-sight.ts';
import type { Sight } from '../kit/in-sight.ts';
import { needsOtherText } from '../store/messages.ts';
import {
  droppedFiles,
  kindOf,
  saveName,
  sortModel,
  textAmong,
} from '../store/training/model-files.ts';
import { download } from '../kit/download.ts';
import { PLAIN_CHOICE } from '../data/loss-data.ts';
import { OpenedModelNote } from '../store/training/opened-model.ts';
import { OwnText } from '../store/text/own-text.ts';
import { Page } from './page.ts';
import { ADDRESS_WORDS, PAGE_WORDS, strangeWords } from '../store/address/address-words.ts';
import { watchDeployment } from './deployment.ts';
import { placeText } from './place-note.ts';
import type { PageActions, PageState } from '../instruments/panel.ts';
import { PROBE_TOKENS, ProbeChoice } from '../instruments/attention/probe-choice.ts';
import { NoRuns } from '../store/runs/no-runs.ts';
import { RunKeeper } from '../store/runs/run-keeper.ts';
import type { Runs } from '../store/runs/run-keeper.ts';
import { KEPT } from '../base/form.ts';
import { Session, isSettled } from '../store/training/session.ts';
import type { ChooseFit } from '../store/training/session.ts';
import { shownFile } from '../store/training/shown-name.ts';
import { stripState } from '../store/training/strip-state.ts';
import type { App, Status } from '../store/remote.ts';
import {
  namesSettings,
  readAddress,
  readAsk,
  readCloser,
  readPace,
  readRecipe,
  samePlace,
  writeAddress,
} from '../store/address/page-settings.ts';
import { tabId } from '../store/storage.ts';
import { isDark, onSystemTheme } from './theme.ts';
import { SuitedRecipe } from '../store/text/suited-recipe.ts';
import { TextDesk } from './text-desk.ts';
import type { Coming } from './text-desk.ts';
import { givenText, isBlank } from '../store/text/text-source.ts';
import type { LoadedText, SampleReader } from '../store/text/text-source.ts';
import { findSample, SAMPLE_TEXTS } from '../store/text/texts.ts';
import type { SampleText, SourceId } from '../store/text/texts.ts';

/** Texts that are written at each chosen step, and how long they may be. */
const LIVE_SAMPLES = { count: 6, maxTokens: 120 };

export interface AppOptions {
  /** Starts the engine. */
  readonly startEngine: () => Promise<CreatedTrainer>;
  /** Starts another one beside it; left out where there is to be only one. */
  readonly startTrial?: () => Promise<CreatedTrainer>;
  /** The bytes of a sample text, by the name of its file. */
  readonly readSample: SampleReader;
  /** The sample texts to choose from; all of them when left out. */
  readonly samples?: readonly SampleText[];
  /**
   * Address of the site's folder, for links to its documentation; without it the links are left
   * out.
   */
  readonly site?: string | null;
  readonly address: AddressStore;
  /** The element that bears `data-theme`; the app's language is set on it too. */
  readonly root: HTMLElement;
  /** What surrounds the app follows its language and what it says. */
  readonly onWords?: (words: Words, app: Chrome) => void;
  /** Called once, when there is nothing better to do. */
  readonly onReady?: () => void;
  /** Where training happens, as a sentence for a quiet place; empty for nothing to say. */
  readonly onPlace?: (text: string) => void;
  /** Called with the words of an address or of attributes that mean nothing here. */
  readonly onStrange?: (words: readonly string[]) => void;
  /** Whether small things may be kept for the next visit. */
  readonly keeps?: boolean;
  /** The reader's own text to begin with, for addresses that say `text=own`. */
  readonly text?: string | Uint8Array<ArrayBuffer>;
  /** Why it is missing, if there should have been one. */
  readonly textError?: unknown;
  readonly lesson?: Lesson;
  /**
   * Address of the site's folder, where the app is its page: lessons can then be shared from here.
   */
  readonly home?: string;
}

/** What surrounds an app may ask of it. */
export interface Chrome {
  readonly setLang: (lang: Lang) => void;
  /** Begins the tour. */
  readonly showAround: () => void;
  /** Light became dark, or the other way round. */
  readonly recolour: () => void;
  /** Other panels, locks or words of the task, by these words of an address; the run goes on. */
  readonly setLesson: (lesson: Lesson, words: URLSearchParams) => void;
}

/** Starts the app in `main`, which it fills. The catalogue of its language must be here. */
export function createApp(main: HTMLElement, options: AppOptions): App {
  const { root, keeps = true, samples = SAMPLE_TEXTS } = options;
  let lesson: Lesson = { ...(options.lesson ?? FREE) };
  let layout = buildLayout(main, lesson);
  let address = readAddress(options.address.read());
  let langChosen = address.lang !== null;
  let lang: Lang = chooseLang(address.lang, navigator.languages);
  let words: Words = wordsOf(lang);
  let session: Session | null = null;
  let place_: 'worker' | 'page' = 'worker';
  let tellBeside: CreatedTrainer['tellBeside'] = null;
  const own = new OwnText({
    given: options.text instanceof Uint8Array ? givenText(options.text) : options.text,
    ...{ keeps, openStore: fileStore },
    changed: () => page?.update(),
  });
  /**
   * The text that was typed to be looked at token by token; null for none, or one from elsewhere.
   */
  let scoredByHand = address.params.get('scored');
  /** The address is being followed: what changes then comes from it. */
  let reading = false;
  /** The fragment as it was last read or written. */
  let known = options.address.read();
  /** A text that came before the engine. */
  let held: { readonly text: LoadedText; readonly coming: Coming } | null = null;
  /** And a model. */
  let heldModel: readonly File[] | null = null;
  /** Places that show attention. */
  let attentionSights: readonly Sight[] = [];
  let autostart = lesson.autostart;
  /** The words of the lesson, as they were said last; null for those of the address. */
  let said: URLSearchParams | null = null;
  const onSite = options.home !== undefined;
  /** Whether what is for later was asked for. */
  let asked = false;
  let destroyed = false;
  /** What was asked for before there was an engine. */
  const early: (() => void)[] = [];
  const kept = createKept();
  const listeners = new Set<(status: Status) => void>();
  const undo: (() => void)[] = [];
  /** Null only until everything that comes over the network has set out. */
  let page: Page | null = null;

  const state: PageState = {
    source: address.source,
    shown: words.t('text.loading'),
    readOnly: true,
    fileName: '',
    fileSize: 0,
    reading: null,
    version: 0,
    textError: null,
    own,
    fitNotice: null,
    loadError: null,
    strangeWords: [],
    isReplaced: false,
    brought: null,
    probe: address.params.get('probe') ?? findSample(address.source)?.probe ?? '',
    saved: null,
    head: { layer: 0, head: 0 },
    weightRead: '',
    lookBack: null,
    scored: scoredByHand,
    ask: readAsk(address),
    pace: readPace(address),
    lossChoice: keeps ? recallLossChoice() : PLAIN_CHOICE,
    closer: readCloser(address),
  };

  const openedModel = keeps ? new OpenedModelNote() : null;
  const suited = new SuitedRecipe();
  const fitting = new Fitting({ keeps, isAllowed: () => canChange(lesson, 'settings') });
  const probe = new ProbeChoice(address.params.get('probe'), {
    state,
    session: () => session,
    show: showProbe,
    onGivenUp: saveAddress,
  });

  const desk = new TextDesk({
    ...{ state, own, readSample: options.readSample },
    onText: (text, coming) => {
      // What is said stays until the new text has been looked at, so that nothing moves meanwhile.
      if (coming === 'given' || text.bytes.length === 0 || isBlank(text)) forgetFit();
      else if (coming === 'put') fitting.renew();
      if (session === null) held = { text, coming };
      else sendText(session, text, coming);
      probe.follow(text);
    },
    onFailure: () => {
      // Without a text of before, nothing can be resumed.
      if (state.version === 0) session?.failText(state.textError);
      saveAddress();
      askForRest();
    },
    changed: () => page?.update(),
  });

  const runs: Runs = KEPT
    ? new RunKeeper({
        session: () => session,
        changed: () => page?.update(),
        show: (text, probed) => {
          desk.showOfRun(text);
          forgetFit();
          probe.take(probed, text);
          saveAddress();
        },
        probe: () => state.probe,
        tellBeside: () => tellBeside,
      })
    : new NoRuns();

  // Everything that has to come over the network sets out at once.
  const starting = options.startEngine();
  if (options.textError === undefined) desk.follow(address.source);
  else desk.missOwn(options.textError);

  const all: PageActions = {
    onSource: (id: string) => {
      const from = state.source;
      desk.choose(id as SourceId);
      bringRecipe((wanted) => suited.follow(from, id, wanted, isByHand(wanted)));
      saveAddress();
    },
    onType: (text: string) => {
      state.brought = null;
      desk.type(text);
      saveAddress();
    },
    onFile: (file: File) => void openFiles([file]),
    onReadAs: (choice) => {
      desk.readAs(choice);
    },
    onDrop: (dropped: DataTransfer) => void openFiles(droppedFiles(dropped)),
    onModel: openModel,
    onPurpose: (purpose: Purpose) => session?.setPurpose(purpose),
    onClose: () => session?.closeModel(),
    onSave: (form: SaveForm) => {
      const note = JSON.stringify({ text: state.source });
      state.saved = null;
      session?.save(form, note, (file, run) => {
        const name = saveName(form, shownFile(session, runs), run.step);
        state.saved = { name, run: run.number, step: run.step };
        download(file, name);
      });
    },
    onPreset: (preset: string) => {
      setRecipe(session?.recipeOfPreset(preset) ?? { preset, changes: {} }, false);
    },
    onReset: () => {
      if (session !== null) setRecipe(session.givenRecipe, false);
    },
    onBringBack: () => {
      desk.bringBack();
      bringRecipe((wanted) => suited.exchange(wanted));
      saveAddress();
    },
    onSuggestion: () => {
      const preset = findSample(state.source)?.preset;
      if (preset !== undefined) setRecipe({ preset, changes: {} }, false);
    },
    onRecipe: (recipe: Recipe) => {
      setRecipe(recipe, false);
    },
    onFit: () => {
      const now = session;
      now?.fit((fit) => fitted(fitting.apply(fit, now.recipe)));
    },
    onFitUndo: () => {
      if (fitting.notice !== null) setRecipe(fitted(fitting.undo(fitting.notice)), false);
    },
    onFitKeep: () => {
      fitting.decline();
      fitted(null);
      page?.update();
    },
    readText: (most) => desk.readText(most),
    readBytes: () => desk.readBytes(),
    onMend: (text: string) => {
      const back = desk.mend(text);
      saveAddress();
      return () => {
        back();
        saveAddress();
      };
    },
    onOption: (name: string, value: number) => {
      if (session === null) return;
      setRecipe(withChange(session.table, session.recipe, name, value), true);
    },
    onProbe: (text: string | null) => {
      if (text === null) probe.choose(null);
      else probe.type(text);
      saveAddress();
    },
    onWeightRead: (sentence) => {
      state.weightRead = sentence;
      page?.update();
    },
    onHead: (place) => {
      state.head = place;
      page?.update();
    },
    onLookBack: (place) => {
      state.lookBack = place;
      page?.update();
    },
    onScored: (text: string, typed: boolean) => {
      state.scored = text;
      scoredByHand = typed ? text : null;
      saveAddress();
    },
    onPace: (stepsPerSecond: number) => {
      state.pace = stepsPerSecond;
      session?.pace(stepsPerSecond);
      page?.update();
      saveAddress();
    },
    onLossChoice: (change) => {
      state.lossChoice = { ...state.lossChoice, ...change };
      if (keeps) keepLossChoice(state.lossChoice);
      page?.update();
    },
    onAskChange: (ask: PageState['ask']) => {
      state.ask = ask;
      saveAddress();
      page?.update();
    },
    onCloser: (panel: string) => {
      state.closer = panel;
      saveAddress();
    },
    onWordsSeen: () => {
      state.strangeWords = [];
      page?.update();
    },
  };
  let actions = permitted(lesson, all);

  page = makePage();
  showWords();

  starting
    .then(async ({ trainer, place: where, tellBeside: tell }) => {
      place_ = where;
      tellBeside = tell;
      const table = await trainer.options();
      if (destroyed) return;
      const recipe = readRecipe(address, table);
      fitting.begin(recipe, !asksForFit() && namesSettings(address, table));
      session = new Session(trainer, table, recipe, () => {
        if (session !== null) openedModel?.look(session);
        saveAddress();
        probe.suit();
        changed();
        askForRest();
        runs.look();
      });
      openedModel?.tell(session);
      if (options.lesson !== undefined) session.lessonRecipe = recipe;
      session.pace(state.pace);
      watch();
      const known = onSite ? PAGE_WORDS : ADDRESS_WORDS;
      tellStrange(strangeWords(said ?? address.params, table, known));
      if (held !== null) sendText(session, held.text, held.coming);
      else if (state.textError !== null) session.failText(state.textError);
      held = null;
      if (heldModel !== null) openModel(heldModel);
      for (const action of early.splice(0)) action();
    })
    .catch((thrown: unknown) => {
      if (destroyed) return;
      state.loadError = asError(thrown);
    })
    // What goes wrong in showing it is no failure of the engine's.
    .then(() => {
      if (destroyed) return;
      showWords();
      changed();
    })
    .catch(reportError);

  function makePage(): Page {
    return new Page({
      ...{ layout, words, state, actions, samples, lesson, runs, kept },
      home: options.home ?? null,
      site: options.site ?? null,
      startTrial: options.startTrial ?? null,
      offers: (tab) => shows(lesson, 'closer') && CLOSER.some(({ id }) => id === tab),
      fragment: options.address.read,
      isDark: () => isDark(root),
      session: () => session,
    });
  }

  function changed(): void {
    page?.update();
    options.onPlace?.(placeText(words, place_, session?.run ?? null));
    if (listeners.size > 0 || autostart) {
      const now = status();
      for (const listener of listeners) listener(now);
    }
    startInSight();
  }

  /** Once, when it is asked for, possible, and seen. */
  function startInSight(): void {
    if (!autostart || !sight.visible() || session === null || status().state !== 'ready') return;
    autostart = false;
    session.start();
  }

  /** What is asked for before there is an engine is done when there is one. */
  function whenReady(action: () => void): void {
    if (session === null) early.push(action);
    else action();
  }

  /** Words of an address or of attributes that mean nothing here. */
  function tellStrange(strange: readonly string[]): void {
    state.strangeWords = strange;
    if (strange.length > 0) options.onStrange?.(strange);
  }

  function status(): Status {
    const run = session?.run ?? null;
    const error = state.textError ?? state.loadError ?? run?.error ?? session?.error ?? null;
    return {
      // Without an engine there is nothing yet to command, whatever is wrong with the text.
      state: stripState(session, session === null ? state.loadError : error),
      step: run?.step ?? 0,
      steps: run?.steps ?? 0,
      loss: run?.history.last ?? null,
      smoothedLoss: run?.history.smoothedLast() ?? null,
      validationLoss: run?.history.lastValidation?.loss ?? null,
      preset: session?.recipe.preset ?? '',
      place: place_,
      error: error === null ? null : factsOf(error),
    };
  }

  // ---- Text -------------------------------------------------------------------------------------

  /** Opens a dropped model, wherever it was dropped, or else a text to learn. */
  async function openFiles(coming: readonly File[] | Promise<readonly File[]>): Promise<void> {
    const { requests } = desk;
    // What is said from here on is about these.
    desk.forgetFailure();
    session?.forgetFailure();
    page?.update();
    let files: readonly File[], kind: Awaited<ReturnType<typeof kindOf>>;
    try {
      files = await coming;
      kind = await kindOf(files);
    } catch (thrown) {
      // A folder that cannot be looked into, a file that is gone.
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      desk.refuse(failure('file-read', `the files could not be read: ${why}`));
      return;
    }
    const [first] = files;
    const left = textAmong(files);
    if (kind === 'model') openModel(files);
    // Another text chosen meanwhile wins.
    else if (first !== undefined && kind === 'text' && desk.requests === requests) desk.open(first);
    if (kind === 'texts') {
      desk.refuse(failure('several-files', 'one text at a time can be opened', [files.length]));
    } else if (kind === 'model' && left !== null) {
      desk.refuse(failure('text-left', 'a model came with this text', [], left.name));
    }
    saveAddress();
  }

  /** Opens a model; with a sample text that it learned from, its run can go on. */
  function openModel(files: readonly File[]): void {
    desk.forgetFailure();
    // The engine is on its way: it will begin with this.
    heldModel = session === null ? files : null;
    const { requests } = desk;
    session?.openModel(
      () => sortModel(files),
      ({ facts, why }) => {
        // A lesson's text stays, and who has chosen another meanwhile wants that one.
        if (!canChange(lesson, 'text') || desk.requests !== requests) return;
        const id = notedText(facts.note);
        if (why === null || id === null || id === state.source) return;
        if (needsOtherText(why, state.source === 'own')) desk.choose(id);
      },
    );
  }

  /** Asks for all that is for later, once Start can be pressed or it is known why not. */
  function askForRest(): void {
    if (asked || session === null || !(isSettled(session) || state.textError !== null)) return;
    asked = true;
    // A mark for measurements: what is fetched from here on is for later.
    performance.mark('glasshouse-ready');
    // Without a panel that could not be made the rest goes on.
    void (page?.made ?? Promise.resolve())
      .catch(reportError)
      .then(idle)
      .then(() => {
        if (destroyed) return;
        if (keeps) void runs.begin();
        // A file that is opened without a network is kept as well.
        if (keeps) fileStore().catch(() => undefined);
        // Another language must not ask the network for anything later.
        for (const one of LANGS) void loadAllWords(one).catch(() => undefined);
        if (shows(lesson, 'closer')) preloadCloser(lang);
        // Elsewhere the words of the glossary come when they are asked for.
        if (options.home !== undefined) preloadGlossary(lang);
        options.onReady?.();
      });
  }

  function showProbe(text: string): void {
    state.probe = text;
    page?.update();
    watch();
  }

  /** Whether the reader has changed some of these settings. */
  function isByHand(recipe: Recipe): boolean {
    return Object.keys(recipe.changes).length > 0 && !fitting.isGiven(recipe);
  }

  /**
   * The text goes to the engine; settings are fitted to it where a reader put it in, or a host asks
   * for it.
   */
  function sendText(to: Session, text: LoadedText, coming: Coming): void {
    const asked = asksForFit();
    // What a reader has chosen meanwhile stays, where there is a choice.
    const isFree = coming !== 'given' && canChange(lesson, 'settings');
    const choose: ChooseFit = (fit) => {
      if (!asked) return fitted(fitting.take(fit, to.recipe));
      const suited = { ...fit, recipe: withNamed(fit.recipe, to.table) };
      const recipe = isFree ? fitting.take(suited, to.recipe) : fitting.apply(suited, to.recipe);
      if (recipe !== null && to.lessonRecipe !== null) to.lessonRecipe = recipe;
      return fitted(recipe);
    };
    to.setText(text, asked || coming !== 'given' ? choose : null, coming === 'typed');
  }

  /** Whether the address or the host wants settings that suit the text. */
  function asksForFit(): boolean {
    return isOn(address.params.get('fit')) && !address.params.has('preset');
  }

  /** A recipe with the settings on top that the address or the host names itself. */
  function withNamed(recipe: Recipe, table: OptionTable): Recipe {
    const named = readRecipe(address, table);
    return table.options
      .filter(({ name }) => address.params.has(name))
      .reduce(
        (made, { name }) => withChange(table, made, name, valueOf(table, named, name)),
        recipe,
      );
  }

  /** Shows what is said of fitted settings; hands them on. */
  function fitted<Settings extends Recipe | null>(recipe: Settings): Settings {
    state.fitNotice = fitting.notice;
    return recipe;
  }

  function forgetFit(): void {
    fitting.forget();
    fitted(null);
  }

  /**
   * The settings that come with a text that was chosen; what they were before is said beside it.
   */
  function bringRecipe(choose: (wanted: Recipe) => Recipe | null): void {
    state.brought = null;
    // An opened model keeps its settings.
    if (session === null || session.model !== null) return;
    const { recipe: wanted } = session;
    const recipe = choose(wanted);
    const { source } = state;
    if (recipe === null) {
      const before = suited.presetBefore(source, wanted);
      const isChanged = isByHand(wanted);
      if (before !== null) state.brought = { source, recipe: wanted, before };
      else if (isChanged) state.brought = { source, recipe: wanted, stays: true };
      page?.update();
      return;
    }
    state.brought = recipe.preset === wanted.preset ? null : { source, recipe, from: wanted };
    fitting.give(recipe);
    setRecipe(recipe, false);
  }

  function setRecipe(recipe: Recipe, typing: boolean): void {
    session?.setRecipe(recipe, typing);
    saveAddress();
  }

  /**
   * A recipe from outside: from the address, or from the page around. Where there is no lesson, the
   * address holds what the reader changed.
   */
  function takeRecipe(recipe: Recipe, typing: boolean): void {
    if (options.lesson === undefined) session?.setRecipe(recipe, typing);
    else session?.giveRecipe(recipe, typing);
  }

  // ---- Looking ----------------------------------------------------------------------------------

  function watch(): void {
    const live = attentionSights.some((one) => one.visible());
    const shown = ['attention', 'closer'].some((id) => layout.find(id) !== null);
    const attention = shown ? { text: state.probe, maxTokens: PROBE_TOKENS, live } : null;
    session?.watch({ attention, samples: LIVE_SAMPLES });
  }

  watchSections();
  undo.push(unwatchSections);

  /** Attention is measured while it can be seen. */
  function watchSections(): void {
    const sections = ['attention', 'closer'].map((id) => layout.find(id));
    attentionSights = sections.flatMap((one) => (one === null ? [] : [watchSight(one, watch)]));
  }

  function unwatchSections(): void {
    for (const one of attentionSights) one.destroy();
  }

  const sight = watchSight(main, startInSight);
  undo.push(sight.destroy);
  if (onSite) {
    undo.push(
      watchDeployment(() => {
        state.isReplaced = true;
        changed();
      }),
    );
  }

  const resized = new ResizeObserver(() => {
    page?.resize();
  });
  resized.observe(main);
  undo.push(() => {
    resized.disconnect();
  });
  undo.push(
    onSystemTheme(() => {
      page?.resize();
    }),
  );

  // ---- Address, language, colours ---------------------------------------------------------------

  function saveAddress(): void {
    // An address that is not of our writing is about to be read.
    if (session === null || reading || options.address.read() !== known) return;
    const settings = {
      lang: langChosen ? lang : null,
      source: state.source as SourceId,
      recipe: session.recipe,
      probe: probe.chosen,
      scored: scoredByHand,
      ask: state.ask,
      pace: state.pace,
      closer: state.closer,
    };
    const { address: store } = options;
    const hash = writeAddress(settings, session.table, store.read());
    if (hash === store.read()) return;
    // Another place is one to come back to; all else, typing above all, is not.
    store.write(hash, !samePlace(store.read(), hash, session.table));
    known = store.read();
  }

  undo.push(options.address.subscribe(readAnew));

  function readAnew(): void {
    known = options.address.read();
    address = readAddress(known);
    const wantedProbe = address.params.get('probe');
    scoredByHand = address.params.get('scored');
    state.scored = scoredByHand;
    state.ask = readAsk(address);
    state.pace = readPace(address);
    state.closer = readCloser(address);
    const next = chooseLang(address.lang, navigator.languages);
    langChosen = address.lang !== null;
    reading = true;
    try {
      if (address.source !== state.source) desk.follow(address.source);
      // An engine that is on its way will begin with these settings.
      if (session !== null) {
        if (onSite) tellStrange(strangeWords(address.params, session.table, PAGE_WORDS));
        session.pace(state.pace);
        takeRecipe(readRecipe(address, session.table), false);
      }
      probe.choose(wantedProbe);
      if (next !== lang) switchLang(next);
      page?.update();
    } finally {
      reading = false;
    }
    saveAddress();
  }

  /** Everything in another language, as soon as its words are here. */
  function switchLang(next: Lang): void {
    lang = next;
    if (hasAllWords(next)) {
      showLang();
      return;
    }
    loadAllWords(next).then(
      () => {
        if (lang === next && !destroyed) showLang();
      },
      (thrown: unknown) => {
        if (destroyed) return;
        // Without the network everything stays as it was, and says so.
        lang = words.lang;
        state.textError = failure('language', `no words came: ${String(thrown)}`);
        showWords();
        changed();
        saveAddress();
      },
    );
  }

  function showLang(): void {
    words = wordsOf(lang);
    page?.destroy();
    page = makePage();
    page.resumeTour();
    showWords();
  }

  /** All that is said of the lesson now: other panels, locks and words; the run goes on. */
  function setLesson(next: Lesson, params: URLSearchParams): void {
    said = params;
    if (session !== null) {
      tellStrange(strangeWords(params, session.table, ADDRESS_WORDS));
    }
    if (next.autostart !== lesson.autostart) autostart = next.autostart;
    const same = samePanels(lesson, next);
    // Panels that stay go by the lesson that they were given: it becomes the next one.
    if (same) Object.assign(lesson, next);
    else lesson = { ...next };
    layout.tell(lesson);
    // Typing in a panel is not interrupted as long as the panels are the same.
    if (same) changed();
    else relay();
  }

  function relay(): void {
    unwatchSections();
    page?.destroy();
    layout = buildLayout(main, lesson);
    layout.speak(words);
    actions = permitted(lesson, all);
    page = makePage();
    watchSections();
    watch();
    changed();
  }

  function showWords(): void {
    root.lang = LANG_TAGS[lang];
    layout.speak(words);
    options.onPlace?.(placeText(words, place_, session?.run ?? null));
    options.onWords?.(words, {
      showAround: () => page?.showAround(),
      setLang: (next) => {
        langChosen = true;
        switchLang(next);
        saveAddress();
      },
      recolour: () => {
        page?.resize();
        page?.update();
      },
      setLesson,
    });
  }

  return {
    status,
    losses: () => session?.run?.history.all ?? [],
    start: () => {
      whenReady(() => session?.start());
    },
    pause: () => {
      whenReady(() => session?.pause());
    },
    step: () => {
      whenReady(() => session?.step());
    },
    rewind: () => session?.rewind(),
    setText: (text) => {
      desk.type(text, true);
      // The address is read again at the next word from outside.
      saveAddress();
    },
    setPreset: (preset) => {
      if (session !== null && !session.table.presets.includes(preset)) {
        throw failure('host-call', `there is no preset ${preset}`, [], preset);
      }
      takeRecipe({ preset, changes: {} }, false);
      saveAddress();
    },
    setOption: (name, value) => {
      if (session === null) return;
      const option = findOption(session.table, name);
      if (option === undefined) throw failure('host-call', `there is no option ${name}`, [], name);
      const error = checkValue(option, value);
      if (error !== null) throw error;
      takeRecipe(withChange(session.table, session.recipe, name, value), true);
      saveAddress();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    destroy: () => {
      destroyed = true;
      for (const each of undo.splice(0)) each();
      listeners.clear();
      runs.destroy();
      page?.destroy();
      page = null;
      session = null;
      // Also where the engine is only coming up: nobody else would end its worker.
      void starting.then(
        ({ trainer }) => {
          trainer.close();
        },
        () => undefined,
      );
      main.replaceChildren();
    },
  };
}

/** What a lesson has locked cannot be done, in whatever way it is asked for. */
function permitted(lesson: Lesson, actions: PageActions): PageActions {
  const nothing = (): void => undefined;
  const text = {
    ...{ onSource: nothing, onType: nothing, onFile: nothing, onDrop: nothing },
    ...{ onMend: () => nothing, onBringBack: nothing, onReadAs: nothing },
  };
  const model = { onModel: nothing, onPurpose: nothing, onClose: nothing };
  const settings = {
    ...{ onPreset: nothing, onSuggestion: nothing, onRecipe: nothing },
    ...{ onOption: nothing, onReset: nothing },
  };
  return {
    ...actions,
    ...(canChange(lesson, 'text') ? {} : text),
    ...(canChange(lesson, 'model') ? {} : model),
    ...(lesson.lock.has('settings') ? settings : {}),
    ...(lesson.lock.has('ask') ? { onAskChange: nothing } : {}),
  };
}

let files: Promise<FileStore> | null = null;

/** The store of opened files; when it cannot be opened, the next call tries again. */
function fileStore(): Promise<FileStore> {
  files ??= KEPT
    ? import('../store/text/file-store.ts').then(({ openFileStore }) => openFileStore(tabId()))
    : Promise.reject(failure('storage-denied', 'no texts are kept here'));
  files.catch(() => {
    files = null;
  });
  return files;
}

/** The sample text that a file says it learned from, if any. */
function notedText(note: string): SourceId | null {
  try {
    return findSample((JSON.parse(note) as { text: string }).text)?.id ?? null;
  } catch {
    return null;
  }
}
