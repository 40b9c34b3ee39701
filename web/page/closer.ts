/**
 * The section to look closer with: three doors, behind each the tabs of its panels, of which one is
 * shown.
 */
import type { Lang } from '../i18n/index.ts';
import { el, keepRoom } from '../kit/dom.ts';
import { createDoors } from '../kit/doors.ts';
import { createTabs } from '../kit/tabs.ts';
import { drawn, whenIdle } from '../kit/idle.ts';
import { bringIntoView } from '../kit/in-sight.ts';
import { loadable } from '../kit/loadable.ts';
import type { Loadable } from '../kit/loadable.ts';
import { CLOSER, DOORS } from './panels.ts';
import { withWords } from '../instruments/lazily.ts';
import type { CreatePanel, Panel } from '../instruments/panel.ts';
import { isSettled } from '../store/training/session.ts';

/** Part of the window's height: doors whose tabs come up below it are led up. */
const LOW = 0.5;

export const createCloser: CreatePanel = (container, context) => {
  const { words, state, actions } = context;
  const panelsHere = CLOSER.filter(({ site }) => site !== true || context.home !== null);
  /**
   * Until something is chosen: nothing on the page, which has enough; elsewhere the first panel.
   */
  let first = context.home === null ? (panelsHere[0]?.id ?? '') : '';
  const panels = new Map<string, Panel>();
  /** Those that were asked for. */
  const coming = new Map<string, Loadable>();
  /** The tab that was open last behind each door. */
  const lastBehind = new Map<string, string>();
  let destroyed = false;
  let shown: string | null = null;
  /** Where the reader came from, who goes on into the open panel once it is there. */
  let entered: number | undefined;

  // Lessons and the documentation send readers here by this name.
  container.append(el('h2', {}, words.t('closer.title')));
  const behind = (door: string): string[] =>
    panelsHere.filter((one) => one.door === door).map(({ id }) => id);
  const choose = (id: string): void => {
    first = '';
    actions.onCloser(id);
    coming.get(id)?.retry();
    show(id, true);
  };
  const doors = createDoors(container, {
    doors: DOORS.filter((door) => behind(door).length > 0).map((id) => ({
      id,
      title: words.t(`closer.${id}`),
      about: words.t(`closer.${id}.about`),
    })),
    onToggle: (door, open) => {
      choose(open ? (lastBehind.get(door) ?? behind(door)[0] ?? '') : '');
      // The doors stand at the end of the page: what opens below them would be out of sight.
      const isLow = tabs.list.getBoundingClientRect().top > innerHeight * LOW;
      if (!open || !isLow || context.home === null) return;
      keepRoom(container, innerHeight);
      bringIntoView(container);
    },
  });
  const tabs = createTabs(container, {
    label: words.t('closer.title'),
    tabs: panelsHere.map(({ id, title }) => ({ id, title: words.t(title) })),
    onChoose: choose,
  });
  doors.controls(tabs.list);

  // On a phone a panel is many screens long.
  const up = el('button', { type: 'button', class: 'link to-tabs' }, words.t('closer.up'));
  up.addEventListener('click', () => {
    tabs.focus(shown ?? '');
  });
  container.append(up);

  /** Creates a panel when it is first looked at. */
  function make(id: string): void {
    const found = panelsHere.find((one) => one.id === id);
    if (found === undefined || coming.has(id) || destroyed) return;
    // The tab that was pressed is marked before its panel is made, which takes longer than an
    // answer may; who is led into the panel finds it there.
    const marked = entered === undefined ? drawn() : null;
    const load = async (): Promise<CreatePanel> => {
      const [create] = await Promise.all([withWords(found.load, words.lang), marked]);
      return create;
    };
    const one = loadable(
      load,
      (create) => {
        add(id, create);
      },
      () => {
        tellMissing(id);
      },
    );
    coming.set(id, one);
    one.want();
  }

  function add(id: string, create: CreatePanel): void {
    // The error of the last attempt is over.
    tabs.body(id).replaceChildren();
    // It may have been long on its way.
    if (id === shown) context.session()?.rest();
    const panel = create(tabs.body(id), context);
    panels.set(id, panel);
    if (id !== shown) return;
    panel.update();
    enter();
  }

  function tellMissing(id: string): void {
    // The reader has moved on by the time it loads.
    if (id === shown) entered = undefined;
    if (tabs.body(id).childElementCount > 0) return;
    tabs.body(id).append(el('p', { class: 'error', role: 'alert' }, words.t('closer.missing')));
  }

  function enter(): void {
    const panel = panels.get(shown ?? '');
    if (entered === undefined || panel === undefined) return;
    panel.focus?.('', entered);
    entered = undefined;
  }

  /**
   * Keeps room for what is in sight: a panel that is shorter, or not there yet, must not end the
   * page so early that the browser has to scroll, and the tabs leave the pointer.
   */
  function keepPlace(): void {
    // In a page of somebody else's this section is not the end.
    if (context.home === null) return;
    const { top } = container.getBoundingClientRect();
    keepRoom(container, top < innerHeight && shown !== null ? innerHeight - top : null);
  }

  /** Shows the panel of this name and its door open; without a name all doors closed. */
  function show(id: string, asked = false): void {
    if (id !== shown) {
      context.session()?.rest();
      keepPlace();
      shown = id;
      const door = panelsHere.find((one) => one.id === id)?.door ?? null;
      if (door !== null) lastBehind.set(door, id);
      doors.show(door);
      tabs.show(id, door === null ? [] : behind(door));
      up.hidden = door === null;
      panels.get(id)?.resize();
    }
    if (id !== '' && isSettled(context.session()) && !coming.has(id)) {
      // Before somebody has asked for one, there is better to do.
      if (asked || coming.size > 0) make(id);
      else {
        whenIdle(() => {
          make(id);
        });
      }
    }
    panels.get(id)?.update();
  }

  return {
    update: () => {
      const known = panelsHere.some(({ id }) => id === state.closer);
      show(known ? state.closer : first);
    },
    resize: () => {
      panels.get(shown ?? '')?.resize();
    },
    destroy: () => {
      destroyed = true;
      for (const one of coming.values()) one.cancel();
      for (const panel of panels.values()) panel.destroy();
      container.replaceChildren();
    },
    focus: (_, at) => {
      entered = at;
      show(state.closer === '' ? (shown ?? '') : state.closer, true);
      if (at !== undefined) enter();
      else if (shown !== '') tabs.focus(shown ?? '');
    },
  };
};

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
