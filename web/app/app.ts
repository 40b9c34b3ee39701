/**
 * The app: reads the address, starts the engine, and ties the panels and the session together.
 */
import type { CreatedTrainer } from '../engine/create.ts';
import { asError, factsOf, failure } from '../engine/errors.ts';
import { checkValue, findOption, withChange } from '../engine/options.ts';
import type { Recipe } from '../engine/options.ts';
import type { Purpose, SaveForm } from '../engine/trainer.ts';
import { LANGS, chooseLang, hasAllWords, loadAllWords, wordsOf } from '../i18n/index.ts';
import type { Lang, Words } from '../i18n/index.ts';
import type { AddressStore } from './address.ts';
import { preloadCloser } from './closer.ts';
import { preloadGlossary } from './glossary.ts';
import { buildLayout } from './layout.ts';
import { FREE, samePanels, shows } from './lesson.ts';
import type { Lesson } from './lesson.ts';
import { keepLossChoice, recallLossChoice } from './loss-choice.ts';
import { whenIdle } from './idle.ts';
import { droppedFiles, isModel, saveName, sortModel } from './model-files.ts';
import { download } from '../views/download.ts';
import { PLAIN_CHOICE } from '../views/loss-data.ts';
import { Page } from './page.ts';
import { ADDRESS_WORDS, PAGE_WORDS, strangeWords } from './address-words.ts';
import { placeText } from './place-note.ts';
import type { PageActions, PageState } from './panels/panel.ts';
import { RunKeeper } from './runs/run-keeper.ts';
import { Session, isSettled, shownTokenizer } from './session.ts';
import { stripState } from './panels/run.ts';
import type { App, Status } from './remote.ts';
import {
  readAddress,
  readAsk,
  readCloser,
  readPace,
  readRecipe,
  samePlace,
  writeAddress,
} from './state.ts';
import { keep, recall } from './storage.ts';
import { isDark, onSystemTheme } from './theme.ts';
import { loadFile, loadSample, typedText } from './text-source.ts';
import type { LoadedText, SampleReader } from './text-source.ts';
import { findSample, SAMPLE_TEXTS } from './texts.ts';
import type { SampleText, SourceId } from './texts.ts';

/** Tokens of a probe: more would make cells too small to read. */
const PROBE_TOKENS = 48;
/** Texts that are written at each chosen step, and how long they may be. */
const LIVE_SAMPLES = { count: 6, maxTokens: 120 };
/** Own texts up to this length come back after a reload. */
const KEEP_LENGTH = 1_000_000;

export interface AppOptions {
  /** Starts the engine. */
  readonly startEngine: () => Promise<CreatedTrainer>;
  /** The bytes of a sample text, by the name of its file. */
  readonly readSample: SampleReader;
  /** The sample texts to choose from; all of them when left out. */
  readonly samples?: readonly SampleText[];
  /** Address of the site's folder, for links to its documentation; without it there are none. */
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
  /** Whether small things may be kept for the next visit. */
  readonly keeps?: boolean;
  /** A text of one's own to begin with, for addresses that say `text=own`. */
  readonly text?: string | Uint8Array<ArrayBuffer>;
  /** Why there is none, when there should have been one. */
  readonly textError?: unknown;
  readonly lesson?: Lesson;
  /** Address of the site's folder, where the app is its page: lessons can then be shared from here. */
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
  let lesson = options.lesson ?? FREE;
  let layout = buildLayout(main, lesson);
  let address = readAddress(options.address.read());
  let langChosen = address.lang !== null;
  let lang: Lang = chooseLang(address.lang, navigator.languages);
  let words: Words = wordsOf(lang);
  let session: Session | null = null;
  let place_: 'worker' | 'page' = 'worker';
  /** The text of one's own, so that looking at a sample text does not lose it. */
  /** A text of one's own whose place another took. */
  let replaced: string | File | null = null;
  let own: string | File = fileOf(options.text) ?? (keeps ? recall('tab', 'text') : null) ?? '';
  /** A probe from the text, for when a run learns it; empty when there is none to come. */
  let suited = '';
  let probeChosen = address.params.get('probe');
  let loads = 0;
  /** Where the text that is shown comes from; null until there is one. */
  let shownSource: SourceId | null = null;
  /** The address is being followed: what changes then comes from it. */
  let reading = false;
  /** The fragment as it was last read or written. */
  let known = options.address.read();
  let held: LoadedText | null = null;
  /** Places that show attention and can be seen now. */
  const attentionInSight = new Set<string>();
  let inSight = false;
  let autostart = lesson.autostart;
  /** The words of the lesson, as they were said last; null for those of the address. */
  let said: URLSearchParams | null = null;
  const onSite = options.home !== undefined;
  /** Whether what is for later was asked for. */
  let asked = false;
  let destroyed = false;
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
    version: 0,
    textError: null,
    replaced: false,
    loadError: null,
    strangeWords: [],
    probe: probeChosen ?? findSample(address.source)?.probe ?? '',
    savedAs: '',
    head: { layer: 0, head: 0 },
    lookBack: null,
    scored: address.params.get('scored'),
    ask: readAsk(address),
    pace: readPace(address),
    lossChoice: keeps ? recallLossChoice() : PLAIN_CHOICE,
    closer: readCloser(address),
  };

  const runs = new RunKeeper({
    session: () => session,
    changed: () => page?.update(),
    show: (text, probe) => {
      if (text.source === 'own' && !text.readOnly) {
        replaced = own !== '' && own !== text.shown ? own : null;
        state.replaced = replaced !== null;
        own = text.shown;
        if (keeps) keep('tab', 'text', own.length <= KEEP_LENGTH ? own : null);
      }
      showText(text);
      // The text's own probe need not be in the address, and goes when another text comes.
      probeChosen = probe === suitedProbe(text) ? null : probe;
      showProbe(probe);
      saveAddress();
    },
    probe: () => state.probe,
  });

  // Everything that has to come over the network sets out at once.
  const starting = options.startEngine();
  if (options.textError === undefined) chooseSource(address.source);
  else {
    // A text of one's own that is not there: why, in place of "there is no text yet".
    state.source = 'own';
    state.shown = '';
    state.readOnly = false;
    state.textError = asError(options.textError);
  }

  const all: PageActions = {
    onSource: (id: string) => {
      chooseSource(id as SourceId);
      suitRecipe();
      saveAddress();
    },
    onType: (text: string) => {
      own = text;
      forgetReplaced();
      takeText(typedText(text));
      if (keeps) keep('tab', 'text', text.length <= KEEP_LENGTH ? text : null);
      saveAddress();
    },
    onFile: (file: File) => void openFiles([file]),
    onDrop: (dropped: DataTransfer) => void droppedFiles(dropped).then(openFiles),
    onModel: openModel,
    onPurpose: (purpose: Purpose) => session?.setPurpose(purpose),
    onClose: () => session?.closeModel(),
    onSave: (form: SaveForm) => {
      const note = JSON.stringify({ text: state.source });
      state.savedAs = '';
      session?.save(form, note, (file, step) => {
        state.savedAs = saveName(form, step);
        download(file, state.savedAs);
      });
    },
    onPreset: (preset: string) => {
      setRecipe(session?.recipeOfPreset(preset) ?? { preset, changes: {} }, false);
    },
    onReset: () => {
      if (session !== null) setRecipe(session.givenRecipe, false);
    },
    onBringBack: () => {
      if (replaced !== null) bringOwn(replaced);
      chooseSource('own');
      forgetReplaced();
      saveAddress();
    },
    onSuggestion: () => {
      const preset = findSample(state.source)?.preset;
      if (preset !== undefined) setRecipe({ preset, changes: {} }, false);
    },
    onRecipe: (recipe: Recipe) => {
      setRecipe(recipe, false);
    },
    readText: async () => {
      // The field has one kind of line end only; a file may have others.
      const isFile = state.source === 'own' && own instanceof File;
      return isFile ? (own as File).text() : state.shown;
    },
    readBytes: async () => {
      const isFile = state.source === 'own' && own instanceof File;
      if (isFile) return new Uint8Array(await (own as File).arrayBuffer());
      return new TextEncoder().encode(state.shown);
    },
    onMend: (text: string) => {
      const before = { source: state.source as SourceId, own };
      // Too long for the field: as if it had come from a file.
      if (state.readOnly) openFile(new File([text], state.fileName, { type: 'text/plain' }));
      else actions.onType(text);
      saveAddress();
      return () => {
        bringOwn(before.own);
        chooseSource(before.source);
        saveAddress();
      };
    },
    onOption: (name: string, value: number) => {
      if (session === null) return;
      setRecipe(withChange(session.table, session.recipe, name, value), true);
    },
    onProbe: (text: string) => {
      state.probe = text;
      probeChosen = text;
      watch();
      saveAddress();
    },
    onHead: (place) => {
      state.head = place;
      page?.update();
    },
    onLookBack: (place) => {
      state.lookBack = place;
      page?.update();
    },
    onScored: (text: string) => {
      state.scored = text;
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
    .then(async ({ trainer, place: where }) => {
      place_ = where;
      const table = await trainer.options();
      if (destroyed) return;
      const recipe = readRecipe(address, table);
      session = new Session(trainer, table, recipe, () => {
        saveAddress();
        suitProbe();
        changed();
        askForRest();
        runs.look();
      });
      if (options.lesson !== undefined) session.lessonRecipe = recipe;
      session.pace(state.pace);
      watch();
      state.strangeWords = strangeWords(
        said ?? address.params,
        table,
        onSite ? PAGE_WORDS : ADDRESS_WORDS,
      );
      if (held !== null) session.setText(held);
      else if (state.textError !== null) session.failText(state.textError);
      held = null;
      showWords();
      changed();
    })
    .catch((thrown: unknown) => {
      if (destroyed) return;
      state.loadError = asError(thrown);
      changed();
    });

  function makePage(): Page {
    return new Page({
      ...{ layout, words, state, actions, samples, lesson, runs },
      home: options.home ?? null,
      site: options.site ?? null,
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
    if (!autostart || !inSight || session === null || status().state !== 'ready') return;
    autostart = false;
    session.start();
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

  /** Another text than the last: a prompt that came with that one goes with it. */
  function setSource(id: SourceId): void {
    if (state.ask.prompt === (findSample(state.source)?.prompt ?? '')) {
      state.ask = { ...state.ask, prompt: findSample(id)?.prompt ?? '' };
    }
    state.source = id;
  }

  /** Makes a text the one of one's own again. */
  function bringOwn(text: string | File): void {
    own = text;
    if (typeof own !== 'string' || !keeps) return;
    keep('tab', 'text', own.length <= KEEP_LENGTH ? own : null);
  }

  function forgetReplaced(): void {
    replaced = null;
    state.replaced = false;
    page?.update();
  }

  function chooseSource(id: SourceId): void {
    setSource(id);
    if (id !== 'own') load(loadSample(id, options.readSample));
    else if (typeof own === 'string') takeText(typedText(own));
    else openFile(own);
  }

  /** What there was stays, also as the text of one's own, until the file is known to be one. */
  function openFile(file: File): void {
    load(loadFile(file), () => {
      own = file;
    });
  }

  /** Opens what it is: a model, wherever it was put, or else a text to learn. */
  async function openFiles(files: readonly File[]): Promise<void> {
    const [first] = files;
    if (files.length > 1 || (await isModel(files))) openModel(files);
    else if (first !== undefined) openFile(first);
    saveAddress();
  }

  /** Opens a model; with a sample text that it learned from, its run can go on. */
  function openModel(files: readonly File[]): void {
    session?.openModel(
      () => sortModel(files),
      ({ facts, why }) => {
        // What was said of a file before is no news any more.
        state.textError = null;
        const id = notedText(facts.note);
        if (why?.code !== 'text-differs' || id === null || id === state.source) return;
        chooseSource(id);
      },
    );
  }

  /** Takes a text when it has come, unless another was chosen meanwhile. */
  function load(loading: Promise<LoadedText>, taken: () => void = () => undefined): void {
    const ticket = ++loads;
    loading.then(
      (text) => {
        if (ticket !== loads) return;
        taken();
        takeText(text);
      },
      (thrown: unknown) => {
        if (ticket !== loads) return;
        // What was there stays there: the message says why the new text is not.
        if (shownSource !== null) setSource(shownSource);
        state.textError = asError(thrown);
        page?.update();
        saveAddress();
        askForRest();
      },
    );
  }

  /** Asks for all that is for later, once Start can be pressed or it is known why not. */
  function askForRest(): void {
    if (asked || session === null || !(isSettled(session) || state.textError !== null)) return;
    asked = true;
    // For whoever measures: what is fetched from here on is for later.
    performance.mark('glasshouse-ready');
    whenIdle(() => {
      if (destroyed) return;
      if (keeps) void runs.begin();
      // Another language must not ask the network for anything later.
      for (const one of LANGS) void loadAllWords(one).catch(() => undefined);
      if (shows(lesson, 'closer')) preloadCloser(lang);
      // Elsewhere the words of the glossary come when they are asked for.
      if (options.home !== undefined) preloadGlossary(lang);
      options.onReady?.();
    });
  }

  function takeText(text: LoadedText): void {
    showText(text);
    if (session === null) held = text;
    else session.setText(text);
    suited = suitedProbe(text);
    suitProbe();
  }

  /**
   * A probe from the text, unless one was chosen by hand that this text has the characters of. The run under way learns the text before, and
   * may have no tokens for this one: it keeps its probe until another run begins.
   */
  function suitProbe(): void {
    if (suited === '' || session?.pending().includes('text') === true) return;
    const text = suited;
    suited = '';
    if (probeChosen !== null && isStrange(probeChosen)) {
      probeChosen = null;
      saveAddress();
    }
    if (probeChosen === null && text !== state.probe) showProbe(text);
  }

  /** Written for another text: this one, if all of it is here, has not all of the characters. */
  function isStrange(probe: string): boolean {
    // While a text is typed, more may come.
    if (shownTokenizer(session) !== 'char' || state.readOnly || state.source === 'own')
      return false;
    const known = new Set(state.shown);
    return Array.from(probe).some((character) => !known.has(character));
  }

  function showText(text: LoadedText): void {
    loads += 1;
    setSource(text.source);
    shownSource = text.source;
    state.shown = text.shown;
    state.readOnly = text.readOnly;
    state.fileName = text.fileName;
    state.fileSize = text.size;
    state.version += 1;
    state.textError = null;
    page?.update();
  }

  function showProbe(text: string): void {
    state.probe = text;
    page?.update();
    watch();
  }

  /** The preset that suits the text, as long as nothing was changed by hand. */
  function suitRecipe(): void {
    const preset = findSample(state.source)?.preset;
    if (session === null || session.model !== null || preset === undefined) return;
    if (Object.keys(session.recipe.changes).length > 0) return;
    setRecipe({ preset, changes: {} }, false);
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
    const live = attentionInSight.size > 0 && !document.hidden;
    const shown = ['attention', 'closer'].some((id) => layout.find(id) !== null);
    const attention = shown ? { text: state.probe, maxTokens: PROBE_TOKENS, live } : null;
    session?.watch({ attention, samples: LIVE_SAMPLES });
  }

  document.addEventListener('visibilitychange', watch);
  undo.push(() => {
    document.removeEventListener('visibilitychange', watch);
  });
  let unwatch = watchSections();
  undo.push(() => {
    unwatch();
  });
  undo.push(
    onSight(main, (seen) => {
      inSight = seen;
      startInSight();
    }),
  );

  /** Attention is measured while it can be seen; answers what ends the watching. */
  function watchSections(): () => void {
    attentionInSight.clear();
    const ends = ['attention', 'closer'].map((id) => {
      const section = layout.find(id);
      if (section === null) return () => undefined;
      attentionInSight.add(id);
      return onSight(section, (seen) => {
        if (seen) attentionInSight.add(id);
        else attentionInSight.delete(id);
        watch();
      });
    });
    return () => {
      for (const end of ends) end();
    };
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

  /** Answers what ends it. */
  function onSight(element: Element, listener: (seen: boolean) => void): () => void {
    const observer = new IntersectionObserver((entries) => {
      listener(entries.at(-1)?.isIntersecting ?? false);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
    };
  }

  // ---- Address, language, colours ---------------------------------------------------------------

  function saveAddress(): void {
    // An address that is not of our writing is about to be read.
    if (session === null || reading || options.address.read() !== known) return;
    const settings = {
      lang: langChosen ? lang : null,
      source: state.source as SourceId,
      recipe: session.recipe,
      probe: probeChosen,
      scored: state.scored,
      ask: state.ask,
      pace: state.pace,
      closer: state.closer,
    };
    const hash = writeAddress(settings, session.table);
    const { address: store } = options;
    if (hash === store.read()) return;
    // Another place is one to come back to; all else, typing above all, is not.
    store.write(hash, !samePlace(store.read(), hash, session.table));
    known = store.read();
  }

  undo.push(options.address.subscribe(readAnew));

  function readAnew(): void {
    known = options.address.read();
    address = readAddress(known);
    probeChosen = address.params.get('probe');
    state.scored = address.params.get('scored');
    state.ask = readAsk(address);
    state.pace = readPace(address);
    state.closer = readCloser(address);
    if (session === null) {
      // The engine is on its way: it will begin with these.
      if (probeChosen !== null) showProbe(probeChosen);
      page?.update();
      return;
    }
    reading = true;
    const next = chooseLang(address.lang, navigator.languages);
    langChosen = address.lang !== null;
    if (onSite) state.strangeWords = strangeWords(address.params, session.table, PAGE_WORDS);
    session.pace(state.pace);
    if (address.source !== state.source) chooseSource(address.source);
    takeRecipe(readRecipe(address, session.table), false);
    suited = suitedProbe(state);
    if (probeChosen === null) suitProbe();
    else showProbe(probeChosen);
    if (next !== lang) switchLang(next);
    reading = false;
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
    showWords();
  }

  /** All that is said of the lesson now: other panels, locks and words; the run goes on. */
  function setLesson(next: Lesson, params: URLSearchParams): void {
    said = params;
    if (session !== null) {
      state.strangeWords = strangeWords(params, session.table, ADDRESS_WORDS);
    }
    if (next.autostart !== lesson.autostart) autostart = next.autostart;
    const same = samePanels(lesson, next);
    lesson = next;
    layout.tell(lesson);
    // Whoever is typing in a panel goes on, as long as the panels are the same.
    if (same) changed();
    else relay();
  }

  function relay(): void {
    unwatch();
    page?.destroy();
    layout = buildLayout(main, lesson);
    layout.speak(words);
    actions = permitted(lesson, all);
    page = makePage();
    unwatch = watchSections();
    watch();
    changed();
  }

  function showWords(): void {
    root.lang = lang === 'zh' ? 'zh-Hans' : 'en';
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
    start: () => session?.start(),
    pause: () => session?.pause(),
    step: () => session?.step(),
    rewind: () => session?.rewind(),
    setText: (text) => {
      own = text;
      takeText(typedText(text));
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
  const text = { onSource: nothing, onType: nothing, onFile: nothing, onDrop: nothing };
  const model = { onModel: nothing, onPurpose: nothing, onClose: nothing };
  const settings = {
    ...{ onPreset: nothing, onSuggestion: nothing, onBringBack: nothing },
    ...{ onOption: nothing, onReset: nothing },
  };
  return {
    ...actions,
    ...(lesson.lock.has('text') || !shows(lesson, 'text') ? text : {}),
    ...(lesson.lock.has('model') || !shows(lesson, 'model') ? model : {}),
    ...(lesson.lock.has('settings') ? settings : {}),
    ...(lesson.lock.has('ask') ? { onAskChange: nothing } : {}),
  };
}

/** Bytes stay what they are: as if they had come from a file that has no name. */
function fileOf(text: AppOptions['text']): string | File | undefined {
  return text instanceof Uint8Array ? new File([text], '') : text;
}

/** The sample text that a file says it learned from, if any. */
function notedText(note: string): SourceId | null {
  try {
    return findSample((JSON.parse(note) as { text: string }).text)?.id ?? null;
  } catch {
    return null;
  }
}

/** What is looked at as long as nothing was chosen by hand. */
function suitedProbe({ source, shown }: Pick<PageState, 'source' | 'shown'>): string {
  return findSample(source)?.probe ?? firstWords(shown);
}

/** The beginning of a text's first line: something to look at when the text is one's own. */
function firstWords(text: string): string {
  const line = text.split('\n').find((candidate) => candidate.trim() !== '') ?? '';
  return Array.from(line.trim()).slice(0, 24).join('').trim();
}
