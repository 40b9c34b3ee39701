/**
 * The app: starts the engine, makes the page of its language and lesson, and shows what the store
 * says.
 */
import type { CreatedTrainer } from '../engine/create.ts';
import { SITE } from '../base/form.ts';
import { asError, factsOf, failure, ignore } from '../engine/errors.ts';
import { LANG_TAGS, LANGS, chooseLang, hasAllWords, loadAllWords, wordsOf } from '../i18n/index.ts';
import type { Lang, Words } from '../i18n/index.ts';
import { preloadGlossary } from './glossary/glossary.ts';
import { download } from '../kit/download.ts';
import { beginWork, watchRest } from '../kit/at-rest.ts';
import { scrollBehavior } from '../kit/dom.ts';
import { idle } from '../kit/idle.ts';
import { watchSight } from '../kit/in-sight.ts';
import type { Sight } from '../kit/in-sight.ts';
import { createKept } from '../kit/kept.ts';
import type { AddressStore } from '../store/address/address-store.ts';
import { FREE, readStop, samePanels, shows, TAB_SECTION } from '../store/address/lesson.ts';
import type { Lesson } from '../store/address/lesson.ts';
import { readAddress } from '../store/address/page-settings.ts';
import type { App, Status } from '../store/remote.ts';
import { Store } from '../store/store.ts';
import type { SampleReader } from '../store/text/text-source.ts';
import { SAMPLE_TEXTS } from '../store/text/texts.ts';
import type { SampleText } from '../store/text/texts.ts';
import { PROBE_TOKENS } from '../store/training/probe-choice.ts';
import type { RunData } from '../store/training/run-data.ts';
import { isSettled } from '../store/training/session.ts';
import type { Change, Session } from '../store/training/session.ts';
import { runBarState } from '../store/training/run-bar-state.ts';
import type { Awake } from './awake.ts';
import { preloadTabs } from './tab-section.ts';
import { watchDeployment } from './deployment.ts';
import { buildLayout } from './layout.ts';
import type { Layout } from './layout.ts';
import { Page } from './page.ts';
import { TAB_PANELS } from './panels.ts';
import { placeText } from './place-note.ts';
import { isDark, onSystemTheme } from './theme.ts';

/** Texts that are written at each chosen step, and how long they may be. */
const LIVE_SAMPLES = { count: 6, maxTokens: 120 };
/** Where attention is shown. */
const ATTENTION_SECTIONS = ['attention', TAB_SECTION];

export interface AppOptions {
  /** Starts the engine. */
  readonly startEngine: () => Promise<CreatedTrainer>;
  /** Starts another one beside it, on one thread or several; left out if there must be only one. */
  readonly startSecond?: (threaded: boolean) => Promise<CreatedTrainer>;
  /** Starts one that answers questions about the text; without it none is answered. */
  readonly startQuestions?: () => Promise<CreatedTrainer>;
  /** Fetches what that needs, so that nothing is asked of the network later. */
  readonly preloadQuestions?: () => void;
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
  /** Called with the parameters of an address or of attributes that mean nothing here. */
  readonly onUnknownParams?: (words: readonly string[]) => void;
  /** Whether small things may be kept for the next visit. */
  readonly keeps?: boolean;
  /** The reader's own text to begin with, for addresses that say `text=own`. */
  readonly text?: string | Uint8Array<ArrayBuffer>;
  /** The name that its link or element gives to it. */
  readonly textName?: string;
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
  /** Other panels, locks or task, by these parameters of an address; the run goes on. */
  readonly setLesson: (lesson: Lesson, params: URLSearchParams) => void;
}

/** Whether the reader told the browser to load no more than is needed. Only Chromium says so. */
function savesData(): boolean {
  const { connection } = navigator as { connection?: { readonly saveData?: boolean } };
  return connection?.saveData === true;
}

/** Starts the app in `main`, which it fills. The catalogue of its language must be here. */
export function createApp(main: HTMLElement, options: AppOptions): App {
  return new PageApp(main, options);
}

class PageApp implements App {
  readonly #main: HTMLElement;
  readonly #options: AppOptions;
  /** Null only until everything that comes over the network has set out. */
  #page: Page | null = null;
  readonly #store: Store;
  #layout: Layout;
  #lesson: Lesson;
  #lang: Lang;
  #langChosen: boolean;
  #words: Words;
  /** Where the engine works. */
  #place: 'worker' | 'page' = 'worker';
  #preload: CreatedTrainer['preload'] = null;
  /** Places that show attention. */
  #attentionSights: readonly Sight[] = [];
  readonly #sight: Sight;
  #autostart: boolean;
  /** The run has come to the step that the lesson names. */
  #hasArrived = false;
  /** The words of the lesson, as they were said last; null for those of the address. */
  #said: URLSearchParams | null = null;
  /** What is for later was asked for. */
  #isRestAsked = false;
  /** Ends the work of starting: Start can be pressed, or it is known why not. */
  readonly #endStart = beginWork();
  #awake: Awake | null = null;
  #isAwakeAsked = false;
  #destroyed = false;
  /** What was asked for before there was an engine. */
  readonly #early: (() => void)[] = [];
  readonly #kept = createKept();
  readonly #listeners = new Set<(status: Status) => void>();
  readonly #undo: (() => void)[] = [];
  readonly #starting: Promise<CreatedTrainer>;

  constructor(main: HTMLElement, options: AppOptions) {
    this.#main = main;
    this.#options = options;
    this.#undo.push(
      watchRest((rests) => main.toggleAttribute('data-rest', rests)),
      this.#endStart,
    );
    const { params, lang: asked } = readAddress(options.address.read());
    this.#lesson = { ...(options.lesson ?? { ...FREE, stop: readStop(params.get('stop')) }) };
    this.#autostart = this.#lesson.autostart || this.#lesson.stop !== null;
    this.#layout = buildLayout(main, this.#visibleLesson);
    this.#langChosen = asked !== null;
    this.#lang = chooseLang(asked, navigator.languages);
    this.#words = wordsOf(this.#lang);
    // Everything that has to come over the network sets out at once.
    this.#starting = options.startEngine();
    this.#store = this.#makeStore();
    this.#page = this.#makePage();
    this.#showWords();
    void this.#begin();
    this.#watchSections();
    this.#sight = watchSight(main, () => {
      this.#startInSight();
    });
    this.#watchSurroundings();
  }

  #makeStore(): Store {
    const { address, keeps = true, readSample, home, startSecond } = this.#options;
    const { text, textName, textError } = this.#options;
    return new Store({
      address,
      keeps,
      readSample,
      text,
      textName,
      textError,
      download,
      lesson: () => this.#lesson,
      isLesson: this.#options.lesson !== undefined,
      onSite: home !== undefined,
      loading: this.#words.t('text.loading'),
      lang: () => (this.#langChosen ? this.#lang : null),
      onLang: (wanted) => {
        this.#langChosen = wanted !== null;
        const next = chooseLang(wanted, navigator.languages);
        if (next !== this.#lang) this.#switchLang(next);
      },
      onStop: (stop) => {
        if (stop === null || stop === this.#lesson.stop) return;
        this.#lesson = { ...this.#lesson, stop };
        this.#seek(stop);
        this.#obey();
      },
      onUnknownParams: (unknown) => this.#options.onUnknownParams?.(unknown),
      onProbe: () => {
        this.#watch();
      },
      startSecond: startSecond === undefined ? null : () => startSecond(false),
      startPast: this.#options.startQuestions ?? null,
      watches: () => scrollBehavior() === 'smooth',
      changed: () => this.#page?.update(),
      ran: (what) => {
        this.#changed(what);
        this.#askForRest();
      },
    });
  }

  /** Waits for the engine; what goes wrong then in showing it is no failure of the engine's. */
  async #begin(): Promise<void> {
    try {
      const created = await this.#starting;
      ({ place: this.#place, preload: this.#preload } = created);
      const table = await created.trainer.options();
      if (this.#destroyed) return;
      this.#store.begin(created.trainer, table, this.#said);
      this.#obey();
      this.#watch();
      for (const action of this.#early.splice(0)) action();
    } catch (thrown) {
      if (!this.#destroyed) this.#store.update({ loadError: asError(thrown) });
    }
    try {
      if (this.#destroyed) return;
      this.#showWords();
      this.#changed();
    } catch (thrown) {
      reportError(thrown);
    }
  }

  /** Null until the engine has started, and while the store is being made. */
  get #session(): Session | null {
    return this.#page === null ? null : this.#store.session;
  }

  #makePage(): Page {
    const { state, actions, runs } = this.#store;
    const { home = null, site = null, samples = SAMPLE_TEXTS, address, root } = this.#options;
    const { startSecond } = this.#options;
    const lesson = this.#lesson;
    return new Page({
      layout: this.#layout,
      words: this.#words,
      kept: this.#kept,
      state,
      actions,
      samples,
      lesson,
      runs,
      home,
      site,
      session: () => this.#session,
      startTrial: startSecond === undefined ? null : () => startSecond(true),
      startQuestions: this.#options.startQuestions ?? null,
      offers: (tab) => shows(lesson, TAB_SECTION) && TAB_PANELS.some(({ id }) => id === tab),
      fragment: address.read,
      isDark: () => isDark(root),
    });
  }

  #changed(what: Change = 'all'): void {
    if (this.#page === null) return;
    this.#page.update(what);
    this.#arrive();
    this.#tellPlace();
    this.#stayAwake();
    if (this.#listeners.size > 0 || this.#autostart) {
      const now = this.status();
      for (const listener of this.#listeners) listener(now);
    }
    this.#startInSight();
  }

  /** From the first run on; the code comes with it. */
  #stayAwake(): void {
    const running = (): RunData | null => {
      const run = this.#session?.run;
      return run?.state === 'running' ? run : null;
    };
    this.#awake?.look();
    if (!SITE || this.#isAwakeAsked || running() === null) return;
    this.#isAwakeAsked = true;
    import('./awake.ts').then(({ Awake }) => {
      if (this.#destroyed) return;
      this.#awake = new Awake(running, (slowed) => {
        this.#store.update({ slowed });
      });
      this.#undo.push(() => this.#awake?.destroy());
      this.#awake.look();
    }, ignore);
  }

  #tellPlace(): void {
    this.#options.onPlace?.(placeText(this.#words, this.#place, this.#session?.run ?? null));
  }

  /** The lesson, whose task waits for the step that it names. */
  get #visibleLesson(): Lesson {
    const waits = this.#lesson.stop !== null && !this.#hasArrived;
    return waits ? { ...this.#lesson, task: '' } : this.#lesson;
  }

  /** Another step is named: the run is to go there. */
  #seek(stop: number | null): void {
    this.#hasArrived = false;
    this.#autostart ||= stop !== null;
  }

  /** The run goes to the step that the lesson names now. */
  #obey(): void {
    const now = this.#session;
    if (now !== null && !this.#hasArrived) {
      now.stop = now.stopAgain = this.#lesson.stop;
      // One that is on its way hears where to stop.
      if (now.stop !== null && now.run?.state === 'running') now.start();
    }
    this.#arrive();
  }

  /** Shows the step that the lesson names, and the task, once the run is there. */
  #arrive(): void {
    const { stop } = this.#lesson;
    const { step = 0, state } = this.#session?.run ?? {};
    // A run may be over before.
    const isOver = step >= (stop ?? 0) || state === 'finished' || state === 'diverged';
    if (stop === null || this.#hasArrived || !isOver) return;
    this.#hasArrived = true;
    // From there on the run is the reader's.
    if (this.#session !== null) this.#session.stop = null;
    // A run of before may be further.
    if (step > stop) this.#store.actions.onLookAt(stop);
    this.#layout.tell(this.#visibleLesson);
  }

  /** Once, when it is asked for, possible, and seen. */
  #startInSight(): void {
    if (!this.#autostart || this.#page === null || !this.#sight.visible()) return;
    const { state, step } = this.status();
    const isShort = state === 'paused' && step < (this.#lesson.stop ?? 0);
    if (state === 'running') this.#autostart = false;
    if (state !== 'ready' && !isShort) return;
    this.#autostart = false;
    this.#store.start();
  }

  // ---- What others may ask ----------------------------------------------------------------------

  status(): Status {
    const now = this.#session;
    const run = now?.run ?? null;
    const { textError, loadError, awaitsText } = this.#store.state;
    const error = textError ?? loadError ?? run?.error ?? now?.error ?? null;
    return {
      // Without an engine there is nothing yet to command, whatever is wrong with the text.
      state: runBarState(now, now === null ? loadError : error, awaitsText),
      step: run?.step ?? 0,
      steps: run?.steps ?? 0,
      loss: run?.history.last ?? null,
      smoothedLoss: run?.history.smoothedLast() ?? null,
      validationLoss: run?.history.lastValidation?.loss ?? null,
      preset: now?.recipe.preset ?? '',
      place: this.#place,
      error: error === null ? null : factsOf(error),
    };
  }

  losses(): readonly number[] {
    return this.#session?.run?.history.all ?? [];
  }

  start(): void {
    this.#whenReady(() => {
      this.#store.start();
    });
  }

  pause(): void {
    this.#whenReady((now) => {
      now.pause();
    });
  }

  step(): void {
    this.#whenReady(() => {
      this.#store.step();
    });
  }

  rewind(): void {
    this.#session?.rewind();
  }

  setText(text: string): void {
    this.#store.giveText(text);
  }

  setPreset(preset: string): void {
    this.#store.givePreset(preset);
  }

  setOption(name: string, value: number): void {
    this.#store.giveOption(name, value);
  }

  subscribe(listener: (status: Status) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  destroy(): void {
    this.#destroyed = true;
    this.#unwatchSections();
    for (const each of this.#undo.splice(0)) each();
    this.#listeners.clear();
    this.#store.destroy();
    this.#page?.destroy();
    this.#page = null;
    // Also where the engine is only coming up: nobody else would end its worker.
    void this.#starting.then(
      ({ trainer }) => {
        trainer.close();
      },
      () => undefined,
    );
    this.#main.replaceChildren();
  }

  /** What is asked for before there is an engine is done when there is one. */
  #whenReady(action: (session: Session) => void): void {
    const act = (): void => {
      const now = this.#session;
      if (now !== null) action(now);
    };
    if (this.#session === null) this.#early.push(act);
    else act();
  }

  /** Asks for all that is for later, once Start can be pressed or it is known why not. */
  #askForRest(): void {
    const now = this.#session;
    if (this.#isRestAsked || now === null) return;
    if (!isSettled(now) && this.#store.state.textError === null) return;
    this.#isRestAsked = true;
    this.#endStart();
    // A mark for measurements: what is fetched from here on is for later.
    performance.mark('glasshouse-ready');
    // Without a panel that could not be made the rest goes on.
    void (this.#page?.made ?? Promise.resolve())
      .catch(reportError)
      .then(idle)
      .then(() => {
        if (this.#destroyed) return;
        this.#store.keep();
        if (savesData()) return;
        this.#store.preload();
        if (this.#options.keeps !== false) this.#preload?.();
        // Another language must not ask the network for anything later.
        for (const one of LANGS) void loadAllWords(one).catch(() => undefined);
        if (shows(this.#lesson, TAB_SECTION)) {
          preloadTabs(this.#lang);
          this.#options.preloadQuestions?.();
        }
        // Elsewhere the words of the glossary come when they are asked for.
        if (this.#options.home !== undefined) preloadGlossary(this.#lang);
        if (SITE) void import('./awake.ts').catch(ignore);
        this.#options.onReady?.();
      });
  }

  // ---- Looking ----------------------------------------------------------------------------------

  readonly #watch = (): void => {
    const now = this.#session;
    if (now === null) return;
    const live = this.#attentionSights.some((one) => one.visible());
    const shown = ATTENTION_SECTIONS.some((id) => this.#layout.find(id) !== null);
    const probe = { text: this.#store.state.probe, maxTokens: PROBE_TOKENS, live };
    now.watch({ attention: shown ? probe : null, samples: LIVE_SAMPLES });
  };

  /** Attention is measured while it can be seen. */
  #watchSections(): void {
    const sections = ATTENTION_SECTIONS.map((id) => this.#layout.find(id));
    this.#attentionSights = sections.flatMap((one) =>
      one === null ? [] : [watchSight(one, this.#watch)],
    );
  }

  #unwatchSections(): void {
    for (const one of this.#attentionSights) one.destroy();
  }

  /** Draws in other colours: components read them while rendering, canvases while drawing. */
  #recolour(): void {
    this.#page?.resize();
    this.#page?.update();
  }

  #watchSurroundings(): void {
    const resized = new ResizeObserver(() => this.#page?.resize());
    resized.observe(this.#main);
    const recolour = onSystemTheme(() => this.#recolour());
    this.#undo.push(this.#sight.destroy, recolour, () => resized.disconnect());
    if (this.#options.home === undefined) return;
    this.#undo.push(
      watchDeployment(() => {
        this.#store.update({ isReplaced: true });
      }),
    );
  }

  // ---- Language and lesson ----------------------------------------------------------------------

  /** Everything in another language, as soon as its words are here. */
  #switchLang(next: Lang): void {
    this.#lang = next;
    if (hasAllWords(next)) {
      this.#showLang();
      return;
    }
    loadAllWords(next).then(
      () => {
        if (this.#lang === next && !this.#destroyed) this.#showLang();
      },
      (thrown: unknown) => {
        if (this.#destroyed) return;
        // Without the network everything stays as it was, and says so.
        this.#lang = this.#words.lang;
        this.#store.refuse(failure('language', `no words came: ${String(thrown)}`));
        this.#showWords();
        this.#changed();
        this.#store.saveAddress();
      },
    );
  }

  #showLang(): void {
    this.#words = wordsOf(this.#lang);
    this.#page?.destroy();
    this.#page = this.#makePage();
    this.#page.resumeTour();
    this.#showWords();
  }

  /** All that is said of the lesson now: other panels, locks and words; the run goes on. */
  #setLesson(next: Lesson, params: URLSearchParams): void {
    this.#said = params;
    this.#store.tellUnknown(params);
    const { autostart, stop } = this.#lesson;
    if (next.autostart !== autostart) this.#autostart = next.autostart;
    if (next.stop !== stop) this.#seek(next.stop);
    const same = samePanels(this.#lesson, next);
    // Panels that stay go by the lesson that they were given: it becomes the next one.
    if (same) Object.assign(this.#lesson, next);
    else this.#lesson = { ...next };
    this.#layout.tell(this.#visibleLesson);
    this.#obey();
    // Typing in a panel is not interrupted as long as the panels are the same.
    if (!same) this.#relay();
    this.#changed();
  }

  #relay(): void {
    this.#unwatchSections();
    this.#page?.destroy();
    this.#layout = buildLayout(this.#main, this.#visibleLesson);
    this.#layout.speak(this.#words);
    this.#page = this.#makePage();
    this.#watchSections();
    this.#watch();
  }

  #showWords(): void {
    this.#options.root.lang = LANG_TAGS[this.#lang];
    this.#layout.speak(this.#words);
    this.#tellPlace();
    this.#options.onWords?.(this.#words, {
      showAround: () => this.#page?.showAround(),
      setLang: (next) => {
        this.#langChosen = true;
        this.#switchLang(next);
        this.#store.saveAddress();
      },
      recolour: () => this.#recolour(),
      setLesson: (next, params) => {
        this.#setLesson(next, params);
      },
    });
  }
}
