/**
 * The section to look closer with: three doors, behind each the tabs of its panels, of which one is
 * shown.
 */
import type { Lang } from '../i18n/index.ts';
import { el, reserveSpace } from '../kit/dom.ts';
import { createDoors } from '../kit/doors.ts';
import type { Doors } from '../kit/doors.ts';
import { createTabs } from '../kit/tabs.ts';
import type { Tabs } from '../kit/tabs.ts';
import { drawn, whenIdle } from '../kit/idle.ts';
import { bringIntoView } from '../kit/in-sight.ts';
import { loadable } from '../kit/loadable.ts';
import type { Loadable } from '../kit/loadable.ts';
import { lockedBox } from '../kit/locked.ts';
import { CLOSER, DOORS } from './panels.ts';
import { withWords } from '../instruments/lazily.ts';
import type { CloserPanel, CreatePanel, Panel, PanelContext } from '../instruments/panel.ts';
import { isSettled } from '../store/training/session.ts';

/** What is open at first in other pages: it asks for nothing, and shows what the model does. */
const OPEN = 'tokens';
/** Part of the window's height: doors whose tabs come up below it are led up. */
const LOW = 0.5;

export const createCloser: CreatePanel = (container, context) => new Closer(container, context);

class Closer implements Panel {
  readonly #container: HTMLElement;
  readonly #context: PanelContext;
  readonly #here: readonly CloserPanel[];
  readonly #doors: Doors;
  readonly #tabs: Tabs;
  readonly #up: HTMLElement;
  /**
   * Until something is chosen: nothing on the page, which has enough; elsewhere one panel.
   */
  #first: string;
  readonly #panels = new Map<string, Panel>();
  /** Those that were asked for. */
  readonly #coming = new Map<string, Loadable>();
  /** The tab that was open last behind each door. */
  readonly #lastBehind = new Map<string, string>();
  #destroyed = false;
  #shown: string | null = null;
  /** Where the reader came from, who goes on into the open panel once it is there. */
  #entered: number | undefined;

  constructor(container: HTMLElement, context: PanelContext) {
    const { words, home } = context;
    this.#container = container;
    this.#context = context;
    this.#here = CLOSER.filter(({ site }) => site !== true || home !== null);
    const first = this.#find(OPEN) ?? this.#here[0];
    this.#first = home === null ? (first?.id ?? '') : '';
    // Lessons and the documentation send readers here by this name.
    container.append(el('h2', {}, words.t('closer.title')));
    this.#doors = createDoors(container, {
      doors: DOORS.filter((door) => this.#behind(door).length > 0).map((id) => ({
        id,
        title: words.t(`closer.${id}`),
        about: words.t(`closer.${id}.about`),
      })),
      onToggle: (door, open) => this.#toggle(door, open),
    });
    this.#tabs = createTabs(container, {
      label: words.t('closer.title'),
      tabs: this.#here.map(({ id, title }) => ({ id, title: words.t(title) })),
      onChoose: (id) => this.#choose(id),
    });
    this.#doors.controls(this.#tabs.list);
    // On a phone a panel is many screens long.
    this.#up = el('button', { type: 'button', class: 'link to-tabs' }, words.t('closer.up'));
    this.#up.addEventListener('click', () => this.#tabs.focus(this.#shown ?? ''));
    container.append(this.#up);
  }

  update(): void {
    const { closer } = this.#context.state;
    this.#show(this.#find(closer) === undefined ? this.#first : closer);
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
    const { closer } = this.#context.state;
    this.#entered = at;
    this.#show(closer === '' ? (this.#shown ?? '') : closer, true);
    if (at !== undefined) this.#enter();
    else if (this.#shown !== '') this.#tabs.focus(this.#shown ?? '');
  }

  #find(id: string): CloserPanel | undefined {
    return this.#here.find((one) => one.id === id);
  }

  #behind(door: string): string[] {
    return this.#here.filter((one) => one.door === door).map(({ id }) => id);
  }

  #toggle(door: string, open: boolean): void {
    this.#choose(open ? (this.#lastBehind.get(door) ?? this.#behind(door)[0] ?? '') : '');
    // The doors stand at the end of the page: what opens below them would be out of sight.
    const isLow = this.#tabs.list.getBoundingClientRect().top > innerHeight * LOW;
    if (!open || !isLow || this.#context.home === null) return;
    reserveSpace(this.#container, innerHeight);
    bringIntoView(this.#container);
  }

  #choose(id: string): void {
    this.#first = '';
    this.#context.actions.onCloser(id);
    this.#coming.get(id)?.retry();
    this.#show(id, true);
  }

  /** Shows the panel of this name and its door open; without a name all doors closed. */
  #show(id: string, asked = false): void {
    if (id !== this.#shown) this.#turnTo(id);
    if (id !== '' && isSettled(this.#context.session()) && !this.#coming.has(id)) {
      // Before somebody has asked for one, there is better to do.
      if (asked || this.#coming.size > 0) this.#make(id);
      else whenIdle(() => this.#make(id));
    }
    this.#panels.get(id)?.update();
  }

  #turnTo(id: string): void {
    this.#context.session()?.rest();
    this.#keepPlace();
    this.#shown = id;
    const door = this.#find(id)?.door ?? null;
    if (door !== null) this.#lastBehind.set(door, id);
    this.#doors.show(door);
    this.#tabs.show(id, door === null ? [] : this.#behind(door));
    this.#up.hidden = door === null;
    this.#panels.get(id)?.resize();
  }

  /**
   * Keeps room for what is in sight: a panel that is shorter, or not there yet, must not end the
   * page so early that the browser has to scroll, and the tabs leave the pointer.
   */
  #keepPlace(): void {
    // In a page of somebody else's this section is not the end.
    if (this.#context.home === null) return;
    const { top } = this.#container.getBoundingClientRect();
    const isSeen = top < innerHeight && this.#shown !== null;
    reserveSpace(this.#container, isSeen ? innerHeight - top : null);
  }

  /** Creates a panel when it is first looked at. */
  #make(id: string): void {
    const found = this.#find(id);
    if (found === undefined || this.#coming.has(id) || this.#destroyed) return;
    // The tab that was pressed is marked before its panel is made, which takes longer than an
    // answer may; who is led into the panel finds it there.
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
    // The error of the last attempt is over.
    this.#tabs.body(id).replaceChildren();
    // It may have been long on its way.
    if (id === this.#shown) this.#context.session()?.rest();
    const panel = create(this.#containerOf(id), this.#context);
    this.#panels.set(id, panel);
    if (id !== this.#shown) return;
    panel.update();
    this.#enter();
  }

  /** The body of a tab; of one that changes what the lesson has locked, the locked box in it. */
  #containerOf(id: string): HTMLElement {
    const { lesson, words } = this.#context;
    const body = this.#tabs.body(id);
    const changes = this.#find(id)?.changes;
    if (changes === undefined || !lesson.lock.has(changes)) return body;
    const { note, inside } = lockedBox(words.t('app.locked'));
    body.append(note, inside);
    return inside;
  }

  #tellMissing(id: string): void {
    // The reader has moved on by the time it loads.
    if (id === this.#shown) this.#entered = undefined;
    const body = this.#tabs.body(id);
    if (body.childElementCount > 0) return;
    const text = this.#context.words.t('closer.missing');
    body.append(el('p', { class: 'error', role: 'alert' }, text));
  }

  #enter(): void {
    const panel = this.#panels.get(this.#shown ?? '');
    if (this.#entered === undefined || panel === undefined) return;
    panel.focus?.('', this.#entered);
    this.#entered = undefined;
  }
}

/**
 * Fetches the code and words of all tabs, so that nothing is asked of the network once the page is
 * ready.
 */
export function preloadCloser(lang: Lang): void {
  for (const { load, preload } of CLOSER) {
    void withWords(load, lang).catch(() => undefined);
    void preload?.(lang).catch(() => undefined);
  }
}
