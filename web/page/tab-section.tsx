/**
 * The section of tabs: tab groups, of which at most one is open, each with a tab per panel. A panel
 * loads when its tab is first shown, and stays until the page is recreated.
 */
import type { Lang } from '../i18n/index.ts';
import { perFrame, reserveSpace } from '../kit/dom.ts';
import { drawn, whenIdle } from '../kit/idle.ts';
import { bringIntoView } from '../kit/in-sight.ts';
import { loadable } from '../kit/loadable.ts';
import type { Loadable } from '../kit/loadable.ts';
import { render } from '../kit/render.ts';
import { loadSections, TAB_PANELS } from './panels.ts';
import type { TabPanel } from './panels.ts';
import { Tabs } from './tabs.tsx';
import { withWords } from '../instruments/lazily.ts';
import { makePanel } from '../instruments/panel.ts';
import type { CreatePanel, Panel, PanelContext } from '../instruments/panel.ts';
import { isSettled } from '../store/training/shown-plan.ts';

/** The tab that is open at first in other pages than the site, because this tab needs no input. */
const OPEN = 'tokens';
/** Share of the window's height: an opened group whose tabs are lower is scrolled up. */
const LOW = 0.5;

export const createTabSection: CreatePanel = (container, context) =>
  new TabSection(container, context);

class TabSection implements Panel {
  readonly #container: HTMLElement;
  readonly #context: PanelContext;
  readonly #here: readonly TabPanel[];
  /**
   * The tab shown until the reader chooses one; empty on the site, where all groups are closed at
   * first, because the page already shows many panels.
   */
  #first: string;
  readonly #panels = new Map<string, Panel>();
  readonly #turn = perFrame(() => this.#follow());
  readonly #stop: () => void;
  /** Requested panels, by id. */
  readonly #coming = new Map<string, Loadable>();
  /** Panels that failed to load. */
  readonly #missing = new Set<string>();
  /** The last open tab of each group. */
  readonly #lastBehind = new Map<string, string>();
  #destroyed = false;
  #shown: string | null = null;
  /** Position to pass to `focus` of the open panel when it has loaded; undefined for none. */
  #entered: number | undefined;

  constructor(container: HTMLElement, context: PanelContext) {
    const { home } = context;
    this.#container = container;
    this.#context = context;
    this.#here = TAB_PANELS.filter(({ site }) => site !== true || home !== null);
    const first = this.#find(OPEN) ?? this.#here[0];
    this.#first = home === null ? (first?.id ?? '') : '';
    this.#follow();
    this.#stop = context.changes.subscribe(() => this.#turn.request());
  }

  /** Shows the tab of the address. */
  #follow(): void {
    const { tab } = this.#context.state;
    this.#show(this.#find(tab) === undefined ? this.#first : tab);
  }

  resize(): void {
    this.#panels.get(this.#shown ?? '')?.resize();
  }

  destroy(): void {
    this.#destroyed = true;
    this.#stop();
    this.#turn.cancel();
    for (const one of this.#coming.values()) one.cancel();
    for (const panel of this.#panels.values()) panel.destroy();
    render(null, this.#container);
  }

  focus(_: string, at?: number): void {
    const { tab } = this.#context.state;
    this.#entered = at;
    this.#show(tab === '' ? (this.#shown ?? '') : tab, true);
    if (at !== undefined) this.#enter();
    else this.#focusTab();
  }

  #find(id: string): TabPanel | undefined {
    return this.#here.find((one) => one.id === id);
  }

  #behind(group: string): string[] {
    return this.#here.filter(({ place }) => place === group).map(({ id }) => id);
  }

  #toggle(group: string, open: boolean): void {
    this.#choose(open ? (this.#lastBehind.get(group) ?? this.#behind(group)[0] ?? '') : '');
    // The groups are at the end of the page: their tabs would open out of sight.
    const { top = 0 } = this.#query('[role=tablist]')?.getBoundingClientRect() ?? {};
    const isLow = top > innerHeight * LOW;
    if (!open || !isLow || this.#context.home === null) return;
    reserveSpace(this.#container, innerHeight);
    bringIntoView(this.#container);
  }

  #choose(id: string): void {
    this.#first = '';
    this.#context.actions.onTab(id);
    this.#coming.get(id)?.retry();
    this.#show(id, true);
  }

  /** Shows the panel `id` and opens its group; closes all groups if `id` is empty. */
  #show(id: string, asked = false): void {
    if (id !== this.#shown) this.#turnTo(id);
    if (id !== '' && isSettled(this.#context.session()) && !this.#coming.has(id)) {
      // A first tab that nobody asked for waits until the page is idle.
      if (asked || this.#coming.size > 0) this.#make(id);
      else whenIdle(() => this.#make(id));
    }
  }

  #turnTo(id: string): void {
    this.#context.session()?.rest();
    this.#keepPlace();
    this.#shown = id;
    const group = this.#find(id)?.place ?? null;
    if (group !== null) this.#lastBehind.set(group, id);
    this.#draw();
    this.#panels.get(id)?.resize();
  }

  /**
   * Reserves the visible height of the section: a shorter panel, or one that has not loaded, would
   * shorten the page, the browser would scroll, and the tabs would move away from the pointer.
   */
  #keepPlace(): void {
    // Other pages may have content below the section.
    if (this.#context.home === null) return;
    const { top } = this.#container.getBoundingClientRect();
    const isSeen = top < innerHeight && this.#shown !== null;
    reserveSpace(this.#container, isSeen ? innerHeight - top : null);
  }

  /** Loads and creates a panel when it is first shown. */
  #make(id: string): void {
    const found = this.#find(id);
    if (found === undefined || this.#coming.has(id) || this.#destroyed) return;
    // Draws the pressed tab first, because creating the panel may take longer than a response to a
    // press should. Not if the reader was led to the panel by a link elsewhere.
    const marked = this.#entered === undefined ? drawn() : null;
    const load = async (): Promise<CreatePanel> => {
      const { lang } = this.#context.words;
      const [create] = await Promise.all([withWords(found.load, lang), marked]);
      return create;
    };
    const add = (create: CreatePanel): void => this.#add(id, create);
    const one = loadable(load, add, () => this.#tellMissing(id));
    this.#coming.set(id, one);
    one.want();
  }

  #add(id: string, create: CreatePanel): void {
    // Removes the error of an earlier attempt.
    this.#missing.delete(id);
    this.#draw();
    // Loading may have taken long: pauses the training briefly for the drawing.
    if (id === this.#shown) this.#context.session()?.rest();
    const isShown = id === this.#shown;
    const panel = makePanel(create, this.#containerOf(id), this.#context);
    this.#panels.set(id, panel);
    if (isShown) this.#enter();
  }

  #draw(): void {
    const { lesson, words } = this.#context;
    render(
      <Tabs
        words={words}
        tabs={this.#here}
        shown={this.#shown ?? ''}
        missing={this.#missing}
        isLocked={({ locked }) => locked !== undefined && lesson.lock.has(locked)}
        onToggle={(group, open) => this.#toggle(group, open)}
        onChoose={(id) => this.#choose(id)}
        onReturn={() => this.#focusTab()}
      />,
      this.#container,
    );
  }

  #query(selector: string): HTMLElement | null {
    return this.#container.querySelector(selector);
  }

  #focusTab(): void {
    this.#query('[role=tab][aria-selected=true]')?.focus();
  }

  /** The element for a panel: the body of its tab, or the locked box in it. */
  #containerOf(id: string): HTMLElement {
    const body = `.tab-${id}`;
    return this.#query(`${body} > .locked`) ?? this.#query(body)!;
  }

  #tellMissing(id: string): void {
    // The panel may load later, when the reader is elsewhere: the focus must not move then.
    if (id === this.#shown) this.#entered = undefined;
    this.#missing.add(id);
    this.#draw();
  }

  #enter(): void {
    const panel = this.#panels.get(this.#shown ?? '');
    if (this.#entered === undefined || panel === undefined) return;
    panel.focus?.('', this.#entered);
    this.#entered = undefined;
  }
}

/** Preloads the code and words of all tabs, so that the page needs no network for them later. */
export function preloadTabs(lang: Lang): void {
  for (const { load, preload } of TAB_PANELS) {
    void withWords(load, lang).catch(() => undefined);
    void preload(lang).catch(() => undefined);
  }
  loadSections().catch(() => undefined);
}
