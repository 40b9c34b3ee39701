/**
 * The app: reads the address, starts the engine, and ties the panels and the session together.
 */
import { createTrainer } from '../engine/create.ts';
import { asError } from '../engine/errors.ts';
import { withChange } from '../engine/options.ts';
import type { Recipe } from '../engine/options.ts';
import type { Purpose, SaveForm } from '../engine/trainer.ts';
import { chooseLang, wordsOf } from '../i18n/index.ts';
import type { Lang, Words } from '../i18n/index.ts';
import { preloadCloser } from './closer.ts';
import { fillHeader } from './header.ts';
import { preloadGlossary } from './glossary.ts';
import { showPlace } from './place-note.ts';
import { buildLayout } from './layout.ts';
import { droppedFiles, isModel, saveName, sortModel } from './model-files.ts';
import { download } from '../views/download.ts';
import { Page } from './page.ts';
import type { PageActions, PageState } from './panels/panel.ts';
import { RunKeeper } from './runs/run-keeper.ts';
import { Session } from './session.ts';
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
import { applyTheme, isDark, onSystemTheme, recallTheme } from './theme.ts';
import { loadFile, loadSample, typedText } from './text-source.ts';
import type { LoadedText } from './text-source.ts';
import { findSample } from './texts.ts';
import type { SourceId } from './texts.ts';

/** Tokens of a probe: more would make cells too small to read. */
const PROBE_TOKENS = 48;
/** Texts that are written at each chosen step, and how long they may be. */
const LIVE_SAMPLES = { count: 6, maxTokens: 120 };
/** Own texts up to this length come back after a reload. */
const KEEP_LENGTH = 1_000_000;

export interface AppOptions {
  /** Where the compiled engine lies. */
  readonly engine: URL;
  /** The same for several threads; fetched only where memory can be shared. */
  readonly threadedEngine?: URL;
}

/** Starts the app in `main`, which it fills. */
export function createApp(main: HTMLElement, options: AppOptions): void {
  const layout = buildLayout(main);
  let address = readAddress(location.hash);
  let langChosen = address.lang !== null;
  let lang: Lang = chooseLang(address.lang, navigator.languages);
  let words: Words = wordsOf(lang);
  let session: Session | null = null;
  let place_: 'worker' | 'page' = 'worker';
  /** The text of one's own, so that looking at a sample text does not lose it. */
  let own: string | File = recall('tab', 'text') ?? '';
  let probeChosen = address.params.get('probe');
  let loads = 0;
  /** The address is being followed: what changes then comes from it. */
  let reading = false;
  /** The fragment as it was last read or written. */
  let known = location.hash;
  let held: LoadedText | null = null;
  /** Places that show attention and can be seen now. */
  const attentionInSight = new Set<Element>();
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
    loadError: null,
    probe: probeChosen ?? findSample(address.source)?.probe ?? '',
    ask: readAsk(address),
    pace: readPace(address),
    closer: readCloser(address),
  };

  const runs = new RunKeeper({
    session: () => session,
    changed: () => page?.update(),
    show: (text, probe) => {
      if (text.source === 'own' && !text.readOnly) {
        own = text.shown;
        keep('tab', 'text', own.length <= KEEP_LENGTH ? own : null);
      }
      showText(text);
      // The text's own probe need not be in the address.
      probeChosen = probe === findSample(text.source)?.probe ? null : probe;
      showProbe(probe);
      saveAddress();
    },
    probe: () => state.probe,
  });

  // Everything that has to come over the network sets out at once.
  const starting = createTrainer(options.engine, options.threadedEngine);
  chooseSource(address.source);

  const actions: PageActions = {
    onSource: (id: string) => {
      chooseSource(id as SourceId);
      suitRecipe();
      saveAddress();
    },
    onType: (text: string) => {
      own = text;
      takeText(typedText(text), true);
      keep('tab', 'text', text.length <= KEEP_LENGTH ? text : null);
      saveAddress();
    },
    onFile: (file: File) => {
      openFile(file);
      saveAddress();
    },
    onDrop: (dropped: DataTransfer) => {
      void droppedFiles(dropped).then(async (files) => {
        const [first] = files;
        if (files.length > 1 || (await isModel(files))) openModel(files);
        else if (first !== undefined) openFile(first);
        saveAddress();
      });
    },
    onModel: openModel,
    onPurpose: (purpose: Purpose) => session?.setPurpose(purpose),
    onClose: () => session?.closeModel(),
    onSave: (form: SaveForm) => {
      const note = JSON.stringify({ text: state.source });
      session?.save(form, note, (file, step) => {
        download(file, saveName(form, step));
      });
    },
    onPreset: (preset: string) => {
      // For an opened model, its own values are what changes are taken back to.
      const file = session?.model?.recipe;
      setRecipe(file?.preset === preset ? file : { preset, changes: {} }, false);
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
    onMend: (text: string) => {
      const before = { source: state.source as SourceId, own };
      // Too long for the field: as if it had come from a file.
      if (state.readOnly) openFile(new File([text], state.fileName, { type: 'text/plain' }));
      else actions.onType(text);
      saveAddress();
      return () => {
        own = before.own;
        if (typeof own === 'string') keep('tab', 'text', own.length <= KEEP_LENGTH ? own : null);
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
    onPace: (stepsPerSecond: number) => {
      state.pace = stepsPerSecond;
      session?.pace(stepsPerSecond);
      page?.update();
      saveAddress();
    },
    onAskChange: (ask: PageState['ask']) => {
      state.ask = ask;
      saveAddress();
    },
    onCloser: (panel: string) => {
      state.closer = panel;
      saveAddress();
    },
  };

  page = makePage();
  document.documentElement.lang = lang === 'zh' ? 'zh-Hans' : 'en';
  renderHeader();

  starting
    .then(async ({ trainer, place: where }) => {
      place_ = where;
      const table = await trainer.options();
      session = new Session(trainer, table, readRecipe(address, table), () => {
        saveAddress();
        showPlace(words, place_, session?.run ?? null);
        page?.update();
        runs.look();
      });
      session.pace(state.pace);
      watch();
      if (held !== null) session.setText(held);
      held = null;
      renderHeader();
      page?.update();
      void runs.begin();
      whenIdle(() => {
        preloadCloser();
        preloadGlossary(lang);
      });
    })
    .catch((thrown: unknown) => {
      state.loadError = asError(thrown);
      page?.update();
    });

  function makePage(): Page {
    return new Page({ layout, words, state, actions, isDark, session: () => session, runs });
  }

  // ---- Text -------------------------------------------------------------------------------------

  function chooseSource(id: SourceId): void {
    const prompt = findSample(state.source)?.prompt ?? '';
    // A prompt that came with the last text goes with it.
    if (state.ask.prompt === prompt) {
      state.ask = { ...state.ask, prompt: findSample(id)?.prompt ?? '' };
    }
    state.source = id;
    if (id !== 'own') load(loadSample(id), false);
    else if (typeof own === 'string') takeText(typedText(own), false);
    else openFile(own);
    const sample = findSample(id);
    if (sample === undefined) return;
    if (probeChosen === null) showProbe(sample.probe);
  }

  function openFile(file: File): void {
    state.source = 'own';
    own = file;
    load(loadFile(file), true);
  }

  /** Opens a model; with a sample text that it learned from, its run can go on. */
  function openModel(files: readonly File[]): void {
    session?.openModel(
      () => sortModel(files),
      ({ facts, why }) => {
        const id = notedText(facts.note);
        if (why?.code !== 'text-differs' || id === null || id === state.source) return;
        chooseSource(id);
      },
    );
  }

  /** Takes a text when it has come, unless another was chosen meanwhile. */
  function load(loading: Promise<LoadedText>, probe: boolean): void {
    const ticket = ++loads;
    loading.then(
      (text) => {
        if (ticket === loads) takeText(text, probe);
      },
      (thrown: unknown) => {
        if (ticket !== loads) return;
        // What was there stays there: the message says why the new text is not.
        state.textError = asError(thrown);
        page?.update();
      },
    );
  }

  function takeText(text: LoadedText, probe: boolean): void {
    showText(text);
    if (probe && probeChosen === null) showProbe(firstWords(text.shown));
    if (session === null) held = text;
    else session.setText(text);
  }

  function showText(text: LoadedText): void {
    loads += 1;
    state.source = text.source;
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

  // ---- Looking ----------------------------------------------------------------------------------

  function watch(): void {
    const seen = attentionInSight.size > 0 && !document.hidden;
    const attention = seen ? { text: state.probe, maxTokens: PROBE_TOKENS } : null;
    session?.watch({ attention, samples: LIVE_SAMPLES });
  }

  document.addEventListener('visibilitychange', watch);
  const sight = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) attentionInSight.add(target);
      else attentionInSight.delete(target);
    }
    watch();
  });
  for (const id of ['attention', 'closer']) {
    attentionInSight.add(layout.section(id));
    sight.observe(layout.section(id));
  }

  const resized = new ResizeObserver(() => {
    page?.resize();
  });
  resized.observe(layout.main);
  onSystemTheme(() => {
    page?.resize();
  });

  // ---- Address, language, colours ---------------------------------------------------------------

  function saveAddress(): void {
    // An address that is not of our writing is about to be read.
    if (session === null || reading || location.hash !== known) return;
    const settings = {
      lang: langChosen ? lang : null,
      source: state.source as SourceId,
      recipe: session.recipe,
      probe: probeChosen,
      ask: state.ask,
      pace: state.pace,
      closer: state.closer,
    };
    const hash = writeAddress(settings, session.table);
    if (hash === location.hash) return;
    try {
      const url = hash === '' ? location.pathname + location.search : hash;
      // Another place is one to come back to; all else, typing above all, is not.
      if (samePlace(location.hash, hash, session.table)) history.replaceState(null, '', url);
      else history.pushState(null, '', url);
      known = location.hash;
    } catch {
      // Some frames refuse; the page works without an address.
    }
  }

  window.addEventListener('hashchange', () => {
    known = location.hash;
    address = readAddress(known);
    if (session === null) return;
    reading = true;
    const next = chooseLang(address.lang, navigator.languages);
    langChosen = address.lang !== null;
    probeChosen = address.params.get('probe');
    state.ask = readAsk(address);
    state.pace = readPace(address);
    state.closer = readCloser(address);
    session.pace(state.pace);
    if (address.source !== state.source) chooseSource(address.source);
    session.setRecipe(readRecipe(address, session.table), false);
    showProbe(probeChosen ?? findSample(state.source)?.probe ?? firstWords(state.shown));
    switchLang(next);
    reading = false;
    saveAddress();
  });

  function switchLang(next: Lang): void {
    lang = next;
    words = wordsOf(lang);
    document.documentElement.lang = lang === 'zh' ? 'zh-Hans' : 'en';
    page?.destroy();
    page = makePage();
    renderHeader();
  }

  function renderHeader(): void {
    showPlace(words, place_, session?.run ?? null);
    fillHeader(words, {
      theme: recallTheme(),
      toured: recall('always', 'tour') !== null,
      onTour: () => page?.showAround(),
      onLang: (next) => {
        langChosen = true;
        switchLang(next);
        saveAddress();
      },
      onTheme: (theme) => {
        applyTheme(theme);
        page?.resize();
        page?.update();
      },
    });
  }
}

/** The sample text that a file says it learned from, if any. */
function notedText(note: string): SourceId | null {
  try {
    return findSample((JSON.parse(note) as { text: string }).text)?.id ?? null;
  } catch {
    return null;
  }
}

/** The beginning of a text's first line: something to look at when the text is one's own. */
function firstWords(text: string): string {
  const line = text.split('\n').find((candidate) => candidate.trim() !== '') ?? '';
  return Array.from(line.trim()).slice(0, 24).join('').trim();
}

/** When the browser has nothing better to do. */
function whenIdle(action: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(action);
  else setTimeout(action, 500);
}
