/**
 * A matrix of numbers as colours: every cell says its number under the pointer, with the arrow keys
 * and in a table. The cell that is pointed at is told, so that others can say where its number
 * comes from.
 */
import type { Cell } from '../base/cell.ts';
import { readable } from '../i18n/numbers.ts';
import type { AllWords } from '../i18n/index.ts';
import { cssValue, disclosure, el, perFrame, setAttribute, setText, table } from './dom.ts';
import type { View } from './dom.ts';
import type { Folds } from './folds.ts';
import { hint } from './hint.ts';
import { valueColours } from './value-colour.ts';

/**
 * Part of a matrix: `rows` and `columns` of it are here, of which the first are at the given place.
 */
export interface MatrixPart {
  /** (rows, columns), row by row. */
  readonly values: Float32Array;
  readonly rows: number;
  readonly columns: number;
  readonly firstRow: number;
  readonly firstColumn: number;
  /** Above 1 when only it holds every `stride`-th row and column. */
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
  /** Of the whole tensor, of which the part may be a window: the ends of the colours. */
  readonly range: NumberRange;
  /** What the picture shows, for a screen reader and the table's caption. */
  readonly name: string;
  /** What a row and a column are, in the reader's language: a token, a channel, a number. */
  readonly rowName: (row: number) => string;
  readonly columnName: (column: number) => string;
  /** Whether a chosen cell is explained. */
  readonly traceable: boolean;
  /** The cell that is explained elsewhere: it is marked, and read while no other is pointed at. */
  readonly marked: Cell | null;
}

export interface TensorMapOptions {
  readonly words: AllWords;
  readonly folds: Folds;
  readonly isDark: () => boolean;
  /** What is told beside the map changes with it, not some frames before. */
  readonly onDraw: () => void;
  /** A cell was chosen by a click or Enter. */
  readonly onCell: (cell: Cell) => void;
}

export interface TensorMap extends View<TensorMapData> {
  /** The picture, as it was drawn last. */
  readonly canvas: HTMLCanvasElement;
  /** Takes the focus, as soon as numbers are drawn. */
  focus(): void;
}

/** Cells of the table: as many as can be read at once. */
const WINDOW = { rows: 12, columns: 8 };
/** Heights of the picture in CSS pixels. */
const HEIGHT = { cell: 10, most: 420 };

/** Creates the map in `container`. */
export function createTensorMap(
  container: HTMLElement,
  { words, folds, isDark, onDraw, onCell }: TensorMapOptions,
): TensorMap {
  const { t } = words;
  // Named better once it is drawn.
  const canvas = el('canvas', { class: 'tensor-canvas', tabindex: '0', role: 'img', 'aria-label': t('values.keys') }); // prettier-ignore
  const readout = el(
    'p',
    { class: 'readout', 'data-part': 'tensor-readout' },
    hint(words, 'values.hint'),
  );
  // Follows the keyboard aloud; the pointer moves too fast to be read out.
  const spoken = el('p', { class: 'visually-hidden', 'aria-live': 'polite' });
  const bar = el('canvas', { class: 'value-bar', width: 128, height: 1, 'aria-hidden': 'true' });
  const ends = { least: el('span'), most: el('span') };
  const tableBox = el('div', { class: 'table-scroll', tabindex: '0', role: 'region' });
  tableBox.setAttribute('aria-label', t('values.table'));
  const numbers = folds.keep(
    'values.table',
    disclosure('data', t('values.table'), () => draw.request(), tableBox),
  );
  container.append(
    canvas,
    el('div', { class: 'value-scale' }, ends.least, bar, ends.most),
    readout,
    spoken,
    numbers.root,
  );

  let data: TensorMapData | null = null;
  /** Place of the pointed cell among the cells that are here. */
  let pointed: Cell | null = null;
  let width = 0;
  /** The focus is to come here once there is something drawn that can have it. */
  let wanted = false;
  let cell = { width: 1, height: 1 };

  const draw = perFrame(() => {
    const part = data?.part ?? null;
    canvas.hidden = part === null;
    onDraw();
    if (data === null || part === null) return;
    paint(part);
    const keys = t(data.traceable ? 'values.keys' : 'attention.keys');
    setAttribute(canvas, 'aria-label', `${data.name}. ${keys}`);
    const read = pointed ?? markedIn(part);
    setText(readout, read === null ? hint(words, 'values.hint') : sentence(part, read));
    if (numbers.isOpen()) fillTable(part);
    if (wanted) canvas.focus({ preventScroll: true });
    wanted = false;
  });

  function paint(part: MatrixPart): void {
    // Asking for the width makes the browser lay the page out: once for each size is enough.
    if (width === 0) width = canvas.clientWidth;
    const context = canvas.getContext('2d');
    if (context === null || width === 0) return;
    const square = width / part.columns;
    const height = Math.min(HEIGHT.most, Math.max(HEIGHT.cell, square) * part.rows);
    cell = { width: square, height: height / part.rows };
    const ratio = devicePixelRatio;
    const size = { width: Math.round(width * ratio), height: Math.round(height * ratio) };
    if (canvas.width !== size.width || canvas.height !== size.height) {
      canvas.width = size.width;
      canvas.height = size.height;
    }
    canvas.style.height = `${String(height)}px`;
    const colours = coloursNow();
    const small = el('canvas', { width: part.columns, height: part.rows });
    const pixels = new ImageData(part.columns, part.rows);
    for (const [at, value] of part.values.entries()) {
      const [red, green, blue] = colours.of(value);
      pixels.data.set([red, green, blue, 255], 4 * at);
    }
    small.getContext('2d')?.putImageData(pixels, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(small, 0, 0, size.width, size.height);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.strokeStyle = cssValue(canvas, '--amber');
    context.lineWidth = 2;
    for (const framed of [markedIn(part), pointed]) {
      if (framed === null) continue;
      const box = { width: Math.max(4, cell.width), height: Math.max(4, cell.height) };
      context.strokeRect(framed.column * cell.width, framed.row * cell.height, box.width, box.height); // prettier-ignore
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    paintBar(colours);
  }

  /** The marked cell among those that are here. */
  function markedIn({
    firstRow,
    firstColumn,
    rows,
    columns,
    rowStride,
    columnStride,
  }: MatrixPart): Cell | null {
    const marked = data?.marked ?? null;
    if (marked === null) return null;
    const row = Math.floor((marked.row - firstRow) / rowStride);
    const column = Math.floor((marked.column - firstColumn) / columnStride);
    return row >= 0 && row < rows && column >= 0 && column < columns ? { row, column } : null;
  }

  function coloursNow(): ReturnType<typeof valueColours> {
    const { min, max } = data?.range ?? { min: 0, max: 0 };
    return valueColours(min, max, isDark());
  }

  function paintBar({ of, least, most }: ReturnType<typeof valueColours>): void {
    const context = bar.getContext('2d');
    for (let x = 0; x < bar.width && context !== null; x++) {
      const [red, green, blue] = of(least + ((most - least) * x) / (bar.width - 1));
      context.fillStyle = `rgb(${String(red)} ${String(green)} ${String(blue)})`;
      context.fillRect(x, 0, 1, 1);
    }
    setText(ends.least, numberText(least, words));
    setText(ends.most, numberText(most, words));
  }

  function sentence(part: MatrixPart, at: Cell): string {
    const { row, column } = placeIn(part, at);
    const value = part.values[at.row * part.columns + at.column] ?? NaN;
    return t('values.cell', {
      row: data?.rowName(row) ?? '',
      column: data?.columnName(column) ?? '',
      value: numberText(value, words),
    });
  }

  /** The numbers around the pointed cell. */
  function fillTable(part: MatrixPart): void {
    const from = {
      row: start(pointed?.row ?? 0, WINDOW.rows, part.rows),
      column: start(pointed?.column ?? 0, WINDOW.columns, part.columns),
    };
    const columns = range(from.column, Math.min(part.columns, from.column + WINDOW.columns));
    const rows = range(from.row, Math.min(part.rows, from.row + WINDOW.rows)).map((row) => [
      data?.rowName(placeIn(part, { row, column: 0 }).row) ?? '',
      ...columns.map((column) =>
        numberText(part.values[row * part.columns + column] ?? NaN, words),
      ),
    ]);
    const heads = columns.map(
      (column) => data?.columnName(placeIn(part, { row: 0, column }).column) ?? '',
    );
    tableBox.replaceChildren(table(data?.name ?? '', [t('values.rows'), ...heads], rows));
  }

  function point(to: Cell | null, aloud: boolean): void {
    pointed = to;
    const part = data?.part ?? null;
    if (aloud && to !== null && part !== null) setText(spoken, sentence(part, to));
    draw.request();
  }

  function under(event: MouseEvent): Cell | null {
    const part = data?.part ?? null;
    if (part === null) return null;
    const row = Math.floor(event.offsetY / cell.height);
    const column = Math.floor(event.offsetX / cell.width);
    const inside = row >= 0 && row < part.rows && column >= 0 && column < part.columns;
    return inside ? { row, column } : null;
  }

  function choose(at: Cell | null): void {
    const part = data?.part ?? null;
    if (at !== null && part !== null) onCell(placeIn(part, at));
  }

  // A page that scrolls under a pointer that rests points at nothing.
  const rests = ({ movementX, movementY }: PointerEvent): boolean =>
    movementX === 0 && movementY === 0;
  canvas.addEventListener('pointermove', (event) => {
    if (!rests(event)) point(under(event), false);
  });
  canvas.addEventListener('pointerleave', (event) => {
    if (!rests(event)) point(null, false);
  });
  canvas.addEventListener('click', (event) => {
    const at = under(event);
    point(at, false);
    choose(at);
  });
  canvas.addEventListener('keydown', (event) => {
    const part = data?.part ?? null;
    if (part === null) return;
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
    if (event.key === 'Escape') point(null, false);
    if (event.key === 'Enter') choose(pointed);
    const begin = pointed ?? markedIn(part);
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    const from = begin ?? { row: 0, column: 0 };
    const [down, right] = begin === null ? [0, 0] : move;
    const row = Math.min(part.rows - 1, Math.max(0, from.row + down));
    const column = Math.min(part.columns - 1, Math.max(0, from.column + right));
    point({ row, column }, true);
  });

  return {
    canvas,
    update(next) {
      data = next;
      const part = next.part;
      const gone = pointed !== null && (pointed.row >= (part?.rows ?? 0) || pointed.column >= (part?.columns ?? 0)); // prettier-ignore
      if (gone) pointed = null;
      draw.request();
    },
    focus() {
      wanted = true;
      draw.request();
    },
    resize() {
      width = 0;
      draw.request();
    },
    destroy() {
      draw.cancel();
      container.replaceChildren();
    },
  };
}

/** Where a cell of those that are here stands in the whole matrix. */
function placeIn(part: MatrixPart, { row, column }: Cell): Cell {
  return {
    row: part.firstRow + row * part.rowStride,
    column: part.firstColumn + column * part.columnStride,
  };
}

/** A number with four digits that count, in a form that stays short. */
export function numberText(value: number, words: AllWords): string {
  if (Number.isNaN(value)) return 'NaN';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size < 1e-3 || size >= 1e6) return readable(value.toExponential(2));
  return words.number(value, size >= 100 ? 1 : size >= 1 ? 3 : 4);
}

function start(at: number, room: number, count: number): number {
  return Math.max(0, Math.min(at - Math.floor(room / 2), count - room));
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
