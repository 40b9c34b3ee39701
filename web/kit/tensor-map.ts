/**
 * A matrix as coloured cells. Pointer, arrow keys and a table give the number of a cell; a chosen
 * cell is reported, so that others can explain its number.
 */
import type { Cell } from '../base/cell.ts';
import { readable } from '../i18n/numbers.ts';
import type { AllWords } from '../i18n/index.ts';
import { cssValue, disclosure, el, perFrame, setAttribute, setText, table } from './dom.ts';
import type { Disclosure, View } from './dom.ts';
import type { Folds } from './folds.ts';
import { hint } from './hint.ts';
import { placeOn } from './scale.ts';
import { valueColours } from './value-colour.ts';
import type { ValueColours } from './value-colour.ts';

/** A part of a matrix, from row `firstRow` and column `firstColumn`. */
export interface MatrixPart {
  /** (rows, columns), row by row. */
  readonly values: Float32Array;
  readonly rows: number;
  readonly columns: number;
  readonly firstRow: number;
  readonly firstColumn: number;
  /** 1, or n if the part contains only every n-th row or column. */
  readonly rowStride: number;
  readonly columnStride: number;
}

/** The smallest and the largest number. */
export interface NumberRange {
  readonly min: number;
  readonly max: number;
}

export interface TensorMapData {
  readonly part: MatrixPart | null;
  /** Range of the whole tensor, for the colours. */
  readonly range: NumberRange;
  /** Name of the tensor, for screen readers and the table's caption. */
  readonly name: string;
  /** Names of a row and a column: a token, a channel, a number. */
  readonly rowName: (row: number) => string;
  readonly columnName: (column: number) => string;
  /** Whether a chosen cell is explained. */
  readonly traceable: boolean;
  /** The cell explained elsewhere: framed, and described unless another is pointed at. */
  readonly marked: Cell | null;
}

export interface TensorMapOptions {
  readonly words: AllWords;
  readonly folds: Folds;
  readonly isDark: () => boolean;
  /** Called with each drawing, so that text beside the map changes in the same frame. */
  readonly onDraw: () => void;
  /** Called when a cell is chosen by click or Enter. */
  readonly onCell: (cell: Cell) => void;
}

/** Size of the table around a cell. */
const WINDOW = { rows: 12, columns: 8 };
/** Minimum height of a cell and maximum of the map, in CSS pixels. */
const HEIGHT = { cell: 10, most: 420 };

export class TensorMap implements View<TensorMapData> {
  /** The canvas of the map. */
  readonly canvas: HTMLCanvasElement;
  readonly #container: HTMLElement;
  readonly #options: TensorMapOptions;
  readonly #readout = el('p', { class: 'readout', 'data-part': 'tensor-readout' });
  // Announces cells reached by keyboard; a pointer moves too fast for speech.
  readonly #spoken = el('p', { class: 'visually-hidden', 'aria-live': 'polite' });
  readonly #bar = el('canvas', {
    class: 'value-bar',
    width: 128,
    height: 1,
    'aria-hidden': 'true',
  });
  readonly #ends = { least: el('span'), most: el('span') };
  readonly #tableBox: HTMLElement;
  readonly #numbers: Disclosure;
  readonly #draw = perFrame(() => this.#show());
  #data: TensorMapData | null = null;
  /** The pointed cell, relative to the part; null for none. */
  #pointed: Cell | null = null;
  #width = 0;
  /** Whether the map takes the focus once it is drawn. */
  #wantsFocus = false;
  #cell = { width: 1, height: 1 };

  /** Creates the map in `container`. */
  constructor(container: HTMLElement, options: TensorMapOptions) {
    const { words, folds } = options;
    const { t } = words;
    this.#container = container;
    this.#options = options;
    // Replaced by a better name once drawn.
    this.canvas = el('canvas', {
      class: 'tensor-canvas',
      tabindex: '0',
      role: 'application',
      'aria-label': t('values.keys'),
    });
    this.#readout.append(hint(words, 'values.hint'));
    this.#tableBox = el('div', {
      class: 'table-scroll',
      tabindex: '0',
      role: 'region',
      'aria-label': t('values.table'),
    });
    this.#numbers = folds.keep(
      'values.table',
      disclosure('data', t('values.table'), this.#draw.request, this.#tableBox),
    );
    const { least, most } = this.#ends;
    const scale = el('div', { class: 'value-scale' }, least, this.#bar, most);
    container.append(this.canvas, scale, this.#readout, this.#spoken, this.#numbers.root);
    this.#listen();
  }

  update(next: TensorMapData): void {
    this.#data = next;
    const { rows, columns } = next.part ?? { rows: 0, columns: 0 };
    const { row, column } = this.#pointed ?? { row: 0, column: 0 };
    if (row >= rows || column >= columns) this.#pointed = null;
    this.#draw.request();
  }

  /** Takes the focus as soon as numbers are drawn. */
  focus(): void {
    this.#wantsFocus = true;
    this.#draw.request();
  }

  resize(): void {
    this.#width = 0;
    this.#draw.request();
  }

  destroy(): void {
    this.#draw.cancel();
    this.#container.replaceChildren();
  }

  // ---- Drawing ----------------------------------------------------------------------------------

  #show(): void {
    const { words, onDraw } = this.#options;
    const data = this.#data;
    const part = data?.part ?? null;
    this.canvas.hidden = part === null;
    onDraw();
    if (data === null || part === null) return;
    this.#paint(data, part);
    const keys = words.t(data.traceable ? 'values.keys' : 'attention.keys');
    setAttribute(this.canvas, 'aria-label', `${data.name}. ${keys}`);
    const read = this.#pointed ?? markedIn(data, part);
    const said = read === null ? hint(words, 'values.hint') : this.#sentence(data, part, read);
    setText(this.#readout, said);
    if (this.#numbers.isOpen()) this.#fillTable(data, part);
    if (this.#wantsFocus) this.canvas.focus({ preventScroll: true });
    this.#wantsFocus = false;
  }

  #paint(data: TensorMapData, part: MatrixPart): void {
    const { canvas } = this;
    // Reading a width forces a layout, so it is read once per size.
    if (this.#width === 0) this.#width = canvas.clientWidth;
    const context = canvas.getContext('2d');
    if (context === null || this.#width === 0) return;
    const square = this.#width / part.columns;
    const height = Math.min(HEIGHT.most, Math.max(HEIGHT.cell, square) * part.rows);
    this.#cell = { width: square, height: height / part.rows };
    const ratio = devicePixelRatio;
    const size = { width: Math.round(this.#width * ratio), height: Math.round(height * ratio) };
    if (canvas.width !== size.width || canvas.height !== size.height) {
      canvas.width = size.width;
      canvas.height = size.height;
    }
    canvas.style.height = `${String(height)}px`;
    const { min, max } = data.range;
    const colours = valueColours(min, max, this.#options.isDark());
    context.imageSmoothingEnabled = false;
    context.drawImage(pixelsOf(part, colours), 0, 0, size.width, size.height);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.strokeStyle = cssValue(canvas, '--amber');
    context.lineWidth = 2;
    const { width: across, height: down } = this.#cell;
    for (const framed of [markedIn(data, part), this.#pointed]) {
      if (framed === null) continue;
      const [x, y] = [framed.column * across, framed.row * down];
      context.strokeRect(x, y, Math.max(4, across), Math.max(4, down));
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    this.#paintBar(colours);
  }

  #paintBar({ of, least, most }: ValueColours): void {
    const { words } = this.#options;
    const bar = this.#bar;
    const context = bar.getContext('2d');
    for (let x = 0; x < bar.width && context !== null; x++) {
      const [red, green, blue] = of(least + ((most - least) * x) / (bar.width - 1));
      context.fillStyle = `rgb(${String(red)} ${String(green)} ${String(blue)})`;
      context.fillRect(x, 0, 1, 1);
    }
    setText(this.#ends.least, numberText(least, words));
    setText(this.#ends.most, numberText(most, words));
  }

  #sentence({ rowName, columnName }: TensorMapData, part: MatrixPart, at: Cell): string {
    const { words } = this.#options;
    const { row, column } = placeIn(part, at);
    const value = numberText(part.values[at.row * part.columns + at.column] ?? NaN, words);
    return words.t('values.cell', { row: rowName(row), column: columnName(column), value });
  }

  /** Fills the table with the numbers around the pointed cell. */
  #fillTable({ name, rowName, columnName }: TensorMapData, part: MatrixPart): void {
    const { words } = this.#options;
    const pointed = this.#pointed ?? { row: 0, column: 0 };
    const columns = around(pointed.column, WINDOW.columns, part.columns);
    const rows = around(pointed.row, WINDOW.rows, part.rows).map((row) => [
      rowName(placeIn(part, { row, column: 0 }).row),
      ...columns.map((column) =>
        numberText(part.values[row * part.columns + column] ?? NaN, words),
      ),
    ]);
    const heads = columns.map((column) => columnName(placeIn(part, { row: 0, column }).column));
    this.#tableBox.replaceChildren(table(name, [words.t('values.rows'), ...heads], rows));
  }

  // ---- Pointing ---------------------------------------------------------------------------------

  #listen(): void {
    const { canvas } = this;
    // Scrolling under a resting pointer must not point at cells.
    const rests = ({ movementX, movementY }: PointerEvent): boolean =>
      movementX === 0 && movementY === 0;
    canvas.addEventListener('pointermove', (event) => {
      if (!rests(event)) this.#point(this.#under(event));
    });
    canvas.addEventListener('pointerleave', (event) => {
      if (!rests(event)) this.#point(null);
    });
    canvas.addEventListener('click', (event) => {
      const at = this.#under(event);
      this.#point(at);
      this.#choose(at);
    });
    canvas.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.#point(null);
      if (event.key === 'Enter') this.#choose(this.#pointed);
      this.#move(event);
    });
  }

  #point(to: Cell | null): void {
    this.#pointed = to;
    this.#draw.request();
  }

  #choose(at: Cell | null): void {
    const part = this.#data?.part ?? null;
    if (at !== null && part !== null) this.#options.onCell(placeIn(part, at));
  }

  #under(event: MouseEvent): Cell | null {
    const part = this.#data?.part ?? null;
    if (part === null) return null;
    const { x, y } = placeOn(this.canvas, event);
    const row = Math.floor(y / this.#cell.height);
    const column = Math.floor(x / this.#cell.width);
    const inside = row >= 0 && row < part.rows && column >= 0 && column < part.columns;
    return inside ? { row, column } : null;
  }

  #move(event: KeyboardEvent): void {
    const data = this.#data;
    const part = data?.part ?? null;
    if (data === null || part === null) return;
    const moves: Readonly<Record<string, readonly [number, number]>> = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
      PageUp: [-WINDOW.rows, 0],
      PageDown: [WINDOW.rows, 0],
      Home: [0, -part.columns],
      End: [0, part.columns],
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    const begin = this.#pointed ?? markedIn(data, part);
    const from = begin ?? { row: 0, column: 0 };
    const [down, right] = begin === null ? [0, 0] : move;
    const row = Math.min(part.rows - 1, Math.max(0, from.row + down));
    const column = Math.min(part.columns - 1, Math.max(0, from.column + right));
    this.#point({ row, column });
    setText(this.#spoken, this.#sentence(data, part, { row, column }));
  }
}

/** The marked cell relative to the part; null if outside. */
function markedIn({ marked }: TensorMapData, part: MatrixPart): Cell | null {
  if (marked === null) return null;
  const row = Math.floor((marked.row - part.firstRow) / part.rowStride);
  const column = Math.floor((marked.column - part.firstColumn) / part.columnStride);
  const isHere = row >= 0 && row < part.rows && column >= 0 && column < part.columns;
  return isHere ? { row, column } : null;
}

/** An image with one pixel per number. */
function pixelsOf({ values, rows, columns }: MatrixPart, { of }: ValueColours): HTMLCanvasElement {
  const picture = el('canvas', { width: columns, height: rows });
  const pixels = new ImageData(columns, rows);
  for (const [at, value] of values.entries()) {
    const [red, green, blue] = of(value);
    pixels.data.set([red, green, blue, 255], 4 * at);
  }
  picture.getContext('2d')?.putImageData(pixels, 0, 0);
  return picture;
}

/** The position in the whole matrix of a cell of the part. */
function placeIn(part: MatrixPart, { row, column }: Cell): Cell {
  return {
    row: part.firstRow + row * part.rowStride,
    column: part.firstColumn + column * part.columnStride,
  };
}

/** A number with four significant digits at most. */
export function numberText(value: number, words: AllWords): string {
  if (Number.isNaN(value)) return 'NaN';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size < 1e-3 || size >= 1e6) return readable(value.toExponential(2));
  return words.number(value, size >= 100 ? 1 : size >= 1 ? 3 : 4);
}

/** Up to `room` consecutive indices below `count`, centred at `at`. */
function around(at: number, room: number, count: number): number[] {
  const first = Math.max(0, Math.min(at - Math.floor(room / 2), count - room));
  return Array.from({ length: Math.min(count, room) }, (_, index) => first + index);
}
