/**
 * What a part of the model does: plain words, its formula forward and backward with the shapes of the
 * symbols, and the C functions that compute it. The markup was made by the build from the documentation.
 */
import type { Words } from '../i18n/index.ts';
import { disclosure, el } from './dom.ts';
import type { View } from './dom.ts';

/** An entry of the documentation; HTML where it says so. */
export interface Explanation {
  readonly id: string;
  readonly title: string;
  /** HTML. */
  readonly words: string;
  /** HTML, one each. */
  readonly notes: readonly string[];
  /** MathML. */
  readonly formula: string;
  readonly backward: string | null;
  /** HTML in every cell. */
  readonly symbols: readonly {
    readonly symbol: string;
    readonly shape: string;
    readonly meaning: string;
  }[];
  readonly functions: readonly {
    readonly name: string;
    readonly file: string;
    readonly line: number;
    readonly text: string;
  }[];
}

export interface ExplanationData {
  readonly entry: Explanation;
  /** Where the entry stands in the documentation. */
  readonly href: string;
}

/** Creates the explanation in `container`. */
export function createPartExplanation(
  container: HTMLElement,
  { words }: { readonly words: Words },
): View<ExplanationData | null> {
  const { t } = words;
  let shown = '';
  return {
    update(data) {
      const key = data === null ? '' : data.entry.id;
      if (key === shown) return;
      shown = key;
      container.replaceChildren();
      if (data === null) return;
      const { entry, href } = data;
      const markup = (html: string): DocumentFragment => fromBuild(html, href);
      const formula = (label: string, html: string): HTMLElement =>
        el(
          'figure',
          { class: 'part-formula' },
          el('figcaption', {}, label),
          el('div', { class: 'formula-box', tabindex: 0, role: 'group', 'aria-label': label }, markup(html)), // prettier-ignore
        );
      const symbols = el(
        'table',
        { class: 'part-symbols' },
        el('caption', { class: 'visually-hidden' }, t('parts.symbols')),
        el(
          'tbody',
          {},
          ...entry.symbols.map(({ symbol, shape, meaning }) =>
            el(
              'tr',
              {},
              el('td', {}, markup(symbol)),
              el('td', {}, markup(shape)),
              el('td', {}, markup(meaning)),
            ),
          ),
        ),
      );
      container.append(
        el('div', { class: 'part-words' }, markup(entry.words)),
        formula(t('parts.forward'), entry.formula),
        entry.backward === null ? '' : formula(t('parts.backward'), entry.backward),
        el('div', { class: 'part-scroll', tabindex: 0, role: 'group', 'aria-label': t('parts.symbols') }, symbols), // prettier-ignore
        disclosure(
          'data',
          t('parts.notes'),
          () => undefined,
          el('ul', { class: 'part-notes' }, ...entry.notes.map((note) => el('li', {}, markup(note)))), // prettier-ignore
        ).root,
        el('h4', {}, t('parts.source')),
        ...entry.functions.map((source) => {
          const place = t('parts.source.place', { file: source.file, line: String(source.line) });
          const title = t('parts.source.of', { name: source.name, place });
          const code = el('pre', { tabindex: 0 }, el('code', {}, source.text));
          return disclosure('data code', title, () => undefined, code).root;
        }),
        el('p', {}, el('a', { href, target: '_blank', rel: 'noopener' }, t('parts.docs'))),
      );
    },
    resize: () => undefined,
    destroy() {
      container.replaceChildren();
    },
  };
}

/** Nodes from markup that the build made of our own files; links in it start from `href`. */
function fromBuild(html: string, href: string): DocumentFragment {
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  for (const link of parsed.querySelectorAll('a[href]')) {
    const to = link.getAttribute('href') ?? '';
    link.setAttribute('href', new URL(to, href).href);
    link.setAttribute('target', '_blank');
    link.setAttribute('rel', 'noopener');
  }
  const fragment = document.createDocumentFragment();
  fragment.append(...parsed.body.childNodes);
  return fragment;
}
