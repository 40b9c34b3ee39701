/**
 * One head large: labels on both axes, the weight under the pointer or the arrow keys in words.
 * However the map is scrolled, the labels of rows and columns stay in sight.
 */
import { sentences } from '../../i18n/index.ts';
import type { Words } from '../../i18n/index.ts';
import { headWeights } from '../../data/attention-data.ts';
import type { AttentionData, HeadPlace } from '../../data/attention-data.ts';
import { disclosure, el, perFrame, setAttribute, setSteadyText, setText } from '../../kit/dom.ts';
import type { Disclosure, View } from '../../kit/dom.ts';
import type { Folds } from '../../kit/folds.ts';
import { hint } from '../../kit/hint.ts';
import { colourScale, cssColour } from '../../kit/weight-colour.ts';
import { MapPicture } from '../../kit/map-picture.ts';
import { listenForPointing } from '../../kit/map-pointing.ts';
import { WeightScale } from './weight-scale.ts';
import { weightSentence, weightTable } from './weights-in-words.ts';
import type { Cell } from '../../base/cell.ts';

export interface AttentionMapOptions {
  readonly words: Words;
  readonly folds: Folds;
  readonly isDark: () => boolean;
  /** For a narrow screen too: cells that a finger can hit, in a box that scrolls sideways. */
  readonly wide: boolean;
  /** A cell of another row is pointed at. */
  readonly onRow: (row: number) => void;
  /** A cell was chosen, by a press or by keys: what is said of it. */
  readonly onRead: (sentence: string) => void;
}

export interface AttentionMapData {
  readonly attention: AttentionData | null;
  readonly chosen: HeadPlace;
  /** The row that is read elsewhere too; -1 for the last. */
  readonly row: number;
}

export class AttentionMap implements View<AttentionMapData> {
  readonly #container: HTMLElement;
  readonly #options: AttentionMapOptions;
  readonly #draw = perFrame(() => {
    this.#show();
  });
  readonly #picture: MapPicture;
  readonly #scale: WeightScale;
  readonly #readout = el('p', { class: 'readout', 'data-part': 'attention-readout' });
  // Follows the keyboard aloud; the pointer is quiet, since it moves too fast to be read out.
  readonly #spoken = el('p', { class: 'visually-hidden', 'aria-live': 'polite' });
  readonly #tableBox: HTMLElement;
  readonly #details: Disclosure;
  #data: AttentionMapData = { attention: null, chosen: { layer: 0, head: 0 }, row: -1 };
  #pointed: Cell | null = null;
  /** What was pointed at last, also when nothing is any more. */
  #pointedLast: Cell | null = null;

  constructor(container: HTMLElement, options: AttentionMapOptions) {
    const { words, folds, isDark, wide } = options;
    const { t } = words;
    this.#container = container;
    this.#options = options;
    const colours = (): ((weight: number) => string) => {
      const scale = colourScale(isDark());
      return (weight) => cssColour(scale, weight);
    };
    this.#picture = new MapPicture({ colours, wide, onScroll: this.#draw.request });
    this.#scale = new WeightScale(words, isDark);
    const { canvas, columns, scroller } = this.#picture;
    // Named better once it is drawn.
    canvas.setAttribute('aria-label', t('attention.keys'));
    this.#tableBox = el('div', {
      class: 'table-scroll',
      tabindex: '0',
      role: 'region',
      translate: 'no',
      'aria-label': t('attention.table'),
    });
    this.#details = folds.keep(
      wide ? 'attention.table wide' : 'attention.table',
      disclosure('data', t('attention.table'), this.#draw.request, this.#tableBox),
    );
    // Above the map, and in sight as long as any of it is.
    const above = el('div', { class: 'map-above', translate: 'no' }, this.#readout, columns);
    // What is held above the map goes with it.
    const whole = el('div', {}, above, scroller);
    container.append(whole, this.#scale.root, this.#spoken);
    listenForPointing(canvas, {
      onPlace: (x, y, pressed) => {
        this.#pointAt(this.#picture.cellAt(x, y), pressed);
      },
      onMove: (move) => {
        this.#move(move);
      },
      onLeave: () => {
        this.#point(null);
      },
    });
  }

  /** The same in figures. */
  get table(): HTMLElement {
    return this.#details.root;
  }

  /** The scale below the map: what is above it is what one looks at. */
  get end(): HTMLElement {
    return this.#scale.root;
  }

  /**
   * What was pointed at last in the row that is read, else where that row looks most; null without
   * a map.
   */
  cellToRead(): Cell | null {
    const { attention, row } = this.#data;
    if (attention === null) return null;
    const size = attention.tokens.length;
    const at = row < 0 || row >= size ? size - 1 : row;
    return this.#pointedLast?.row === at ? this.#pointedLast : this.#strongest(attention, at);
  }

  /** Returns a copy of the map with all its labels, for a file; null without a map. */
  wholeCanvas(): HTMLCanvasElement | null {
    const { attention, chosen } = this.#data;
    if (attention === null) return null;
    const { tokens } = attention;
    this.#show();
    const weights = headWeights(attention, chosen);
    const read = this.#read(tokens.length);
    const whole = this.#picture.wholeCanvas({ tokens, weights, read, pointed: null });
    this.#show();
    return whole;
  }

  update(next: AttentionMapData): void {
    this.#data = next;
    const size = next.attention?.tokens.length ?? 0;
    if (this.#pointed !== null && this.#pointed.row >= size) this.#pointed = null;
    // Another row was chosen among the arcs.
    if (this.#pointed !== null && next.row >= 0 && this.#pointed.row !== next.row) {
      this.#pointed = { row: next.row, column: Math.min(this.#pointed.column, next.row) };
    }
    this.#draw.request();
  }

  resize(): void {
    this.#picture.forget();
    this.#scale.paint();
    this.#draw.request();
  }

  destroy(): void {
    this.#draw.cancel();
    this.#container.replaceChildren();
  }

  /** The row that is read, in a map of `size` rows. */
  #read(size: number): number {
    return this.#data.row < 0 ? size - 1 : this.#data.row;
  }

  #show(): void {
    const { attention, chosen } = this.#data;
    if (attention === null) return;
    const { words } = this.#options;
    const read = this.#read(attention.tokens.length);
    const weights = headWeights(attention, chosen);
    this.#picture.paint({ tokens: attention.tokens, weights, read, pointed: this.#pointed });
    const place = { layer: chosen.layer + 1, head: chosen.head + 1 };
    const name = words.t('attention.head', place);
    setAttribute(this.#picture.canvas, 'aria-label', `${name}. ${words.t('attention.keys')}`);
    setSteadyText(
      this.#readout,
      this.#pointed === null ? this.#howTo() : this.#sentence(attention, this.#pointed),
    );
    if (this.#details.isOpen()) {
      this.#tableBox.replaceChildren(weightTable(attention, chosen, words));
    }
  }

  #howTo(): string {
    const { words } = this.#options;
    const sideways = this.#picture.goesSideways ? words.t('attention.sideways') : '';
    return sentences([hint(words, 'attention.hint'), sideways], words);
  }

  #sentence(attention: AttentionData, cell: Cell): string {
    return weightSentence(attention, this.#data.chosen, cell, this.#options.words);
  }

  #pointAt(cell: Cell, pressed: boolean): void {
    const { attention } = this.#data;
    const isRow = cell.row >= 0 && cell.row < (attention?.tokens.length ?? 0);
    if (attention === null || !isRow || cell.column > cell.row) {
      this.#point(null);
    } else if (cell.column < 0) {
      // The label of a row stands for where the row looks most.
      this.#point(pressed ? this.#strongest(attention, cell.row) : null);
    } else {
      this.#point(cell);
      if (pressed) this.#options.onRead(this.#sentence(attention, cell));
    }
  }

  #move(move: Cell): void {
    const { attention } = this.#data;
    const size = attention?.tokens.length ?? 0;
    if (attention === null || size === 0) return;
    const from = this.#pointed ?? { row: this.#read(size) - move.row, column: -move.column };
    const row = Math.min(size - 1, Math.max(0, from.row + move.row));
    const column = Math.min(row, Math.max(0, from.column + move.column));
    const said = this.#sentence(attention, { row, column });
    setText(this.#spoken, said);
    this.#point({ row, column });
    this.#options.onRead(said);
    this.#picture.bring({ row, column });
  }

  #point(cell: Cell | null): void {
    this.#pointed = cell;
    this.#pointedLast = cell ?? this.#pointedLast;
    // The same row of the arcs, which stays when nothing is pointed at any more.
    if (cell !== null && cell.row !== this.#data.row) this.#options.onRow(cell.row);
    this.#draw.request();
  }

  /** Where a row looks most. */
  #strongest(attention: AttentionData, row: number): Cell {
    const size = attention.tokens.length;
    const weights = headWeights(attention, this.#data.chosen);
    const seen = weights.subarray(row * size, row * size + row + 1);
    return { row, column: seen.indexOf(Math.max(...seen)) };
  }
}
