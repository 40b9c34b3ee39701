/**
 * What a part of the model does: plain words first, and in a place of their own its formulas
 * forward and backward with the shapes of the symbols, and the C functions that compute it. The
 * markup was made by the build from the documentation.
 */
import type { AllWords } from '../../i18n/index.ts';
import { disclosure, el, perFrame } from '../../kit/dom.ts';
import type { Folds } from '../../kit/folds.ts';
import { setHtml } from '../../kit/trusted-html.ts';

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

/** What some parts of a kind have; the documentation marks its words and formulas with `if-`. */
export type Extra = 'bias' | 'gain';

export interface ExplanationData {
  readonly entry: Explanation;
  /** Where the entry stands in the documentation. */
  readonly href: string;
  /** What this part does without here, although others of its kind have it. */
  readonly lacks: readonly Extra[];
  /** Lengths in this model, by the letter that stands for each in shapes. */
  readonly sizes: Readonly<Record<string, number>>;
}

export interface PartExplanationOptions {
  readonly words: AllWords;
  readonly folds: Folds;
}

export class PartExplanation {
  readonly #plain: HTMLElement;
  readonly #deep: HTMLElement;
  readonly #options: PartExplanationOptions;
  readonly #deeper = perFrame(() => {
    if (this.#data !== null) this.#deep.replaceChildren(...this.#deepParts(this.#data));
  });
  #shown = '';
  #data: ExplanationData | null = null;

  /** Creates the explanation: its words in `plain`, what goes deeper in `deep`. */
  constructor(plain: HTMLElement, deep: HTMLElement, options: PartExplanationOptions) {
    this.#plain = plain;
    this.#deep = deep;
    this.#options = options;
  }

  update(data: ExplanationData | null): void {
    const key = data === null ? '' : JSON.stringify([data.entry.id, data.lacks, data.sizes]);
    if (key === this.#shown) return;
    this.#shown = key;
    this.#data = data;
    this.#plain.replaceChildren();
    // What goes deeper is replaced in one: it does not go before the new one is there.
    if (data === null) this.#deep.replaceChildren();
    if (data === null) return;
    const said = el('div', { class: 'part-words' }, fromBuild(data.entry.words, data.href));
    this.#plain.append(said);
    // As tall as with all that may be said: a choice below must not move by what it adds here.
    said.style.minHeight = `${String(said.offsetHeight)}px`;
    said.replaceChildren(markup(data.entry.words, data));
    // In a turn of its own: both together would be a long task.
    this.#deeper.request();
  }

  destroy(): void {
    this.#deeper.cancel();
    this.#plain.replaceChildren();
    this.#deep.replaceChildren();
  }

  #deepParts(data: ExplanationData): (Node | string)[] {
    const { words } = this.#options;
    const { t } = words;
    const { entry, href } = data;
    const { id, formula, backward } = entry;
    const notes = entry.notes.map((note) => el('li', {}, markup(note, data)));
    const noteList = el('ul', { class: 'part-notes' }, ...notes);
    const scroll = { class: 'part-scroll', tabindex: 0, role: 'group' };
    return [
      formulaFigure(t('parts.forward'), formula, data),
      backward === null ? '' : formulaFigure(t('parts.backward'), backward, data),
      el('div', { ...scroll, 'aria-label': t('parts.symbols') }, symbolTable(data, words)),
      el('p', { class: 'note', 'data-part': 'part-letters' }, lettersOf(data, words)),
      this.#fold(`parts.notes ${id}`, 'data', t('parts.notes'), noteList),
      el('h4', {}, t('parts.source')),
      ...entry.functions.map((source) => {
        const place = t('parts.source.place', { file: source.file, line: String(source.line) });
        const title = t('parts.source.of', { name: source.name, place });
        const code = el('pre', { tabindex: 0 }, el('code', {}, ...withArrows(source.text)));
        return this.#fold(`parts.source ${id} ${source.name}`, 'data code', title, code);
      }),
      el('p', {}, el('a', { href, target: '_blank', rel: 'noopener' }, t('parts.docs'))),
    ];
  }

  #fold(name: string, kind: string, title: string, content: HTMLElement): HTMLElement {
    const fold = disclosure(kind, title, () => undefined, content);
    return this.#options.folds.keep(name, fold).root;
  }
}

function formulaFigure(label: string, html: string, data: ExplanationData): HTMLElement {
  const box = { class: 'formula-box', tabindex: 0, role: 'group', 'aria-label': label };
  return el(
    'figure',
    { class: 'part-formula' },
    el('figcaption', {}, label),
    el('div', box, markup(html, data)),
  );
}

function symbolTable(data: ExplanationData, words: AllWords): HTMLElement {
  const rows = data.entry.symbols.map(({ symbol, shape, meaning }) => {
    const says = markup(meaning, data);
    if (says.textContent === '') return null;
    const name = markup(symbol, data);
    const cell = shapeCell(name, markup(shape, data), data.sizes, words);
    return el('tr', {}, el('th', { scope: 'row' }, name), cell, el('td', {}, says));
  });
  const attributes = { class: 'part-symbols', 'aria-label': words.t('parts.symbols') };
  return el('table', attributes, el('tbody', {}, ...rows));
}

/** The shape of a symbol; of a single number that is known, its value as well. */
function shapeCell(
  symbol: DocumentFragment,
  shape: DocumentFragment,
  sizes: ExplanationData['sizes'],
  { t, number }: AllWords,
): HTMLElement {
  const name = symbol.querySelector('math')?.getAttribute('alttext');
  const value = sizes[name ?? ''];
  const isScalar = shape.querySelector('code, math') === null && shape.textContent !== '';
  if (!isScalar || value === undefined) return el('td', {}, shape);
  const here = { number: shape.textContent, value: number(value) };
  return el('td', {}, t('parts.one.here', here));
}

/** What the letters in the shapes stand for here. */
function lettersOf({ entry, sizes }: ExplanationData, { t, number }: AllWords): string {
  const used = entry.symbols
    .map(({ shape }) => shape)
    .join(' ')
    .replaceAll(/<[^>]*>/g, ' ');
  const letters = Object.keys(sizes).filter((letter) =>
    new RegExp(`(?<![A-Za-z])\\d*${letter}(?![A-Za-z])`).test(used),
  );
  if (letters.length === 0) return '';
  const list = letters.map((letter) => `${letter} = ${number(sizes[letter] ?? NaN)}`);
  return t('parts.here', { list: list.join(t('list.separator')) });
}

/** Without what is said only of parts that have what this one lacks. */
function markup(html: string, { href, lacks }: ExplanationData): DocumentFragment {
  const made = fromBuild(html, href);
  for (const extra of lacks) for (const one of made.querySelectorAll(`.if-${extra}`)) one.remove();
  return made;
}

/** The arrows of C each in an element of their own. */
function withArrows(code: string): (string | HTMLElement)[] {
  return code.split(/(->)/).map((part) => (part === '->' ? el('span', {}, part) : part));
}

/** Nodes from markup that the build made of our own files; links in it start from `href`. */
function fromBuild(html: string, href: string): DocumentFragment {
  // One that stays in no document: its parts are made where they are used, and nothing else is.
  const made = document.createElement('template');
  setHtml(made, html);
  for (const link of made.content.querySelectorAll('a[href]')) {
    const to = link.getAttribute('href') ?? '';
    link.setAttribute('href', new URL(to, href).href);
    link.setAttribute('target', '_blank');
    link.setAttribute('rel', 'noopener');
  }
  return made.content;
}
