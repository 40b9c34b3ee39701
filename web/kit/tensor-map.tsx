/**
 * A matrix as coloured cells. Pointer, arrow keys and a table show the number of a cell; a chosen
 * cell is reported, so that other views can explain its number.
 */
import type { Signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Cell } from '../base/cell.ts';
import { readable } from '../i18n/numbers.ts';
import type { AllWords } from '../i18n/index.ts';
import { DataTable } from './data-table.tsx';
import { Fold } from './fold.tsx';
import { hint } from './hint.ts';
import { keyOf } from './keys.ts';
import { drawChanges } from './render.ts';
import { useResize } from './resize.ts';
import { paintScale, TensorPicture } from './tensor-picture.ts';
import type { MatrixPart } from './tensor-picture.ts';
import { valueColours } from './value-colour.ts';

/** The smallest and the largest number. */
export interface NumberRange {
  readonly min: number;
  readonly max: number;
}

/** Names of a row and of a column: a token, a channel, a number. */
export interface SideNames {
  readonly row: (index: number) => string;
  readonly column: (index: number) => string;
}

export interface TensorMapProps {
  readonly words: AllWords;
  readonly isDark: boolean;
  /** The shown part; null while there are no numbers. */
  readonly part: MatrixPart | null;
  /** Range of the whole tensor, for the colours. */
  readonly range: NumberRange;
  /** Name of the tensor, for screen readers and the table's caption. */
  readonly name: string;
  readonly names: SideNames;
  /** Whether choosing a cell explains its number. */
  readonly isTraceable: boolean;
  /**
   * The cell that another view explains: framed, and described unless another cell is pointed at.
   */
  readonly marked: Cell | null;
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  /** Whether the table is open. */
  readonly table: Signal<boolean>;
  /** Called when a cell is chosen by click or Enter. */
  readonly onCell: (cell: Cell) => void;
}

/** Size of the table around a cell. */
const WINDOW = { rows: 12, columns: 8 };

/** Rows and columns to move by, for each key; ±Infinity moves to an end of the row. */
const MOVES: Readonly<Record<string, Cell>> = {
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
  PageUp: { row: -WINDOW.rows, column: 0 },
  PageDown: { row: WINDOW.rows, column: 0 },
  Home: { row: 0, column: -Infinity },
  End: { row: 0, column: Infinity },
};

export function TensorMap(props: TensorMapProps) {
  const { words, isDark, part, range, name, isTraceable, canvas, table, onCell } = props;
  const { t } = words;
  const [last, point] = useState<Cell | null>(null);
  // Announces cells reached by keyboard; a pointer moves too fast for speech.
  const [spoken, say] = useState('');
  const bar = useRef<HTMLCanvasElement>(null);
  const picture = useRef<TensorPicture | null>(null);
  const pointed = last !== null && part !== null && isIn(part, last) ? last : null;
  const marked = markedIn(props);
  const { min, max } = range;
  const colours = valueColours(min, max, isDark);
  const paint = (): void => {
    picture.current ??= new TensorPicture(canvas.current!);
    if (part === null) return;
    picture.current.paint(part, colours, [marked, pointed]);
    paintScale(bar.current!, colours);
  };
  useLayoutEffect(paint, [part, min, max, isDark, marked?.row, marked?.column, pointed]);
  useResize(() => {
    picture.current?.forget();
    paint();
  });
  const choose = (at: Cell | null): void => {
    if (at !== null && part !== null) onCell(placeIn(part, at));
  };
  const under = (event: MouseEvent): Cell | null => {
    const at = picture.current?.cellAt(event) ?? null;
    return at !== null && part !== null && isIn(part, at) ? at : null;
  };
  const move = (event: KeyboardEvent): void => {
    const by = MOVES[event.key];
    if (by === undefined || part === null) return;
    event.preventDefault();
    const from = pointed ?? marked;
    const to = {
      row: within((from?.row ?? 0) + (from === null ? 0 : by.row), part.rows),
      column: within((from?.column ?? 0) + (from === null ? 0 : by.column), part.columns),
    };
    point(to);
    say(sentence(props, part, to));
    // The next key starts at this cell.
    drawChanges();
  };
  const read = pointed ?? marked;
  return (
    <div class="tensor-map">
      <canvas
        ref={canvas}
        class="tensor-canvas"
        tabIndex={0}
        role="application"
        hidden={part === null}
        aria-label={`${name}. ${t(isTraceable ? 'values.keys' : 'attention.keys')}`}
        // Scrolling under a resting pointer must not point at cells.
        onPointerMove={(event) => {
          if (!rests(event)) point(under(event));
        }}
        onPointerLeave={(event) => {
          if (!rests(event)) point(null);
        }}
        onClick={(event) => {
          const at = under(event);
          point(at);
          choose(at);
        }}
        onKeyDown={(event) => {
          const key = keyOf(event);
          if (pointed !== null && (key === 'Escape' || key === 'Enter')) {
            event.preventDefault();
            if (key === 'Escape') point(null);
            else choose(pointed);
          } else move(event);
        }}
      />
      <div class="value-scale">
        <span>{part === null ? '' : numberText(colours.least, words)}</span>
        <canvas ref={bar} class="value-bar" width={128} height={1} aria-hidden="true" />
        <span>{part === null ? '' : numberText(colours.most, words)}</span>
      </div>
      <p class="readout" data-part="tensor-readout">
        {read === null || part === null ? hint(words, 'values.hint') : sentence(props, part, read)}
      </p>
      <p class="visually-hidden" aria-live="polite">
        {spoken}
      </p>
      <Fold kind="data" title={t('values.table')} open={table}>
        {() => (part === null ? null : <AroundCell {...props} part={part} cell={pointed} />)}
      </Fold>
    </div>
  );
}

interface AroundCellProps extends TensorMapProps {
  readonly part: MatrixPart;
  /** Relative to the part; null for its first cell. */
  readonly cell: Cell | null;
}

/** A table of the numbers around a cell. */
function AroundCell({ words, name, names, part, cell }: AroundCellProps) {
  const columns = around(cell?.column ?? 0, WINDOW.columns, part.columns);
  const rows = around(cell?.row ?? 0, WINDOW.rows, part.rows);
  const heads = columns.map((column) => names.column(placeIn(part, { row: 0, column }).column));
  return (
    <DataTable
      label={words.t('values.table')}
      caption={name}
      heads={[words.t('values.rows'), ...heads]}
      rows={rows.map((row) => [
        names.row(placeIn(part, { row, column: 0 }).row),
        ...columns.map((column) => numberText(valueIn(part, { row, column }), words)),
      ])}
    />
  );
}

function sentence({ words, names }: TensorMapProps, part: MatrixPart, at: Cell): string {
  const { row, column } = placeIn(part, at);
  const value = numberText(valueIn(part, at), words);
  return words.t('values.cell', { row: names.row(row), column: names.column(column), value });
}

const rests = ({ movementX, movementY }: PointerEvent): boolean =>
  movementX === 0 && movementY === 0;

const within = (at: number, count: number): number => Math.min(count - 1, Math.max(0, at));

function isIn({ rows, columns }: MatrixPart, { row, column }: Cell): boolean {
  return row >= 0 && row < rows && column >= 0 && column < columns;
}

/** The marked cell relative to the part; null if outside. */
function markedIn({ marked, part }: TensorMapProps): Cell | null {
  if (marked === null || part === null) return null;
  const cell = {
    row: Math.floor((marked.row - part.firstRow) / part.rowStride),
    column: Math.floor((marked.column - part.firstColumn) / part.columnStride),
  };
  return isIn(part, cell) ? cell : null;
}

/** The position in the whole matrix of a cell of the part. */
function placeIn(part: MatrixPart, { row, column }: Cell): Cell {
  return {
    row: part.firstRow + row * part.rowStride,
    column: part.firstColumn + column * part.columnStride,
  };
}

function valueIn({ values, columns }: MatrixPart, { row, column }: Cell): number {
  return values[row * columns + column] ?? NaN;
}

/** Formats a number with one to four decimals, or as a power of ten if it is tiny or huge. */
export function numberText(value: number, words: AllWords): string {
  if (Number.isNaN(value)) return 'NaN';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size < 1e-3 || size >= 1e6) return readable(value.toExponential(2));
  return words.number(value, size >= 100 ? 1 : size >= 1 ? 3 : 4);
}

/**
 * At most `room` consecutive indices from 0 to `count` - 1, with `at` in the middle unless near an
 * end.
 */
function around(at: number, room: number, count: number): number[] {
  const first = Math.max(0, Math.min(at - Math.floor(room / 2), count - room));
  return Array.from({ length: Math.min(count, room) }, (_, index) => first + index);
}
