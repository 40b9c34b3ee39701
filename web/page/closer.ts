/** The section to look closer with: one tab for each of its panels, of which one is shown. */
import type { Lang } from '../i18n/index.ts';
import { el, keepRoom } from '../kit/dom.ts';
import { createTabs } from '../kit/tabs.ts';
import { drawn, whenIdle } from '../kit/idle.ts';
import { loadable } from '../kit/loadable.ts';
import type { Loadable } from '../kit/loadable.ts';
import { CLOSER } from './panels.ts';
import { withWords } from '../instruments/lazily.ts';
import type { CreatePanel, Panel } from '../instruments/panel.ts';
import { isSettled } from '../store/training/session.ts';

export const createCloser: CreatePanel = (container, context) => {
  const { words, state, actions } = context;
  const panelsHere = CLOSER.filter(({ site }) => site !== true || context.home !== null);
  const panels = new Map<string, Panel>();
  /** Those that were asked for. */
  const coming = new Map<string, Loadable>();
  let destroyed = false;
  let shown = '';
  /** Where the reader came from, who goes on into the open panel once it is there. */
  let entered: number | undefined;

  // Lessons and the documentation send readers here by this name.
  container.append(el('h2', {}, words.t('closer.title')));
  const tabs = createTabs(container, {
    label: words.t('closer.title'),
    tabs: panelsHere.map(({ id, title }) => ({ id, title: words.t(title) })),
    onChoose: (id) => {
      actions.onCloser(id);
      coming.get(id)?.retry();
      show(id);
    },
  });

  // On a phone a panel is many screens long.
  const up = el('button', { type: 'button', class: 'link to-tabs' }, words.t('closer.up'));
  up.addEventListener('click', () => {
    tabs.focus(shown);
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
    if (entered === undefined || !panels.has(shown)) return;
    panels.get(shown)?.focus?.('', entered);
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
    keepRoom(container, top < innerHeight && shown !== '' ? innerHeight - top : null);
  }

  function show(id: string): void {
    if (id !== shown) {
      context.session()?.rest();
      keepPlace();
      shown = id;
      tabs.show(id);
      panels.get(id)?.resize();
    }
    if (isSettled(context.session()) && !coming.has(id)) {
      // Before the first is there, nobody has asked for one, and there is better to do.
      if (coming.size > 0) make(id);
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
      show(known ? state.closer : (panelsHere[0]?.id ?? ''));
    },
    resize: () => {
      panels.get(shown)?.resize();
    },
    destroy: () => {
      destroyed = true;
      for (const one of coming.values()) one.cancel();
      for (const panel of panels.values()) panel.destroy();
      container.replaceChildren();
    },
    focus: (_, at) => {
      entered = at;
      show(state.closer === '' ? shown : state.closer);
      if (at === undefined) tabs.focus(shown);
      else enter();
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
