/**
 * One head large: labels on both axes, the weight under the pointer or the arrow keys in words.
 * However the map is scrolled, the labels of rows and columns stay in sight.
 */
import type { Words } from '../../i18n/index.ts';
import { headWeights, sameTokens } from '../../data/attention-data.ts';
import type { AttentionData, HeadPlace } from '../../data/attention-data.ts';
import {
  colourScale,
  cssColour,
  placeOfWeight,
  WEIGHT_TICKS,
  weightAt,
} from '../../kit/weight-colour.ts';
import {
  disclosure,
  el,
  keptValues,
  perFrame,
  setAttribute,
  setSteadyText,
  setText,
  table,
} from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import type { Folds } from '../../kit/folds.ts';
import { hasOnlyFingers, hint } from '../../kit/hint.ts';
import { capitalised, sentences } from '../../i18n/index.ts';
import {
  axisMarks,
  characterMarks,
  listLabels,
  marksWithRoom,
  spokenLabels,
} from '../../kit/row-labels.ts';
import type { AxisMark } from '../../kit/row-labels.ts';
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

/** The side of a cell at most, in CSS pixels. */
const MOST_CELL = 96;
/**
 * The side of a cell at least in the wide form, and the width of the box below which that holds:
 * for fingers, or where the window itself is narrow; and for a pointer (WCAG 2.2, 2.5.8), where the
 * box is narrow only because of what stands beside it.
 */
const LARGE_CELL = 40;
const LEAST_CELL = 24;
const NARROW_BOX = 480;
const NARROW_WINDOW = 768;
/** Room between the labels of neighbouring columns, and between labels and cells. */
const LABEL_GAP = 3;
const CELL_GAP = 5;
/** Cells from this side on have room for the bytes of a character beside the character itself. */
const BYTE_CELL = 13;
/** A finger that moves less than this many CSS pixels taps. */
const TAP = 10;
/** The largest letters of labels, and the widest label: longer ones are cut. */
const MOST_FONT = 14;
const MOST_LABEL = 72;

/** The labels along both axes: nearest the cells, and beyond those, characters over their bytes. */
interface Lettering {
  readonly font: number;
  /** Room for the labels of every token, or of every second or third. */
  readonly every: number;
  readonly near: readonly AxisMark[];
  readonly far: readonly AxisMark[];
  /** The longest labels of each. */
  readonly nearWidth: number;
  readonly farWidth: number;
}

export interface AttentionMap extends View<AttentionMapData> {
  /** The scale below the map: what is above it is what one looks at. */
  readonly end: HTMLElement;
  /**
   * What was pointed at last in the row that is read, else where that row looks most; null without
   * a map.
   */
  cellToRead(): Cell | null;
}

/** Creates the large map in `container`. */
export function createAttentionMap(
  container: HTMLElement,
  options: AttentionMapOptions,
): AttentionMap {
  const { words, isDark, wide, onRow, onRead } = options;
  const { t } = words;
  let repaintLegend = (): void => undefined;
  // Named better once it is drawn.
  const canvas = el('canvas', { class: 'attention-canvas', tabindex: '0', role: 'img', 'aria-label': t('attention.keys') }); // prettier-ignore
  const styles = keptValues(canvas);
  const readout = el('p', { class: 'readout', 'data-part': 'attention-readout' });
  // Follows the keyboard aloud; the pointer is quiet, since it moves too fast to be read out.
  const spoken = el('p', { class: 'visually-hidden', 'aria-live': 'polite' });
  const tableBox = el('div', {
    class: 'table-scroll',
    tabindex: '0',
    role: 'region',
    translate: 'no',
  });
  tableBox.setAttribute('aria-label', t('attention.table'));
  const details = options.folds.keep(
    wide ? 'attention.table wide' : 'attention.table',
    disclosure('data', t('attention.table'), () => draw.request(), tableBox),
  );
  const span = el('div', { class: 'map-span' }, canvas);
  const scroller = el('div', { class: 'map-scroll' }, span);
  const columns = el('canvas', { class: 'map-columns', 'aria-hidden': 'true' });
  // Above the map, and in sight as long as any of it is.
  const above = el('div', { class: 'map-above', translate: 'no' }, readout, columns);
  const key = legend();
  // What is held above the map goes with it.
  const whole = el('div', {}, above, scroller);
  container.append(whole, key, spoken, details.root);

  let data: AttentionMapData = { attention: null, chosen: { layer: 0, head: 0 }, row: -1 };
  let pointed: Cell | null = null;
  /** What was pointed at last, also when nothing is any more. */
  let pointedLast: Cell | null = null;
  /** Geometry of the last drawing in CSS pixels, to know what is under the pointer. */
  let margin = 0;
  let cellSize = 1;
  /** The side of the whole map; 0 until the room for it is measured. */
  let side = 0;
  let room = 0;
  /** How far it is scrolled sideways: the canvas stands still, with the labels of the rows. */
  let offset = 0;
  /** The labels that are painted, and of which places; empty when they must be painted anew. */
  let labels: Lettering | null = null;
  let labelled = '';

  const draw = perFrame(() => {
    const { attention } = data;
    if (attention === null) return;
    paint(attention);
    describe(attention);
    if (details.isOpen()) fillTable(attention);
  });

  function paint(attention: AttentionData): void {
    const { tokens } = attention;
    const cells = canvas.getContext('2d');
    const heads = columns.getContext('2d');
    // Asking for a size makes the browser lay the page out: once for each size is enough.
    if (side === 0) room = scroller.clientWidth;
    if (cells === null || heads === null || room === 0) return;
    const hit = hasOnlyFingers() || innerWidth < NARROW_WINDOW ? LARGE_CELL : LEAST_CELL;
    const least = wide && room < NARROW_BOX ? hit : 0;
    const cellFor = (labels: number): number =>
      Math.min(MOST_CELL, Math.max(least, (room - labels) / tokens.length));
    // The labels are as large as the cells allow, which have the room that the labels leave.
    const lettering = lettered(cells, tokens, cellFor(CELL_GAP + MOST_FONT * 2));
    margin = rowRoom(lettering);
    cellSize = cellFor(margin);
    // A few tokens need no more than so much; what fills the room is not wider than it by a
    // rounding.
    const needed = margin + tokens.length * cellSize;
    side = needed < room + 1 ? Math.min(needed, room) : needed;
    const width = Math.min(room, side);
    offset = side > width ? scroller.scrollLeft : 0;
    // Letters on a canvas, too, make the browser work out the styles of the page: in a run they
    // stay.
    const around = [cellSize, margin, offset, width, devicePixelRatio, data.row];
    const key = [...around, pointed?.row, pointed?.column].join();
    if (key !== labelled || lettering !== labels) {
      labelled = key;
      labels = lettering;
      span.style.width = `${String(side)}px`;
      const place = columnPlace(heads, lettering);
      fit(cells, width, side - margin);
      fit(heads, width, place.near + CELL_GAP);
      paintRowLabels(cells, lettering);
      scrolled(heads, width, () => {
        paintColumnLabels(heads, lettering, place);
      });
    }
    scrolled(cells, width, () => {
      cells.clearRect(margin - 2 + offset, 0, width, side);
      paintCells(cells, attention);
      if (pointed !== null) paintPointed(cells, pointed);
    });
  }

  /** Paints what can be scrolled away to the left, below the labels of the rows. */
  function scrolled(context: CanvasRenderingContext2D, width: number, paint: () => void): void {
    context.save();
    context.beginPath();
    context.rect(margin - 2, 0, width, side);
    context.clip();
    context.translate(-offset, 0);
    paint();
    context.restore();
  }

  function paintCells(context: CanvasRenderingContext2D, attention: AttentionData): void {
    const weights = headWeights(attention, data.chosen);
    const size = attention.tokens.length;
    const scale = colourScale(isDark());
    const gap = cellSize > 8 ? 1 : 0;
    for (let row = 0; row < size; row++) {
      for (let column = 0; column <= row; column++) {
        context.fillStyle = cssColour(scale, weights[row * size + column] ?? 0);
        const x = margin + column * cellSize;
        const y = row * cellSize;
        context.fillRect(x, y, cellSize - gap, cellSize - gap);
      }
    }
  }

  function setFont(context: CanvasRenderingContext2D, font: number): void {
    context.font = `${String(font)}px ${styles.of('--mono')}`;
    context.textBaseline = 'middle';
  }

  /** The lettering of now: every move of the pointer paints, and labels are measured once only. */
  let last: {
    readonly tokens: AttentionData['tokens'];
    readonly cell: number;
    readonly lettering: Lettering;
  } | null = null;

  function lettered(
    context: CanvasRenderingContext2D,
    tokens: AttentionData['tokens'],
    cell: number,
  ): Lettering {
    // Every picture of a run has tokens of its own, and nearly always the same.
    if (last === null || last.cell !== cell || !sameTokens(last.tokens, tokens)) {
      last = { tokens, cell, lettering: letter(context, tokens, cell) };
    }
    return last.lettering;
  }

  /** What stands along the axes when cells are about `cell` wide. */
  function letter(
    context: CanvasRenderingContext2D,
    tokens: AttentionData['tokens'],
    cell: number,
  ): Lettering {
    const characters = characterMarks(tokens);
    // Where bytes have no room of their own, the character stands for them, with theirs.
    const joined = characters.length > 0 && cell < BYTE_CELL;
    const font = Math.max(7, Math.min(MOST_FONT, cell * (joined ? 1 : 0.72)));
    setFont(context, font);
    const width = (label: string): number => context.measureText(label).width;
    const cut = (marks: readonly AxisMark[]): AxisMark[] =>
      marks.map((mark) => {
        if (width(mark.label) <= MOST_LABEL) return mark;
        const letters = Array.from(mark.label);
        while (width(`${letters.join('')}…`) > MOST_LABEL) letters.pop();
        return { ...mark, label: `${letters.join('')}…` };
      });
    const widest = (marks: readonly AxisMark[]): number =>
      Math.max(0, ...marks.map(({ label }) => width(label)));
    const near = cut(axisMarks(tokens, joined));
    const far = joined ? [] : cut(characters);
    const every = Math.max(1, Math.ceil(9 / cell));
    return { font, every, near, far, nearWidth: widest(near), farWidth: widest(far) };
  }

  /** Room to the left of the cells. */
  function rowRoom({ far, nearWidth, farWidth }: Lettering): number {
    const beyond = far.length === 0 ? 0 : farWidth + 3 * LABEL_GAP;
    return Math.ceil(CELL_GAP + 1 + nearWidth + beyond + 2);
  }

  /** Where the labels of columns end at the bottom, and the bracket beyond them. */
  function columnPlace(
    context: CanvasRenderingContext2D,
    lettering: Lettering,
  ): { readonly near: number; readonly bracket: number } {
    const { font, every, near, far } = lettering;
    setFont(context, font);
    const height = (marks: readonly AxisMark[], room: number): number =>
      Math.max(
        font,
        ...marks.map((mark) =>
          isUpright(context, mark, room) ? font : context.measureText(mark.label).width,
        ),
      );
    const bracket = far.length === 0 ? 0 : Math.ceil(height(far, 1) + 1.5 * LABEL_GAP);
    const gap = far.length === 0 ? 2 : 1.5 * LABEL_GAP;
    return { near: Math.ceil(bracket + gap + height(near, every)), bracket };
  }

  /** Whether a label has room in its column, or columns; a single letter has. */
  function isUpright(
    context: CanvasRenderingContext2D,
    { label, start, end }: AxisMark,
    every: number,
  ): boolean {
    if (Array.from(label).length === 1) return true;
    const most = Math.max(every, end - start) * cellSize - LABEL_GAP;
    return context.measureText(label).width <= most;
  }

  /** Labels for which there is room, and that of what is pointed at in any case. */
  function shownMarks({ near, every }: Lettering, at: number | undefined): readonly AxisMark[] {
    const shown = marksWithRoom(near, every);
    return near.filter((mark) => mark.start === at || shown.includes(mark));
  }

  const holds = ({ start, end }: AxisMark, index: number | undefined): boolean =>
    index !== undefined && index >= start && index < end;

  function paintRowLabels(context: CanvasRenderingContext2D, lettering: Lettering): void {
    const { font, far, nearWidth } = lettering;
    setFont(context, font);
    const muted = styles.of('--muted');
    const amber = styles.of('--amber');
    const edge = styles.of('--edge');
    const size = data.attention?.tokens.length ?? 0;
    const read = data.row < 0 ? size - 1 : data.row;
    context.textAlign = 'right';
    const label = (mark: AxisMark, right: number): void => {
      context.fillStyle = holds(mark, read) ? amber : muted;
      context.fillText(mark.label, right, ((mark.start + mark.end) / 2) * cellSize);
    };
    const right = margin - CELL_GAP - 1;
    for (const mark of shownMarks(lettering, pointed?.row)) label(mark, right);
    const bracket = right - nearWidth - 1.5 * LABEL_GAP;
    for (const mark of far) {
      label(mark, bracket - 1.5 * LABEL_GAP);
      context.fillStyle = edge;
      const length = (mark.end - mark.start) * cellSize - LABEL_GAP;
      context.fillRect(bracket, mark.start * cellSize + LABEL_GAP / 2, 1, length);
    }
  }

  function paintColumnLabels(
    context: CanvasRenderingContext2D,
    lettering: Lettering,
    { near, bracket }: { readonly near: number; readonly bracket: number },
  ): void {
    const { font, every, far } = lettering;
    setFont(context, font);
    const ink = styles.of('--ink');
    const muted = styles.of('--muted');
    const edge = styles.of('--edge');
    const label = (mark: AxisMark, bottom: number, room: number): void => {
      const centre = margin + ((mark.start + mark.end) / 2) * cellSize;
      context.fillStyle = holds(mark, pointed?.column) ? ink : muted;
      context.save();
      if (isUpright(context, mark, room)) {
        context.textAlign = 'center';
        context.fillText(mark.label, centre, bottom - font / 2);
      } else {
        context.translate(centre, bottom);
        context.rotate(-Math.PI / 2);
        context.textAlign = 'left';
        context.fillText(mark.label, 0, 0);
      }
      context.restore();
    };
    const shown = shownMarks(lettering, pointed?.column);
    for (const mark of shown) label(mark, near, every);
    for (const mark of far) {
      label(mark, bracket - 1.5 * LABEL_GAP, 1);
      context.fillStyle = edge;
      const left = margin + mark.start * cellSize + LABEL_GAP / 2;
      context.fillRect(left, bracket, (mark.end - mark.start) * cellSize - LABEL_GAP, 1);
    }
  }

  function paintPointed(context: CanvasRenderingContext2D, cell: Cell): void {
    context.strokeStyle = styles.of('--amber');
    context.lineWidth = 2;
    const x = margin + cell.column * cellSize;
    const y = cell.row * cellSize;
    context.strokeRect(x - 1, y - 1, cellSize + 1, cellSize + 1);
  }

  function describe(attention: AttentionData): void {
    const { chosen } = data;
    const place = { layer: chosen.layer + 1, head: chosen.head + 1 };
    const name = t('attention.head', place);
    setAttribute(canvas, 'aria-label', `${name}. ${t('attention.keys')}`);
    setSteadyText(readout, pointed === null ? howTo() : sentence(attention, pointed));
  }

  function howTo(): string {
    const sideways = side > room ? t('attention.sideways') : '';
    return sentences([hint(words, 'attention.hint'), sideways], words);
  }

  function sentence(attention: AttentionData, cell: Cell): string {
    const names = spokenLabels(attention.tokens, words);
    const [from, to] = [names[cell.row], names[cell.column]];
    if (from === undefined || to === undefined) return '';
    const weight = headWeights(attention, data.chosen)[
      cell.row * attention.tokens.length + cell.column
    ];
    const place = { from, row: cell.row + 1, to, column: cell.column + 1 };
    return capitalised(t('attention.weight', { ...place, weight: words.number(weight ?? 0, 3) }));
  }

  function fillTable(attention: AttentionData): void {
    const { tokens } = attention;
    const weights = headWeights(attention, data.chosen);
    const labels = listLabels(tokens);
    const rows = labels.map((label, row) => [
      label,
      ...labels.map((_, column) =>
        column > row ? '' : words.number(weights[row * labels.length + column] ?? 0, 3),
      ),
    ]);
    const place = { layer: data.chosen.layer + 1, head: data.chosen.head + 1 };
    const caption = t('attention.table.caption', place);
    tableBox.replaceChildren(table(caption, [t('attention.table.from'), ...labels], rows));
  }

  function legend(): HTMLElement {
    const bar = el('span', { class: 'scale-bar', 'aria-hidden': 'true' });
    const ticks = WEIGHT_TICKS.map((weight) => {
      const tick = el('span', { class: 'scale-tick' }, words.short(weight));
      tick.style.left = `${String(100 * placeOfWeight(weight))}%`;
      return tick;
    });
    const scale = el('span', { class: 'scale' }, bar, ...ticks);
    const paintBar = (): void => {
      const colours = Array.from({ length: 13 }, (_, index) =>
        cssColour(colourScale(isDark()), weightAt(index / 12)),
      );
      bar.style.background = `linear-gradient(to right, ${colours.join(', ')})`;
    };
    paintBar();
    repaintLegend = paintBar;
    return el('div', { class: 'scale-row' }, el('span', {}, t('attention.scale')), scale);
  }

  function point(cell: Cell | null, aloud: boolean): void {
    pointed = cell;
    pointedLast = cell ?? pointedLast;
    const { attention } = data;
    if (aloud && cell !== null && attention !== null) setText(spoken, sentence(attention, cell));
    // The same row of the arcs, which stays when nothing is pointed at any more.
    if (cell !== null && cell.row !== data.row) onRow(cell.row);
    draw.request();
  }

  const pointAt = (event: PointerEvent): void => {
    const { attention } = data;
    const size = attention?.tokens.length ?? 0;
    const row = Math.floor(event.offsetY / cellSize);
    const column = Math.floor((event.offsetX - margin + offset) / cellSize);
    const isRow = row >= 0 && row < size;
    if (attention !== null && isRow && event.offsetX < margin && event.type !== 'pointermove') {
      point({ row, column: strongest(attention, row) }, false);
      return;
    }
    const inside = isRow && event.offsetX >= margin && column <= row;
    point(inside ? { row, column } : null, false);
    if (inside && attention !== null && event.type !== 'pointermove') {
      onRead(sentence(attention, { row, column }));
    }
  };

  /** Where a row looks most: what the letter of the row stands for. */
  function strongest(attention: AttentionData, row: number): number {
    const size = attention.tokens.length;
    const weights = headWeights(attention, data.chosen).subarray(row * size, row * size + row + 1);
    return weights.indexOf(Math.max(...weights));
  }

  /** Scrolls a cell into the box, clear of the labels of the rows. */
  function bring({ column }: Cell): void {
    const left = column * cellSize;
    const most = left;
    const least = left + cellSize - (room - margin);
    if (scroller.scrollLeft > most) scroller.scrollLeft = most;
    else if (scroller.scrollLeft < least) scroller.scrollLeft = least;
  }
  scroller.addEventListener('scroll', draw.request, { passive: true });
  // A finger points by a tap: what scrolls the page or the map chooses nothing.
  let touched = { x: 0, y: 0 };
  canvas.addEventListener('pointermove', (event) => {
    if (event.pointerType !== 'touch') pointAt(event);
  });
  canvas.addEventListener('pointerdown', (event) => {
    touched = { x: event.clientX, y: event.clientY };
    if (event.pointerType !== 'touch') pointAt(event);
  });
  canvas.addEventListener('pointerup', (event) => {
    const way = Math.hypot(event.clientX - touched.x, event.clientY - touched.y);
    if (event.pointerType === 'touch' && way < TAP) pointAt(event);
  });
  canvas.addEventListener('pointerleave', ({ pointerType }) => {
    // A finger is lifted to read what it has pointed at.
    if (pointerType !== 'touch') point(null, false);
  });
  canvas.addEventListener('blur', () => {
    point(null, false);
  });
  canvas.addEventListener('keydown', (event) => {
    const size = data.attention?.tokens.length ?? 0;
    if (size === 0) return;
    const moves: Record<string, Cell> = {
      ArrowUp: { row: -1, column: 0 },
      ArrowDown: { row: 1, column: 0 },
      ArrowLeft: { row: 0, column: -1 },
      ArrowRight: { row: 0, column: 1 },
    };
    const move = moves[event.key];
    if (event.key === 'Escape') point(null, false);
    if (move === undefined) return;
    event.preventDefault();
    const at = data.row < 0 ? size - 1 : data.row;
    const from = pointed ?? { row: at - move.row, column: -move.column };
    const row = Math.min(size - 1, Math.max(0, from.row + move.row));
    const column = Math.min(row, Math.max(0, from.column + move.column));
    point({ row, column }, true);
    if (data.attention !== null) onRead(sentence(data.attention, { row, column }));
    bring({ row, column });
  });

  return {
    end: key,
    cellToRead() {
      const { attention, row } = data;
      if (attention === null) return null;
      const size = attention.tokens.length;
      const at = row < 0 || row >= size ? size - 1 : row;
      return pointedLast?.row === at ? pointedLast : { row: at, column: strongest(attention, at) };
    },
    update(next) {
      data = next;
      const size = next.attention?.tokens.length ?? 0;
      if (pointed !== null && pointed.row >= size) pointed = null;
      // Another row was chosen among the arcs.
      if (pointed !== null && next.row >= 0 && pointed.row !== next.row) {
        pointed = { row: next.row, column: Math.min(pointed.column, next.row) };
      }
      draw.request();
    },
    resize() {
      side = 0;
      labelled = '';
      styles.forget();
      repaintLegend();
      draw.request();
    },
    destroy() {
      draw.cancel();
      container.replaceChildren();
    },
  };
}

/** Gives a canvas its size in CSS pixels, and clears it. */
function fit(context: CanvasRenderingContext2D, width: number, height: number): void {
  const { canvas } = context;
  const ratio = devicePixelRatio;
  canvas.style.width = `${String(width)}px`;
  canvas.style.height = `${String(height)}px`;
  const pixels = [Math.round(width * ratio), Math.round(height * ratio)] as const;
  if (canvas.width !== pixels[0] || canvas.height !== pixels[1]) {
    [canvas.width, canvas.height] = pixels;
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
}
