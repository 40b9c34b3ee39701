/**
 * The app: starts the engine, makes the page of its language and lesson, and shows what the store
 * says.
 */
import type { CreatedTrainer } from '../engine/create.ts';
import { asError, factsOf, failure } from '../engine/errors.ts';
import { LANG_TAGS, LANGS, chooseLang, hasAllWords, loadAllWords, wordsOf } from '../i18n/index.ts';
import type { Lang, Words } from '../i18n/index.ts';
import { preloadGlossary } from '../instruments/glossary/glossary.ts';
import { download } from '../kit/download.ts';
import { idle } from '../kit/idle.ts';
import { watchSight } from '../kit/in-sight.ts';
import type { Sight } from '../kit/in-sight.ts';
import { createKept } from '../kit/kept.ts';
import type { AddressStore } from '../store/address/address-store.ts';
import { FREE, samePanels, shows } from '../store/address/lesson.ts';
import type { Lesson } from '../store/address/lesson.ts';
import { readAddress } from '../store/address/page-settings.ts';
import type { App, Status } from '../store/remote.ts';
import { Store } from '../store/store.ts';
import type { SampleReader } from '../store/text/text-source.ts';
import { SAMPLE_TEXTS } from '../store/text/texts.ts';
import type { SampleText } from '../store/text/texts.ts';
import { PROBE_TOKENS } from '../store/training/probe-choice.ts';
import { isSettled } from '../store/training/session.ts';
import type { Change, Session } from '../store/training/session.ts';
import { stripState } from '../store/training/strip-state.ts';
import { preloadCloser } from './closer.ts';
import { watchDeployment } from './deployment.ts';
import { buildLayout } from './layout.ts';
import { Page } from './page.ts';
import { CLOSER } from './panels.ts';
import { placeText } from './place-note.ts';
import { isDark, onSystemTheme } from './theme.ts';

/** Texts that are written at each chosen step, and how long they may be. */
const LIVE_SAMPLES = { count: 6, maxTokens: 120 };
/** Where attention is shown. */
const ATTENTION_SECTIONS = ['attention', 'closer'];

export interface AppOptions {
  /** Starts the engine. */
  readonly startEngine: () => Promise<CreatedTrainer>;
  /** Starts another one beside it, on one thread or several; left out if there must be only one. */
  readonly startSecond?: (threaded: boolean) => Promise<CreatedTrainer>;
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
  const { root, keeps = true, samples = SAMPLE_TEXTS, address } = options;
  let lesson: Lesson = { ...(options.lesson ?? FREE) };
  let layout = buildLayout(main, lesson);
  const asked = readAddress(address.read()).lang;
  let langChosen = asked !== null;
  let lang: Lang = chooseLang(asked, navigator.languages);
  let words: Words = wordsOf(lang);
  /** Where the engine works. */
  let place: 'worker' | 'page' = 'worker';
  let tellBeside: CreatedTrainer['tellBeside'] = null;
  /** Places that show attention. */
  let attentionSights: readonly Sight[] = [];
  let autostart = lesson.autostart;
  /** The words of the lesson, as they were said last; null for those of the address. */
  let said: URLSearchParams | null = null;
  /** What is for later was asked for. */
  let isRestAsked = false;
  let destroyed = false;
  /** What was asked for before there was an engine. */
  const early: (() => void)[] = [];
  const kept = createKept();
  const listeners = new Set<(status: Status) => void>();
  const undo: (() => void)[] = [];
  /** Null only until everything that comes over the network has set out. */
  let page: Page | null = null;

  // Everything that has to come over the network sets out at once.
  const starting = options.startEngine();
  const { startSecond } = options;
  const store: Store = new Store({
    ...{ address, keeps, readSample: options.readSample },
    ...{ text: options.text, textError: options.textError, download },
    lesson: () => lesson,
    isLesson: options.lesson !== undefined,
    onSite: options.home !== undefined,
    loading: words.t('text.loading'),
    lang: () => (langChosen ? lang : null),
    onLang: (wanted) => {
      langChosen = wanted !== null;
      const next = chooseLang(wanted, navigator.languages);
      if (next !== lang) switchLang(next);
    },
    onStrange: (strange) => options.onStrange?.(strange),
    onProbe: watch,
    tellBeside: () => tellBeside,
    startSecond: startSecond === undefined ? null : () => startSecond(false),
    changed: () => page?.update(),
    ran: (what) => {
      changed(what);
      askForRest();
    },
  });
  page = makePage();
  showWords();

  starting
    .then(async (created) => {
      ({ place, tellBeside } = created);
      const table = await created.trainer.options();
      if (destroyed) return;
      store.begin(created.trainer, table, said);
      watch();
      for (const action of early.splice(0)) action();
    })
    .catch((thrown: unknown) => {
      if (!destroyed) store.update({ loadError: asError(thrown) });
    })
    // What goes wrong in showing it is no failure of the engine's.
    .then(() => {
      if (destroyed) return;
      showWords();
      changed();
    })
    .catch(reportError);

  /** Null until the engine has started, and while the store is being made. */
  function session(): Session | null {
    return page === null ? null : store.session;
  }

  function makePage(): Page {
    const { state, actions, runs } = store;
    return new Page({
      ...{ layout, words, state, actions, samples, lesson, runs, kept, session },
      home: options.home ?? null,
      site: options.site ?? null,
      startTrial: startSecond === undefined ? null : () => startSecond(true),
      offers: (tab) => shows(lesson, 'closer') && CLOSER.some(({ id }) => id === tab),
      fragment: address.read,
      isDark: () => isDark(root),
    });
  }

  function changed(what: Change = 'all'): void {
    if (page === null) return;
    page.update(what);
    options.onPlace?.(placeText(words, place, session()?.run ?? null));
    if (listeners.size > 0 || autostart) {
      const now = status();
      for (const listener of listeners) listener(now);
    }
    startInSight();
  }

  /** Once, when it is asked for, possible, and seen. */
  function startInSight(): void {
    if (!autostart || page === null || !sight.visible() || status().state !== 'ready') return;
    autostart = false;
    session()?.start();
  }

  /** What is asked for before there is an engine is done when there is one. */
  function whenReady(action: (session: Session) => void): void {
    const act = (): void => {
      const now = session();
      if (now !== null) action(now);
    };
    if (session() === null) early.push(act);
    else act();
  }

  function status(): Status {
    const now = session();
    const run = now?.run ?? null;
    const { textError, loadError } = store.state;
    const error = textError ?? loadError ?? run?.error ?? now?.error ?? null;
    return {
      // Without an engine there is nothing yet to command, whatever is wrong with the text.
      state: stripState(now, now === null ? loadError : error),
      step: run?.step ?? 0,
      steps: run?.steps ?? 0,
      loss: run?.history.last ?? null,
      smoothedLoss: run?.history.smoothedLast() ?? null,
      validationLoss: run?.history.lastValidation?.loss ?? null,
      preset: now?.recipe.preset ?? '',
      place,
      error: error === null ? null : factsOf(error),
    };
  }

  /** Asks for all that is for later, once Start can be pressed or it is known why not. */
  function askForRest(): void {
    const now = session();
    if (isRestAsked || now === null) return;
    if (!isSettled(now) && store.state.textError === null) return;
    isRestAsked = true;
    // A mark for measurements: what is fetched from here on is for later.
    performance.mark('glasshouse-ready');
    // Without a panel that could not be made the rest goes on.
    void (page?.made ?? Promise.resolve())
      .catch(reportError)
      .then(idle)
      .then(() => {
        if (destroyed) return;
        store.preload();
        // Another language must not ask the network for anything later.
        for (const one of LANGS) void loadAllWords(one).catch(() => undefined);
        if (shows(lesson, 'closer')) preloadCloser(lang);
        // Elsewhere the words of the glossary come when they are asked for.
        if (options.home !== undefined) preloadGlossary(lang);
        options.onReady?.();
      });
  }

  // ---- Looking ----------------------------------------------------------------------------------

  function watch(): void {
    const now = session();
    if (now === null) return;
    const live = attentionSights.some((one) => one.visible());
    const shown = ATTENTION_SECTIONS.some((id) => layout.find(id) !== null);
    const probe = { text: store.state.probe, maxTokens: PROBE_TOKENS, live };
    now.watch({ attention: shown ? probe : null, samples: LIVE_SAMPLES });
  }

  watchSections();
  undo.push(unwatchSections);

  /** Attention is measured while it can be seen. */
  function watchSections(): void {
    const sections = ATTENTION_SECTIONS.map((id) => layout.find(id));
    attentionSights = sections.flatMap((one) => (one === null ? [] : [watchSight(one, watch)]));
  }

  function unwatchSections(): void {
    for (const one of attentionSights) one.destroy();
  }

  const sight = watchSight(main, startInSight);
  undo.push(sight.destroy);
  if (options.home !== undefined) {
    undo.push(
      watchDeployment(() => {
        store.update({ isReplaced: true });
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

  // ---- Language and lesson ----------------------------------------------------------------------

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
        store.refuse(failure('language', `no words came: ${String(thrown)}`));
        showWords();
        changed();
        store.saveAddress();
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
    store.tellStrange(params);
    if (next.autostart !== lesson.autostart) autostart = next.autostart;
    const same = samePanels(lesson, next);
    // Panels that stay go by the lesson that they were given: it becomes the next one.
    if (same) Object.assign(lesson, next);
    else lesson = { ...next };
    layout.tell(lesson);
    // Typing in a panel is not interrupted as long as the panels are the same.
    if (!same) relay();
    changed();
  }

  function relay(): void {
    unwatchSections();
    page?.destroy();
    layout = buildLayout(main, lesson);
    layout.speak(words);
    page = makePage();
    watchSections();
    watch();
  }

  function showWords(): void {
    root.lang = LANG_TAGS[lang];
    layout.speak(words);
    options.onPlace?.(placeText(words, place, session()?.run ?? null));
    options.onWords?.(words, {
      showAround: () => page?.showAround(),
      setLang: (next) => {
        langChosen = true;
        switchLang(next);
        store.saveAddress();
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
    losses: () => session()?.run?.history.all ?? [],
    start: () => {
      whenReady((now) => {
        now.start();
      });
    },
    pause: () => {
      whenReady((now) => {
        now.pause();
      });
    },
    step: () => {
      whenReady((now) => {
        now.step();
      });
    },
    rewind: () => session()?.rewind(),
    setText: (text) => {
      store.giveText(text);
    },
    setPreset: (preset) => {
      store.givePreset(preset);
    },
    setOption: (name, value) => {
      store.giveOption(name, value);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    destroy: () => {
      destroyed = true;
      for (const each of undo.splice(0)) each();
      listeners.clear();
      store.destroy();
      page?.destroy();
      page = null;
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
