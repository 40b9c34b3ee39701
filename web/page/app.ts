/**
 * The app: starts the engine, owns the store, creates the page in the reader's language with the
 * panels of the lesson, and redraws it when the store changes. The site, frames and elements of
 * other pages use the same app with other options.
 */
import type { CreatedTrainer } from '../engine/create.ts';
import { SITE } from '../base/form.ts';
import { asError, failure, ignore } from '../engine/errors.ts';
import { chooseLang, hasAllWords, languageOf, loadAllWords, wordsOf } from '../i18n/index.ts';
import type { Lang, Words } from '../i18n/index.ts';
import { download } from '../kit/download.ts';
import { beginWork, watchRest } from '../kit/at-rest.ts';
import { scrollBehavior } from '../kit/dom.ts';
import { idle } from '../kit/idle.ts';
import { watchSight } from '../kit/in-sight.ts';
import type { Sight } from '../kit/in-sight.ts';
import { createKept } from '../kit/kept.ts';
import { FREE, readStop, samePanels, shows, TAB_SECTION } from '../store/address/lesson.ts';
import type { Lesson } from '../store/address/lesson.ts';
import { readAddress } from '../store/address/page-settings.ts';
import type { App, Asked, Status } from '../store/host/host.ts';
import { statusOf } from '../store/host/status.ts';
import { Store } from '../store/store.ts';
import { SAMPLE_TEXTS } from '../store/text/texts.ts';
import { PROBE_TOKENS } from '../store/training/probe-choice.ts';
import type { RunData } from '../store/training/run-data.ts';
import { isSettled } from '../store/training/shown-plan.ts';
import type { Session } from '../store/training/session.ts';
import type { Awake } from './awake.ts';
import { preloadRest, savesData } from './preload-rest.ts';
import { watchDeployment } from './deployment.ts';
import type { AppOptions } from './app-options.ts';
import { buildLayout } from './layout.ts';
import type { Layout } from './layout.ts';
import { LessonCourse } from './lesson-course.ts';
import { Page } from './page.ts';
import { TAB_PANELS } from './panels.ts';
import { placeText } from './place-note.ts';
import { isDark, onSystemTheme } from './theme.ts';

/** Number of texts that the model writes at each sampling step, and their maximum length. */
const LIVE_SAMPLES = { count: 6, maxTokens: 120 };
/** Sections that show attention. */
const ATTENTION_SECTIONS = ['attention', TAB_SECTION];

/** Starts the app in `main`. The catalogue of its language must be loaded. */
export function createApp(main: HTMLElement, options: AppOptions): App {
  return new PageApp(main, options);
}

class PageApp implements App {
  readonly #main: HTMLElement;
  readonly #options: AppOptions;
  /** Null while the constructor runs, and after `destroy`. */
  #page: Page | null = null;
  readonly #store: Store;
  #layout: Layout;
  #lesson: Lesson;
  #lang: Lang;
  #langChosen: boolean;
  #words: Words;
  /** The thread of the engine. */
  #place: 'worker' | 'page' = 'worker';
  #preload: CreatedTrainer['preload'] = null;
  /** Whether each section that shows attention is visible. */
  #attentionSights: readonly Sight[] = [];
  readonly #sight: Sight;
  readonly #course: LessonCourse;
  /** Parameters of the last `setLesson`; null if only the address has set parameters. */
  #said: URLSearchParams | null = null;
  /** Whether the preloads have been scheduled. */
  #isRestAsked = false;
  /** Ends the start, which is pending work until Start can be pressed or the text has an error. */
  readonly #endStart = beginWork();
  #awake: Awake | null = null;
  #isAwakeAsked = false;
  #destroyed = false;
  /** Commands received before the engine started, in order. */
  readonly #early: (() => void)[] = [];
  readonly #kept = createKept();
  readonly #listeners = new Set<(status: Status) => void>();
  readonly #undo: (() => void)[] = [];
  readonly #starting: Promise<CreatedTrainer>;
  /** Resolves once the session exists, or the engine has failed to start. */
  readonly #begun: Promise<void>;

  constructor(main: HTMLElement, options: AppOptions) {
    this.#main = main;
    this.#options = options;
    this.#undo.push(
      watchRest((rests) => main.toggleAttribute('data-rest', rests)),
      this.#endStart,
    );
    const { params, lang: asked } = readAddress(options.address.read());
    this.#lesson = { ...(options.lesson ?? { ...FREE, stop: readStop(params.get('stop')) }) };
    this.#course = new LessonCourse({
      lesson: () => this.#lesson,
      session: () => this.#session,
      status: () => this.status(),
      isInSight: () => this.#page !== null && this.#sight.visible(),
      start: () => this.#store.start(),
      lookAt: (step) => this.#store.actions.onLookAt(step),
      show: (lesson) => this.#layout.tell(lesson),
    });
    this.#layout = buildLayout(main, this.#course.lesson);
    this.#langChosen = asked !== null;
    this.#lang = chooseLang(asked, navigator.languages);
    this.#words = wordsOf(this.#lang);
    // Requests the engine before the page is created, so that both load at once.
    this.#starting = options.startEngine();
    this.#store = this.#makeStore();
    this.#page = this.#makePage();
    this.#showWords();
    this.#begun = this.#begin();
    this.#watchSections();
    this.#sight = watchSight(main, () => this.#course.start());
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
        this.#course.seek(stop);
        this.#course.obey();
      },
      onUnknownParams: (unknown) => this.#options.onUnknownParams?.(unknown),
      onProbe: () => this.#watch(),
      startSecond: startSecond === undefined ? null : () => startSecond(false),
      startPast: this.#options.startQuestions ?? null,
      watches: () => scrollBehavior() === 'smooth',
      ran: () => this.#changed(),
    });
  }

  /** Waits for the engine. The console gets errors in drawing, which the engine did not cause. */
  async #begin(): Promise<void> {
    try {
      const created = await this.#starting;
      ({ place: this.#place, preload: this.#preload } = created);
      const table = await created.trainer.options();
      if (this.#destroyed) return;
      this.#store.begin(created.trainer, table, this.#said);
      this.#course.obey();
      this.#watch();
      for (const action of this.#early.splice(0)) {
        try {
          action();
        } catch (thrown) {
          reportError(thrown); // a wrong command of the host, which does not wait for it
        }
      }
    } catch (thrown) {
      if (!this.#destroyed) this.#store.update({ loadError: asError(thrown) });
    }
    try {
      if (this.#destroyed) return;
      this.#showWords();
      this.#store.tell();
    } catch (thrown) {
      reportError(thrown);
    }
  }

  /** Null until the engine has started, and while the store is being made. */
  get #session(): Session | null {
    return this.#page === null ? null : this.#store.session;
  }

  #makePage(): Page {
    const { state, actions, runs, changes } = this.#store;
    const { home = null, site = null, samples = SAMPLE_TEXTS, address, root } = this.#options;
    const { startSecond } = this.#options;
    const lesson = this.#lesson;
    return new Page({
      layout: this.#layout,
      words: this.#words,
      kept: this.#kept,
      state,
      changes,
      changed: () => this.#store.update({}),
      actions,
      samples,
      lesson,
      runs,
      home,
      site,
      session: () => this.#session,
      startTrial: startSecond === undefined ? null : () => startSecond(true),
      startQuestions: this.#options.startQuestions ?? null,
      offers: (tab) => this.#offers(tab),
      fragment: address.read,
      isDark: () => isDark(root),
    });
  }

  #offers(tab: string): boolean {
    return shows(this.#lesson, TAB_SECTION) && TAB_PANELS.some(({ id }) => id === tab);
  }

  /** Acts on a change of the session. */
  #changed(): void {
    if (this.#page === null) return;
    this.#course.arrive();
    this.#tellPlace();
    this.#stayAwake();
    if (this.#listeners.size > 0 || this.#course.waits) {
      const now = this.status();
      for (const listener of this.#listeners) listener(now);
    }
    this.#course.start();
    this.#askForRest();
  }

  /** Keeps the screen awake while a run trains. The code loads at the first run. */
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

  // ---- Interface `App`, for elements and frames -------------------------------------------------

  status(): Status {
    return statusOf(this.#store.state, this.#session, this.#place);
  }

  losses(): readonly number[] {
    return this.#session?.run?.history.all ?? [];
  }

  start(until?: number): void {
    this.#whenReady(() => this.#store.start(until));
  }

  pause(): void {
    this.#whenReady((now) => now.pause());
  }

  step(): void {
    this.#whenReady(() => this.#store.step());
  }

  rewind(): void {
    this.#whenReady((now) => {
      now.rewind();
    });
  }

  setText(text: string): void {
    this.#store.giveText(text);
  }

  setPreset(preset: string): void {
    this.#whenReady(() => {
      this.#store.givePreset(preset);
    });
  }

  setOption(name: string, value: number): void {
    this.#whenReady(() => {
      this.#store.giveOption(name, value);
    });
  }

  setView(tab: string): void {
    if (!this.#offers(tab)) throw failure('host-call', `there is no tab ${tab}`, [], tab);
    this.#store.actions.onTab(tab);
  }

  async ask(name: string, args: readonly unknown[], asked: Asked = {}): Promise<unknown> {
    await this.#begun;
    const { answer } = await import('../store/host/answers.ts');
    const { startQuestions = null } = this.#options;
    const app = {
      store: this.#store,
      startQuestions,
      kept: this.#kept,
      status: () => this.status(),
    };
    return answer(app, name, args, asked);
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
    // An engine that is still starting must end its worker, too.
    void this.#starting.then(
      ({ trainer }) => {
        trainer.close();
      },
      () => undefined,
    );
    this.#main.replaceChildren();
  }

  /** Runs a command now, or once the engine has started. */
  #whenReady(action: (session: Session) => void): void {
    const act = (): void => {
      const now = this.#session;
      if (now !== null) action(now);
    };
    if (this.#session === null) this.#early.push(act);
    else act();
  }

  /** Preloads later parts once Start can be pressed, or an error of the text is known. */
  #askForRest(): void {
    const now = this.#session;
    if (this.#isRestAsked || now === null) return;
    if (!isSettled(now) && this.#store.state.textError === null) return;
    this.#isRestAsked = true;
    this.#endStart();
    // Load measurements count requests up to this mark.
    performance.mark('glasshouse-ready');
    // A panel that fails does not stop the preloads.
    void (this.#page?.made ?? Promise.resolve())
      .catch(reportError)
      .then(idle)
      .then(() => {
        if (this.#destroyed) return;
        this.#store.keep();
        if (savesData()) return;
        this.#store.preload();
        preloadRest(this.#options, {
          lang: this.#lang,
          hasTabs: shows(this.#lesson, TAB_SECTION),
          engine: this.#options.keeps === false ? null : this.#preload,
        });
        this.#options.onReady?.();
      });
  }

  // ---- Watching the page ------------------------------------------------------------------------

  readonly #watch = (): void => {
    const now = this.#session;
    if (now === null) return;
    const live = this.#attentionSights.some((one) => one.visible());
    const shown = ATTENTION_SECTIONS.some((id) => this.#layout.find(id) !== null);
    const probe = { text: this.#store.state.probe, maxTokens: PROBE_TOKENS, live };
    now.watch({ attention: shown ? probe : null, samples: LIVE_SAMPLES });
  };

  /** Measures attention only while one of its sections is in sight. */
  #watchSections(): void {
    const sections = ATTENTION_SECTIONS.map((id) => this.#layout.find(id));
    this.#attentionSights = sections.flatMap((one) =>
      one === null ? [] : [watchSight(one, this.#watch)],
    );
  }

  #unwatchSections(): void {
    for (const one of this.#attentionSights) one.destroy();
  }

  /** Redraws in the current colours: components read them at a render, canvases when drawn. */
  #recolour(): void {
    this.#page?.resize();
    this.#store.update({});
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

  /** Changes the language as soon as its words have loaded. */
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
        // The language stays if its texts cannot be fetched, and the error is shown.
        this.#lang = this.#words.lang;
        this.#store.refuse(failure('language', `no words came: ${String(thrown)}`));
        this.#showWords();
        this.#store.tell();
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

  /** Applies another lesson: panels, locks, task. The run continues. */
  #setLesson(next: Lesson, params: URLSearchParams): void {
    this.#said = params;
    this.#store.tellUnknown(params);
    const { autostart, stop } = this.#lesson;
    if (next.autostart !== autostart) this.#course.waits = next.autostart;
    if (next.stop !== stop) this.#course.seek(next.stop);
    const same = samePanels(this.#lesson, next);
    // Panels hold a reference to the lesson: kept panels need the same object, updated.
    if (same) Object.assign(this.#lesson, next);
    else this.#lesson = { ...next };
    this.#layout.tell(this.#course.lesson);
    this.#course.obey();
    // Only a lesson with other panels or locks recreates the panels, which interrupts typing.
    if (!same) this.#relay();
    this.#store.tell();
  }

  #relay(): void {
    this.#unwatchSections();
    this.#page?.destroy();
    this.#layout = buildLayout(this.#main, this.#course.lesson);
    this.#layout.speak(this.#words);
    this.#page = this.#makePage();
    this.#watchSections();
    this.#watch();
  }

  #showWords(): void {
    const { root } = this.#options;
    ({ tag: root.lang, dir: root.dir } = languageOf(this.#lang));
    this.#layout.speak(this.#words);
    this.#tellPlace();
    this.#options.onWords?.(this.#words, {
      showAround: () => this.#page?.showAround(),
      showStory: this.#page?.showStory ?? null,
      setLang: (next) => {
        this.#langChosen = true;
        this.#switchLang(next);
        this.#store.saveAddress();
      },
      recolour: () => this.#recolour(),
      setLesson: (next, params) => this.#setLesson(next, params),
    });
  }
}
