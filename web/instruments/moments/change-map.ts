/** What changed in one head from A to B: as a map, in a sentence, and the largest in a table. */
import { capitalised } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import type { Cell } from '../../base/cell.ts';
import {
  disclosure,
  el,
  perFrame,
  setAttribute,
  setSteadyText,
  setText,
  table,
} from '../../kit/dom.ts';
import type { Disclosure } from '../../kit/dom.ts';
import type { Folds } from '../../kit/folds.ts';
import { hint } from '../../kit/hint.ts';
import { gainGradient } from '../../kit/loss-colour.ts';
import { MapPicture } from '../../kit/map-picture.ts';
import { listenForPointing } from '../../kit/map-pointing.ts';
import { listLabels, spokenLabels } from '../../kit/row-labels.ts';
import { valueColours } from '../../kit/value-colour.ts';
import type { HeadChange, WeightChange } from './compared.ts';

/** The strongest colour stands for this change at least: less is not worth as much colour. */
const LEAST_RANGE = 0.1;
/** Changes in the table. */
const ROWS = 20;

export class ChangeMap {
  readonly root = el('section', { class: 'moments-attention' });
  readonly #words: AllWords;
  readonly #isDark: () => boolean;
  readonly #picture: MapPicture;
  readonly #title = el('p', { class: 'note' });
  readonly #most = el('p', { 'data-part': 'moments-most' });
  readonly #readout = el('p', { class: 'readout' });
  readonly #spoken = el('p', { class: 'visually-hidden', 'aria-live': 'polite' });
  readonly #bar = el('span', { class: 'moments-bar', 'aria-hidden': 'true' });
  readonly #ends = { least: el('span'), most: el('span') };
  readonly #tableBox: HTMLElement;
  readonly #details: Disclosure;
  readonly #draw = perFrame(() => {
    this.#show();
  });
  #change: HeadChange | null = null;
  #pointed: Cell | null = null;

  constructor(words: AllWords, folds: Folds, isDark: () => boolean) {
    const { t } = words;
    this.#words = words;
    this.#isDark = isDark;
    this.#picture = new MapPicture({
      colours: () => {
        const { of } = valueColours(-this.#range, this.#range, isDark());
        return (value) => `rgb(${of(value).join(' ')})`;
      },
      wide: false,
      onScroll: this.#draw.request,
    });
    const { canvas, columns, scroller } = this.#picture;
    canvas.setAttribute('aria-label', t('attention.keys'));
    this.#tableBox = el('div', {
      class: 'table-scroll',
      tabindex: '0',
      role: 'region',
      translate: 'no',
      'aria-label': t('moments.attention.table'),
    });
    this.#details = folds.keep(
      'moments.attention',
      disclosure('data', t('moments.attention.table'), this.#draw.request, this.#tableBox),
    );
    const { least, most } = this.#ends;
    this.root.append(
      el('h3', {}, t('moments.attention')),
      this.#title,
      this.#most,
      el('div', { class: 'map-box', translate: 'no' }, columns, scroller),
      el('p', { class: 'moments-scale' }, least, this.#bar, most),
      this.#readout,
      this.#spoken,
      this.#details.root,
    );
    listenForPointing(canvas, {
      onPlace: (x, y) => {
        this.#point(this.#picture.cellAt(x, y));
      },
      onMove: (move) => {
        this.#move(move);
      },
      onLeave: () => {
        this.#point(null);
      },
    });
  }

  update(change: HeadChange | null): void {
    this.#change = change;
    if ((this.#pointed?.row ?? 0) >= (change?.tokens.length ?? 0)) this.#pointed = null;
    this.#draw.request();
  }

  resize(): void {
    this.#picture.forget();
    this.#draw.request();
  }

  destroy(): void {
    this.#draw.cancel();
  }

  /** The change that has the strongest colour. */
  get #range(): number {
    const { before = 0, after = 0 } = this.#change?.changes[0] ?? {};
    return Math.max(LEAST_RANGE, Math.abs(after - before));
  }

  #show(): void {
    const change = this.#change;
    this.root.hidden = change === null;
    if (change === null) return;
    const { t, percent } = this.#words;
    const { place, tokens, differences, changes } = change;
    const name = t('attention.head', { layer: place.layer + 1, head: place.head + 1 });
    setText(this.#title, name);
    const [most] = changes;
    const differs = most !== undefined && most.before !== most.after;
    setText(
      this.#most,
      differs
        ? t('moments.attention.most', this.#values(change, most))
        : t('moments.attention.same'),
    );
    const read = this.#pointed?.row ?? -1;
    this.#picture.paint({ tokens, weights: differences, read, pointed: this.#pointed });
    setAttribute(this.#picture.canvas, 'aria-label', `${name}. ${t('attention.keys')}`);
    this.#bar.style.background = gainGradient(this.#isDark());
    setText(this.#ends.least, t('moments.attention.less', { share: percent(this.#range) }));
    setText(this.#ends.most, t('moments.attention.more', { share: percent(this.#range) }));
    const said = this.#pointed === null ? '' : this.#sentence(change, this.#pointed);
    setSteadyText(this.#readout, said || hint(this.#words, 'attention.hint'));
    if (this.#details.isOpen()) this.#fillTable(change);
  }

  /** What a sentence says of a change. */
  #values({ tokens }: HeadChange, { row, column, before, after }: WeightChange) {
    const { percent } = this.#words;
    const names = spokenLabels(tokens, this.#words);
    return {
      from: names[row] ?? '',
      row: row + 1,
      to: names[column] ?? '',
      column: column + 1,
      before: percent(before),
      after: percent(after),
    };
  }

  #sentence(change: HeadChange, { row, column }: Cell): string {
    const found = change.changes.find((one) => one.row === row && one.column === column);
    if (found === undefined) return '';
    return capitalised(this.#words.t('moments.attention.cell', this.#values(change, found)));
  }

  #fillTable({ tokens, changes }: HeadChange): void {
    const { t, percent } = this.#words;
    const labels = listLabels(tokens);
    const label = (index: number): string => `${labels[index] ?? ''} (${String(index + 1)})`;
    const rows = changes
      .slice(0, ROWS)
      .map(({ row, column, before, after }) => [
        label(row),
        label(column),
        percent(before),
        percent(after),
        signed(percent(Math.abs(after - before)), after - before),
      ]);
    const heads = [
      t('attention.table.from'),
      t('moments.attention.to'),
      'A',
      'B',
      t('moments.change'),
    ];
    this.#tableBox.replaceChildren(table(t('moments.attention.table'), heads, rows));
  }

  #point(cell: Cell | null): void {
    const size = this.#change?.tokens.length ?? 0;
    const isCell = cell !== null && cell.row < size && cell.column >= 0 && cell.column <= cell.row;
    this.#pointed = isCell ? cell : null;
    this.#draw.request();
  }

  #move(move: Cell): void {
    const change = this.#change;
    if (change === null) return;
    const from = this.#pointed ?? {
      row: change.tokens.length - 1 - move.row,
      column: -move.column,
    };
    const row = Math.min(change.tokens.length - 1, Math.max(0, from.row + move.row));
    const column = Math.min(row, Math.max(0, from.column + move.column));
    setText(this.#spoken, this.#sentence(change, { row, column }));
    this.#point({ row, column });
    this.#picture.bring({ row, column });
  }
}

/** A size with the sign of `value`; nothing has none. */
export function signed(size: string, value: number): string {
  if (value === 0) return size;
  return `${value > 0 ? '+' : '−'}${size}`;
}
