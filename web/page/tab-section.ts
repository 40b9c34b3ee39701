/**
 * The section of tabs: tab groups, of which at most one is open, each with a tab per panel. A panel
 * loads when its tab is first shown, and stays until the page is recreated.
 */
import type { Lang } from '../i18n/index.ts';
import { el, reserveSpace } from '../kit/dom.ts';
import { createTabGroups } from '../kit/tab-groups.ts';
import type { TabGroups } from '../kit/tab-groups.ts';
import { createTabs } from '../kit/tabs.ts';
import type { Tabs } from '../kit/tabs.ts';
import { drawn, whenIdle } from '../kit/idle.ts';
import { bringIntoView } from '../kit/in-sight.ts';
import { loadable } from '../kit/loadable.ts';
import type { Loadable } from '../kit/loadable.ts';
import { lockedBox } from '../kit/locked.ts';
import { TAB_GROUPS } from '../base/instrument.ts';
import { loadSections, TAB_PANELS } from './panels.ts';
import type { TabPanel } from './panels.ts';
import { withWords } from '../instruments/lazily.ts';
import { makePanel } from '../instruments/panel.ts';
import type { CreatePanel, Panel, PanelContext } from '../instruments/panel.ts';
import { isSettled } from '../store/training/session.ts';

/** The tab that is open at first in other pages than the site: it needs no input. */
const OPEN = 'tokens';
/** Share of the window's height: an opened group whose tabs are lower is scrolled up. */
const LOW = 0.5;

export const createTabSection: CreatePanel = (container, context) =>
  new TabSection(container, context);

class TabSection implements Panel {
  readonly #container: HTMLElement;
  readonly #context: PanelContext;
  readonly #here: readonly TabPanel[];
  readonly #groups: TabGroups;
  readonly #tabs: Tabs;
  readonly #up: HTMLElement;
  /** The tab shown until the reader chooses one; empty on the site, which has enough panels. */
  #first: string;
  readonly #panels = new Map<string, Panel>();
  /** Requested panels, by id. */
  readonly #coming = new Map<string, Loadable>();
  /** The last open tab of each group. */
  readonly #lastBehind = new Map<string, string>();
  #destroyed = false;
  #shown: string | null = null;
  /** Position to pass to `focus` of the open panel when it has loaded; undefined for none. */
  #entered: number | undefined;

  constructor(container: HTMLElement, context: PanelContext) {
    const { words, home } = context;
    this.#container = container;
    this.#context = context;
    this.#here = TAB_PANELS.filter(({ site }) => site !== true || home !== null);
    const first = this.#find(OPEN) ?? this.#here[0];
    this.#first = home === null ? (first?.id ?? '') : '';
    // Lessons and the documentation refer to this heading.
    container.append(el('h2', {}, words.t('tabs.title')));
    this.#groups = createTabGroups(container, {
      groups: TAB_GROUPS.filter((group) => this.#behind(group).length > 0).map((id) => ({
        id,
        title: words.t(`tabs.${id}`),
        about: words.t(`tabs.${id}.about`),
      })),
      onToggle: (group, open) => this.#toggle(group, open),
    });
    this.#tabs = createTabs(container, {
      label: words.t('tabs.title'),
      tabs: this.#here.map(({ id }) => ({ id, title: words.find(`${id}.title`) ?? id })),
      onChoose: (id) => this.#choose(id),
    });
    this.#groups.controls(this.#tabs.list);
    // A link back to the tabs: on a phone a panel is many screens long.
    this.#up = el('button', { type: 'button', class: 'link to-tabs' }, words.t('tabs.up'));
    this.#up.addEventListener('click', () => this.#tabs.focus(this.#shown ?? ''));
    container.append(this.#up);
  }

  update(): void {
    const { tab } = this.#context.state;
    this.#show(this.#find(tab) === undefined ? this.#first : tab);
  }

  resize(): void {
    this.#panels.get(this.#shown ?? '')?.resize();
  }

  destroy(): void {
    this.#destroyed = true;
    for (const one of this.#coming.values()) one.cancel();
    for (const panel of this.#panels.values()) panel.destroy();
    this.#container.replaceChildren();
  }

  focus(_: string, at?: number): void {
    const { tab } = this.#context.state;
    this.#entered = at;
    this.#show(tab === '' ? (this.#shown ?? '') : tab, true);
    if (at !== undefined) this.#enter();
    else if (this.#shown !== '') this.#tabs.focus(this.#shown ?? '');
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
    const isLow = this.#tabs.list.getBoundingClientRect().top > innerHeight * LOW;
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
    this.#panels.get(id)?.update();
  }

  #turnTo(id: string): void {
    this.#context.session()?.rest();
    this.#keepPlace();
    const left = this.#panels.get(this.#shown ?? '');
    this.#shown = id;
    left?.update();
    const group = this.#find(id)?.place ?? null;
    if (group !== null) this.#lastBehind.set(group, id);
    this.#groups.show(group);
    this.#tabs.show(id, group === null ? [] : this.#behind(group));
    this.#up.hidden = group === null;
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
    this.#tabs.body(id).replaceChildren();
    // Loading may have taken long: pauses the training briefly for the drawing.
    if (id === this.#shown) this.#context.session()?.rest();
    const isShown = id === this.#shown;
    const panel = makePanel(create, this.#containerOf(id), this.#context, isShown);
    this.#panels.set(id, panel);
    if (isShown) this.#enter();
  }

  /** The element for a panel: the body of its tab, or the locked box if the lesson locks it. */
  #containerOf(id: string): HTMLElement {
    const { lesson, words } = this.#context;
    const body = this.#tabs.body(id);
    const locked = this.#find(id)?.locked;
    if (locked === undefined || !lesson.lock.has(locked)) return body;
    const { note, inside } = lockedBox(words.t('app.locked'));
    body.append(note, inside);
    return inside;
  }

  #tellMissing(id: string): void {
    // When it loads later, the reader may be elsewhere: does not move the focus then.
    if (id === this.#shown) this.#entered = undefined;
    const body = this.#tabs.body(id);
    if (body.childElementCount > 0) return;
    const text = this.#context.words.t('tabs.missing');
    body.append(el('p', { class: 'error', role: 'alert' }, text));
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
