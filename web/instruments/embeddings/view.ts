/** Embeddings in the plane: the picture, a chosen point with its nearest, and a table. */
import { axisLabel, spokenLabel } from '../../data/attention-data.ts';
import type { AttentionToken } from '../../data/attention-data.ts';
import { lengthsOf, nearest } from '../../data/cosine.ts';
import type { Neighbour } from '../../data/cosine.ts';
import type { Matrix, Projection } from '../../data/pca.ts';
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { disclosure, el, freshId, setAttribute, setText, table } from '../../kit/dom.ts';
import type { Disclosure, View } from '../../kit/dom.ts';
import { createExport } from '../../kit/export-picture.ts';
import type { Folds } from '../../kit/folds.ts';
import { hint } from '../../kit/hint.ts';
import { spokenLabels } from '../../kit/row-labels.ts';
import { termButton } from '../../kit/term.ts';
import type { Frame } from './frame.ts';
import { PlanePicture } from './picture.ts';
import type { Shown } from './shown.ts';
import { KIND_COLOURS, kindOf, KINDS } from './token-kinds.ts';
import type { Kind } from './token-kinds.ts';

/** The points of one step. */
export interface PlanePoints {
  readonly step: number;
  readonly shown: Shown;
  /** The run and what is shown: other points, with other names, have another key. */
  readonly key: string;
  readonly frame: Frame;
  readonly seen: Projection;
  readonly matrix: Matrix;
  /** Of each row; null for positions. */
  readonly tokens: readonly AttentionToken[] | null;
  /** Rows that are left out. */
  readonly omitted: number;
}

export interface PlaneData {
  readonly choices: readonly Shown[];
  readonly shown: Shown;
  /** The text whose tokens can be shown. */
  readonly text: string;
  readonly points: PlanePoints | null;
  /** Why there are no points, or empty. */
  readonly status: string;
}

export interface PlaneOptions {
  readonly words: AllWords;
  readonly folds: Folds;
  readonly isDark: () => boolean;
  readonly onShow: (shown: Shown) => void;
  /** Takes the axes of the step that is shown. */
  readonly onAxes: () => void;
  /** The chosen row, by the key of the points. */
  readonly chosen: Map<string, number>;
  /** The name of a file of the picture at this step. */
  readonly fileName: (step: number) => string;
}

/** Neighbours in the list, and those that lines lead to. */
const LISTED = 8;
const JOINED = 4;
/** Rows of the table at most, and fewer where finding all their nearest would take long. */
const MOST_ROWS = 200;
const LEAST_ROWS = 20;
const MOST_PRODUCTS = 20_000_000;

/** Names of points, in sentences and in the picture. */
interface Names {
  readonly key: string;
  readonly spoken: readonly string[];
  readonly labels: readonly string[];
  readonly kinds: readonly Kind[] | null;
}

const UNNAMED: Names = { key: '', spoken: [], labels: [], kinds: null };

export class PlaneView implements View<PlaneData> {
  readonly #container: HTMLElement;
  readonly #options: PlaneOptions;
  readonly #what = el('select', { id: freshId('plane') });
  readonly #status = el('p', { class: 'note', role: 'status', 'data-part': 'plane-status' });
  readonly #note = el('p', { class: 'note', 'data-part': 'plane-note' });
  readonly #said = el('p', { 'data-part': 'plane-said' });
  readonly #axes: HTMLButtonElement;
  readonly #legend = el('ul', { class: 'legend plane-legend' });
  readonly #readout = el('p', { class: 'readout', 'data-part': 'plane-readout' });
  readonly #spoken = el('p', { class: 'visually-hidden', 'aria-live': 'polite' });
  readonly #point = el('select', { id: freshId('point'), 'data-part': 'plane-point' });
  readonly #nearHead = el('h3', {});
  readonly #near = el('ol', { class: 'plane-near', 'data-part': 'plane-near' });
  readonly #tableBox: HTMLElement;
  readonly #fold: Disclosure;
  readonly #result: HTMLElement;
  readonly #picture: PlanePicture;
  #data: PlaneData | null = null;
  #names = UNNAMED;
  #lengths: Float64Array = new Float64Array();
  #shownChoices = '';

  /** Creates the view in `container`. */
  constructor(container: HTMLElement, options: PlaneOptions) {
    const { words, folds, onShow, onAxes, fileName } = options;
    const { t } = words;
    this.#container = container;
    this.#options = options;
    this.#picture = new PlanePicture({
      isDark: options.isDark,
      onChoose: (index) => this.#choose(index, true),
      onPoint: (index) => this.#read(index),
    });
    this.#axes = el('button', { type: 'button', class: 'link' }, t('plane.axes'));
    this.#axes.addEventListener('click', onAxes);
    this.#tableBox = el('div', {
      class: 'table-scroll',
      tabindex: '0',
      role: 'region',
      'aria-label': t('plane.table'),
    });
    this.#fold = folds.keep(
      'plane.table',
      disclosure('data', t('plane.table'), () => this.#fillTable(), this.#tableBox),
    );
    this.#what.addEventListener('change', () => {
      const shown = this.#data?.choices[this.#what.selectedIndex];
      if (shown !== undefined) onShow(shown);
    });
    this.#point.addEventListener('change', () => this.#choose(this.#point.selectedIndex, true));
    const save = createExport({
      words,
      what: t('plane.picture'),
      name: () => fileName(this.#data?.points?.step ?? 0),
      canvas: () => (this.#data?.points === null ? null : this.#picture.canvas),
    });
    this.#result = el(
      'div',
      { class: 'plane-result' },
      el(
        'div',
        { class: 'plane-main' },
        this.#picture.canvas,
        this.#readout,
        this.#spoken,
        this.#legend,
        el('div', { class: 'plane-row' }, this.#said, this.#axes),
        save,
      ),
      el(
        'section',
        { class: 'plane-chosen', 'aria-label': t('plane.chosen') },
        el('label', { class: 'field-label', for: this.#point.id }, t('plane.chosen')),
        this.#point,
        this.#nearHead,
        this.#near,
        el('p', { class: 'note' }, t('plane.cosine')),
      ),
    );
    container.append(
      el('p', { class: 'lead' }, t('plane.lead'), ' ', termButton('pca', t('glossary.more'))),
      el(
        'div',
        { class: 'plane-row' },
        el('label', { for: this.#what.id }, t('plane.shown')),
        this.#what,
      ),
      this.#note,
      this.#status,
      this.#result,
      this.#fold.root,
    );
  }

  update(data: PlaneData): void {
    const before = this.#data?.points ?? null;
    this.#data = data;
    this.#showChoices(data);
    const { points, status } = data;
    setText(this.#status, status);
    this.#status.hidden = status === '';
    this.#result.hidden = points === null;
    this.#fold.root.hidden = points === null;
    setText(this.#note, this.#noteText(data));
    this.#note.hidden = this.#note.textContent === '';
    if (points === null || points === before) return;
    this.#lengths = lengthsOf(points.matrix);
    this.#name(points);
    setText(this.#said, this.#saidText(points));
    this.#axes.disabled = points.frame.step === points.step;
    this.#showChosen(false);
    if (this.#fold.isOpen()) this.#fillTable();
  }

  resize(): void {
    this.#picture.resize();
  }

  destroy(): void {
    this.#picture.destroy();
    this.#container.replaceChildren();
  }

  // ---- What is shown ----------------------------------------------------------------------------

  #showChoices({ choices, shown }: PlaneData): void {
    const { t } = this.#options.words;
    const key = choices.join();
    if (key !== this.#shownChoices) {
      this.#shownChoices = key;
      const names = choices.map((one) => {
        if (typeof one !== 'number') return t(`plane.shown.${one}`);
        return one === 0 ? t('plane.shown.before') : t('plane.shown.after', { block: one });
      });
      this.#what.replaceChildren(...names.map((name) => el('option', {}, name)));
    }
    this.#what.selectedIndex = choices.indexOf(shown);
  }

  #noteText({ shown, text, points }: PlaneData): string {
    const { words } = this.#options;
    const { t, number } = words;
    const of = typeof shown === 'number' ? t('plane.text', { text }) : '';
    const omitted = points?.shown === shown ? points.omitted : 0;
    const kind = typeof shown === 'number' ? 'text' : 'rows';
    const left =
      omitted === 0
        ? ''
        : t(`plane.omitted.${kind}`, { count: omitted, first: number(points?.matrix.rows ?? 0) });
    return sentences([of, left], words);
  }

  #saidText({ step, frame, seen }: PlanePoints): string {
    const { t, number, percent } = this.#options.words;
    const [first, second] = seen.shares;
    if (Number.isNaN(first)) return t('plane.said.alike', { step: number(step) });
    return t('plane.said', {
      step: number(step),
      axes: number(frame.step),
      share: percent(first + second),
      first: percent(first),
      second: percent(second),
    });
  }

  #name({ key, tokens, matrix, shown }: PlanePoints): void {
    if (key === this.#names.key && this.#names.spoken.length === matrix.rows) return;
    const { words } = this.#options;
    const { t } = words;
    const isText = typeof shown === 'number';
    const numbers = Array.from({ length: matrix.rows }, (_, index) => index + 1);
    if (tokens === null) {
      const spoken = numbers.map((place) => t('plane.position', { place }));
      this.#names = { key, spoken, labels: numbers.map(String), kinds: null };
    } else {
      const single = (token: AttentionToken): string => spokenLabel(token, words);
      const names = isText ? spokenLabels(tokens, words) : tokens.map(single);
      const spoken = isText
        ? names.map((token, index) => t('plane.place', { token, place: index + 1 }))
        : names;
      const kinds = isText ? null : tokens.map(kindOf);
      this.#names = { key, spoken, labels: tokens.map(axisLabel), kinds };
    }
    this.#point.replaceChildren(...this.#names.spoken.map((name) => el('option', {}, name)));
    this.#showLegend();
  }

  #showLegend(): void {
    const { t } = this.#options.words;
    const { kinds } = this.#names;
    const here = KINDS.filter((kind) => kinds?.includes(kind) === true);
    const keys = here.map((kind) => {
      const dot = el('span', { class: 'plane-key', 'aria-hidden': 'true' });
      dot.style.background = `var(${KIND_COLOURS[kind]})`;
      return el('li', {}, dot, t(`plane.kind.${kind}`));
    });
    const way = kinds === null ? [el('li', {}, t('plane.kind.place'))] : keys;
    this.#legend.replaceChildren(...way);
  }

  // ---- The chosen point -------------------------------------------------------------------------

  /** The row that is chosen, or that one begins with. */
  #row({ key, shown, matrix }: PlanePoints): number {
    const { spoken, kinds } = this.#names;
    const plain = Math.max(0, kinds?.findIndex((kind) => kind !== 'sign' && kind !== 'digit') ?? 0);
    const begin = typeof shown === 'number' ? spoken.length - 1 : plain;
    return Math.min(this.#options.chosen.get(key) ?? begin, matrix.rows - 1);
  }

  #choose(row: number, aloud: boolean): void {
    const points = this.#data?.points ?? null;
    if (points === null) return;
    this.#options.chosen.set(points.key, row);
    this.#showChosen(aloud);
  }

  #showChosen(aloud: boolean): void {
    const points = this.#data?.points ?? null;
    if (points === null) return;
    const { words } = this.#options;
    const { t } = words;
    const row = this.#row(points);
    const name = this.#names.spoken[row] ?? '';
    const near = this.#nearest(points, row, LISTED);
    if (this.#point.selectedIndex !== row) this.#point.selectedIndex = row;
    setText(this.#nearHead, near.length === 0 ? t('plane.near.none') : t('plane.near', { name }));
    this.#fillNear(near);
    this.#picture.update({
      key: points.key,
      x: points.seen.x,
      y: points.seen.y,
      bounds: points.frame.bounds,
      labels: this.#names.labels,
      kinds: this.#names.kinds,
      chosen: row,
      near: near.slice(0, JOINED).map((one) => one.row),
    });
    const list = near.slice(0, JOINED).map((one) => this.#neighbourText(one));
    const sentence = sentences(
      [t('plane.read', { name, near: list.join(t('list.separator')) })],
      words,
    );
    if (aloud) setText(this.#spoken, sentence);
    const { canvas } = this.#picture;
    setAttribute(canvas, 'aria-label', `${this.#saidText(points)} ${sentence} ${t('plane.keys')}`);
    this.#read(-1);
  }

  #nearest({ matrix }: PlanePoints, row: number, count: number): readonly Neighbour[] {
    return nearest(matrix, this.#lengths, row, count);
  }

  #neighbourText({ row, cosine }: Neighbour): string {
    return `${this.#names.spoken[row] ?? ''} ${this.#options.words.number(cosine, 2)}`;
  }

  /** One line for each, kept where it is: one of them may have the focus. */
  #fillNear(near: readonly Neighbour[]): void {
    while (this.#near.children.length > near.length) this.#near.lastElementChild?.remove();
    for (const [index, { row, cosine }] of near.entries()) {
      if (this.#near.children[index] === undefined) this.#near.append(this.#nearLine());
      const item = this.#near.children[index];
      const [button, bar, figure] = item?.children ?? [];
      if (!(button instanceof HTMLElement) || !(bar instanceof HTMLElement)) continue;
      button.dataset['row'] = String(row);
      setText(button, this.#names.spoken[row] ?? '');
      bar.style.setProperty('--share', String(Math.max(0, cosine)));
      if (figure !== undefined) setText(figure, this.#options.words.number(cosine, 2));
    }
  }

  #nearLine(): HTMLElement {
    const button = el('button', { type: 'button', class: 'link' });
    button.addEventListener('click', () => this.#choose(Number(button.dataset['row']), true));
    const bar = el('span', { class: 'plane-bar', 'aria-hidden': 'true' });
    return el('li', {}, button, bar, el('span', { class: 'figure' }));
  }

  /** What is said of the point that is pointed at; -1 for none. */
  #read(index: number): void {
    const points = this.#data?.points ?? null;
    const { words } = this.#options;
    const name = this.#names.spoken[index];
    if (points === null || name === undefined) {
      setText(this.#readout, hint(words, 'plane.hint'));
      return;
    }
    const near = this.#nearest(points, index, 3).map((one) => this.#neighbourText(one));
    setText(
      this.#readout,
      words.t('plane.read', { name, near: near.join(words.t('list.separator')) }),
    );
  }

  // ---- The table --------------------------------------------------------------------------------

  #fillTable(): void {
    const points = this.#data?.points ?? null;
    if (points === null) return;
    const { t, number } = this.#options.words;
    const { rows, columns } = points.matrix;
    const room = Math.floor(MOST_PRODUCTS / (rows * columns));
    const count = Math.min(rows, MOST_ROWS, Math.max(LEAST_ROWS, room));
    const { x, y } = points.seen;
    const lines = Array.from({ length: count }, (_, row) => {
      const near = this.#nearest(points, row, 1)[0];
      return [
        this.#names.spoken[row] ?? '',
        number(x[row] ?? NaN, 3),
        number(y[row] ?? NaN, 3),
        near === undefined ? '–' : this.#neighbourText(near),
      ];
    });
    const heads = [t('plane.col.point'), 'x', 'y', t('plane.col.near')];
    const values = { step: number(points.step), axes: number(points.frame.step) };
    const caption =
      count < rows
        ? t('plane.table.first', { ...values, count })
        : t('plane.table.caption', values);
    this.#tableBox.replaceChildren(table(caption, heads, lines));
  }
}
