/** One head large: labels on both axes, the weight under the pointer or the arrow keys in words. */
import type { Words } from '../i18n/index.ts';
import { axisLabel, headWeights, spokenLabel } from './attention-data.ts';
import type { AttentionData, HeadPlace } from './attention-data.ts';
import { colourScale, cssColour } from './colour-scale.ts';
import { cssValue, disclosure, el, perFrame, setText, table, setAttribute } from './dom.ts';
import type { View } from './dom.ts';
import { hint } from './hint.ts';

export interface AttentionMapOptions {
  readonly words: Words;
  readonly isDark: () => boolean;
  /** A cell of another row is pointed at. */
  readonly onRow: (row: number) => void;
}

export interface AttentionMapData {
  readonly attention: AttentionData | null;
  readonly chosen: HeadPlace;
  /** The row that is read elsewhere too; -1 for the last. */
  readonly row: number;
}

/** The side of a cell at most, in CSS pixels. */
const MOST_CELL = 96;

interface Cell {
  readonly row: number;
  readonly column: number;
}

export interface AttentionMap extends View<AttentionMapData> {
  /** The map itself, without what is said below it. */
  readonly picture: HTMLElement;
}

/** Creates the large map in `container`. */
export function createAttentionMap(
  container: HTMLElement,
  options: AttentionMapOptions,
): AttentionMap {
  const { words, isDark, onRow } = options;
  const { t } = words;
  let repaintLegend = (): void => undefined;
  const canvas = el('canvas', { class: 'attention-canvas', tabindex: '0', role: 'img' });
  const readout = el('p', { class: 'readout', 'data-part': 'attention-readout' });
  // Follows the keyboard aloud; the pointer is quiet, since it moves too fast to be read out.
  const spoken = el('p', { class: 'visually-hidden', 'aria-live': 'polite' });
  const tableBox = el('div', { class: 'table-scroll', tabindex: '0', role: 'region' });
  tableBox.setAttribute('aria-label', t('attention.table'));
  const details = disclosure('data', t('attention.table'), () => draw.request(), tableBox);
  container.append(canvas, legend(), readout, spoken, details.root);

  let data: AttentionMapData = { attention: null, chosen: { layer: 0, head: 0 }, row: -1 };
  let pointed: Cell | null = null;
  /** Geometry of the last drawing in CSS pixels, to know what is under the pointer. */
  let margin = 0;
  let cellSize = 1;
  /** What it takes of the room that there is; 0 until that is measured. */
  let width = 0;
  let room = 0;

  const draw = perFrame(() => {
    const { attention } = data;
    if (attention === null) return;
    paint(attention);
    describe(attention);
    if (details.isOpen()) fillTable(attention);
  });

  function paint(attention: AttentionData): void {
    const { tokens } = attention;
    const labels = tokens.map(axisLabel);
    // Asking for a size makes the browser lay the page out: once for each size is enough.
    if (width === 0) {
      canvas.style.maxWidth = '';
      room = canvas.clientWidth;
    }
    const ratio = devicePixelRatio;
    const context = canvas.getContext('2d');
    if (context === null || room === 0) return;
    const longest = Math.max(...labels.map((label) => label.length));
    // Wide labels (bytes in hex, CJK) need more room than single letters.
    margin = Math.max(22, Math.min(46, longest * 9 + 8));
    // A few tokens need no more than so much.
    width = Math.min(room, margin + tokens.length * MOST_CELL);
    canvas.style.maxWidth = width < room ? `${String(width)}px` : '';
    cellSize = (width - margin) / tokens.length;
    const side = Math.round(width * ratio);
    if (canvas.width !== side) {
      canvas.width = side;
      canvas.height = side;
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, width);
    paintCells(context, attention);
    paintLabels(context, labels);
    if (pointed !== null) paintPointed(context, pointed);
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
        const y = margin + row * cellSize;
        context.fillRect(x, y, cellSize - gap, cellSize - gap);
      }
    }
  }

  function paintLabels(context: CanvasRenderingContext2D, labels: readonly string[]): void {
    const font = Math.max(7, Math.min(14, cellSize * 0.72));
    // When cells are smaller than letters, every second or third label must do.
    const every = Math.max(1, Math.ceil(9 / cellSize));
    context.font = `${String(font)}px ${cssValue(canvas, '--mono')}`;
    const ink = cssValue(canvas, '--ink');
    const muted = cssValue(canvas, '--muted');
    const amber = cssValue(canvas, '--amber');
    const read = data.row < 0 ? labels.length - 1 : data.row;
    context.textBaseline = 'middle';
    for (const [index, label] of labels.entries()) {
      const isPointed = pointed !== null && (pointed.row === index || pointed.column === index);
      if (index % every !== 0 && !isPointed) continue;
      const centre = margin + (index + 0.5) * cellSize;
      context.fillStyle = index === read ? amber : muted;
      context.textAlign = 'right';
      context.fillText(label, margin - 6, centre);
      context.fillStyle = pointed?.column === index ? ink : muted;
      if (label.length * font * 0.6 > cellSize + 4) {
        context.save();
        context.translate(centre, margin - 5);
        context.rotate(-Math.PI / 2);
        context.textAlign = 'left';
        context.fillText(label, 0, 0);
        context.restore();
      } else {
        context.textAlign = 'center';
        context.fillText(label, centre, margin - 5 - font / 2);
      }
    }
  }

  function paintPointed(context: CanvasRenderingContext2D, cell: Cell): void {
    context.strokeStyle = cssValue(canvas, '--amber');
    context.lineWidth = 2;
    const x = margin + cell.column * cellSize;
    const y = margin + cell.row * cellSize;
    context.strokeRect(x - 1, y - 1, cellSize + 1, cellSize + 1);
  }

  function describe(attention: AttentionData): void {
    const { chosen } = data;
    const place = { layer: chosen.layer + 1, head: chosen.head + 1 };
    const name = t('attention.head', place);
    setAttribute(canvas, 'aria-label', `${name}. ${t('attention.keys')}`);
    setText(
      readout,
      pointed === null ? hint(words, 'attention.hint') : sentence(attention, pointed),
    );
  }

  function sentence(attention: AttentionData, cell: Cell): string {
    const from = attention.tokens[cell.row];
    const to = attention.tokens[cell.column];
    if (from === undefined || to === undefined) return '';
    const weight = headWeights(attention, data.chosen)[
      cell.row * attention.tokens.length + cell.column
    ];
    return t('attention.weight', {
      from: spokenLabel(from, words),
      row: cell.row + 1,
      to: spokenLabel(to, words),
      column: cell.column + 1,
      weight: words.number(weight ?? 0, 3),
    });
  }

  function fillTable(attention: AttentionData): void {
    const { tokens } = attention;
    const weights = headWeights(attention, data.chosen);
    const labels = tokens.map(axisLabel);
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
    const ticks = [0, 0.05, 0.25, 0.5, 1].map((weight) => {
      const tick = el('span', { class: 'scale-tick' }, words.short(weight));
      tick.style.left = `${String(100 * Math.sqrt(weight))}%`;
      return tick;
    });
    const scale = el('span', { class: 'scale' }, bar, ...ticks);
    const paintBar = (): void => {
      const colours = Array.from({ length: 13 }, (_, index) =>
        cssColour(colourScale(isDark()), (index / 12) ** 2),
      );
      bar.style.background = `linear-gradient(to right, ${colours.join(', ')})`;
    };
    paintBar();
    repaintLegend = paintBar;
    return el('div', { class: 'scale-row' }, el('span', {}, t('attention.scale')), scale);
  }

  function point(cell: Cell | null, aloud: boolean): void {
    pointed = cell;
    const { attention } = data;
    if (aloud && cell !== null && attention !== null) setText(spoken, sentence(attention, cell));
    // The same row of the arcs, which stays when nothing is pointed at any more.
    if (cell !== null && cell.row !== data.row) onRow(cell.row);
    draw.request();
  }

  const pointAt = (event: PointerEvent): void => {
    const size = data.attention?.tokens.length ?? 0;
    const row = Math.floor((event.offsetY - margin) / cellSize);
    const column = Math.floor((event.offsetX - margin) / cellSize);
    const inside = row >= 0 && row < size && column >= 0 && column <= row;
    point(inside ? { row, column } : null, false);
  };
  canvas.addEventListener('pointermove', pointAt);
  canvas.addEventListener('pointerdown', pointAt);
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
  });

  return {
    picture: canvas,
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
      width = 0;
      repaintLegend();
      draw.request();
    },
    destroy() {
      draw.cancel();
      container.replaceChildren();
    },
  };
}
