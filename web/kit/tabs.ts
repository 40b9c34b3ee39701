/** Tabs by the ARIA pattern: one stop of the Tab key, arrow keys between tabs. */
import { el, freshId } from './dom.ts';

export interface TabsOptions {
  readonly label: string;
  readonly tabs: readonly { readonly id: string; readonly title: string }[];
  readonly onChoose: (id: string) => void;
}

export interface Tabs {
  /** The element that a tab shows. */
  body(id: string): HTMLElement;
  /** The row of tabs. */
  readonly list: HTMLElement;
  /** Shows one tab of `among` and hides the bodies of all others; does not call `onChoose`. */
  show(id: string, among: readonly string[]): void;
  focus(id: string): void;
}

/** Hides a tab body, also from keys and screen readers if its style sheet keeps it laid out. */
function hide(body: HTMLElement, hidden: boolean): void {
  body.hidden = hidden;
  body.tabIndex = hidden ? -1 : 0;
  if (hidden) body.setAttribute('aria-hidden', 'true');
  else body.removeAttribute('aria-hidden');
}

/** Creates a row of tabs and their bodies in `container`, all hidden. */
export function createTabs(container: HTMLElement, options: TabsOptions): Tabs {
  const stem = freshId('tab');
  const made = options.tabs.map(({ id, title }) => {
    const names = { tab: `${stem}-${id}`, body: `${stem}-${id}-body` };
    const tab = el(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: names.tab,
        class: 'tab',
        'aria-controls': names.body,
        'data-title': title,
      },
      title,
    );
    const body = el('div', {
      role: 'tabpanel',
      id: names.body,
      class: `tab-body tab-${id}`,
      'aria-labelledby': names.tab,
    });
    tab.addEventListener('click', () => {
      options.onChoose(id);
    });
    return { id, tab, body };
  });
  const list = el(
    'div',
    { role: 'tablist', class: 'tabs', 'aria-label': options.label },
    ...made.map(({ tab }) => tab),
  );
  const find = (id: string): (typeof made)[number] => {
    const found = made.find((one) => one.id === id);
    if (found === undefined) throw new Error(`there is no tab ${id}`);
    return found;
  };

  list.addEventListener('keydown', (event) => {
    const seen = made.filter(({ tab }) => !tab.hidden);
    const at = seen.findIndex(({ tab }) => tab === event.target);
    const last = seen.length - 1;
    const moves: Readonly<Record<string, number>> = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    };
    const next = seen[moves[event.key] ?? -1];
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    next.tab.focus();
    options.onChoose(next.id);
  });

  for (const { tab, body } of made) {
    tab.setAttribute('aria-selected', 'false');
    tab.tabIndex = -1;
    hide(body, true);
  }
  container.append(list, ...made.map(({ body }) => body));

  return {
    body: (id) => find(id).body,
    list,
    show(id, among) {
      list.hidden = among.length === 0;
      for (const one of made) {
        const chosen = one.id === id;
        one.tab.hidden = !among.includes(one.id);
        one.tab.setAttribute('aria-selected', String(chosen));
        one.tab.tabIndex = chosen ? 0 : -1;
        hide(one.body, !chosen);
      }
    },
    focus(id) {
      find(id).tab.focus();
    },
  };
}
