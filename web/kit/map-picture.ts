/**
 * The picture of one head, or of what changed in it: its cells on a canvas with the labels of the
 * rows, and the labels of the columns on another. A map wider than its box scrolls below the labels
 * of the rows, which stay.
 */
import { sameTokens } from '../data/attention-data.ts';
import type { AttentionToken } from '../data/attention-data.ts';
import { el, keptValues } from './dom.ts';
import { hasOnlyFingers } from './hint.ts';
import { CELL_GAP, MapAxes, MOST_FONT } from './map-axes.ts';
import type { MapGrid } from './map-axes.ts';
import type { Cell } from '../base/cell.ts';

export interface MapPictureOptions {
  /** How numbers are coloured now. */
  readonly colours: () => (value: number) => string;
  /** For a narrow screen too: cells that a finger can hit, in a box that scrolls sideways. */
  readonly wide: boolean;
  /** The map was scrolled sideways, and must be painted anew. */
  readonly onScroll: () => void;
}

/** What is painted. */
export interface MapPictureData {
  readonly tokens: readonly AttentionToken[];
  /** (tokens, tokens): rows look at columns. */
  readonly weights: Float32Array;
  /** The row that is read elsewhere too. */
  readonly read: number;
  readonly pointed: Cell | null;
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

export class MapPicture {
  readonly canvas = el('canvas', { class: 'attention-canvas', tabindex: '0', role: 'application' });
  readonly columns = el('canvas', { class: 'map-columns', 'aria-hidden': 'true' });
  readonly #span = el('div', { class: 'map-span' }, this.canvas);
  /** The box of the map, in which it scrolls. */
  readonly scroller = el('div', { class: 'map-scroll' }, this.#span);
  readonly #styles = keptValues(this.canvas);
  readonly #options: MapPictureOptions;
  /** Geometry of the last drawing in CSS pixels, to know what is under the pointer. */
  #grid: MapGrid = { margin: 0, cell: 1 };
  /** The side of the whole map; 0 until the room for it is measured. */
  #side = 0;
  #available = 0;
  /** How far it is scrolled sideways: the canvas stands still, with the labels of the rows. */
  #offset = 0;
  /** The axes of now: every move of the pointer paints, and labels are measured once only. */
  #axes: {
    readonly of: MapAxes;
    readonly tokens: readonly AttentionToken[];
    readonly cell: number;
  } | null = null;
  /** The labels that are painted, and of which places; empty when they must be painted anew. */
  #labels: MapAxes | null = null;
  #labelled = '';

  constructor(options: MapPictureOptions) {
    this.#options = options;
    this.scroller.addEventListener('scroll', options.onScroll, { passive: true });
  }

  /** Whether the map is wider than its box. */
  get goesSideways(): boolean {
    return this.#side > this.#available;
  }

  /** The room or the colours may have changed. */
  forget(): void {
    this.#side = 0;
    this.#labelled = '';
    this.#styles.forget();
  }

  /** The cell at a place of the canvas; its column is -1 on the labels of the rows. */
  cellAt(x: number, y: number): Cell {
    const { margin, cell } = this.#grid;
    const column = x < margin ? -1 : Math.floor((x - margin + this.#offset) / cell);
    return { row: Math.floor(y / cell), column };
  }

  /** Scrolls a cell into the box, clear of the labels of the rows. */
  bring({ column }: Cell): void {
    const { margin, cell } = this.#grid;
    const most = column * cell;
    const least = most + cell - (this.#available - margin);
    if (this.scroller.scrollLeft > most) this.scroller.scrollLeft = most;
    else if (this.scroller.scrollLeft < least) this.scroller.scrollLeft = least;
  }

  /** `ratio`: pixels of the canvas to a CSS pixel. */
  paint(data: MapPictureData, ratio = devicePixelRatio): void {
    const cells = this.canvas.getContext('2d');
    const heads = this.columns.getContext('2d');
    // Asking for a size makes the browser lay the page out: once for each size is enough.
    if (this.#side === 0) this.#available = this.scroller.clientWidth;
    if (cells === null || heads === null || this.#available === 0) return;
    const axes = this.#axesOf(cells, data.tokens);
    const width = this.#layOut(axes, data.tokens.length);
    this.#paintLabels(cells, heads, axes, { width, ratio }, data);
    this.#scrolled(cells, width, () => {
      cells.clearRect(this.#grid.margin - 2 + this.#offset, 0, width, this.#side);
      this.#paintCells(cells, data);
      if (data.pointed !== null) this.#paintPointed(cells, data.pointed);
    });
  }

  /**
   * Paints `data` with what is scrolled out of sight, and returns it with all its labels. The
   * picture has two pixels to each CSS pixel, or more on a finer screen. Paint again afterwards.
   */
  wholeCanvas(data: MapPictureData): HTMLCanvasElement {
    const available = this.#available;
    this.#available = Math.max(available, this.#side);
    this.paint(data, Math.max(2, devicePixelRatio));
    this.#available = available;
    const { canvas, columns } = this;
    const size = { width: canvas.width, height: columns.height + canvas.height };
    const whole = el('canvas', size);
    const context = whole.getContext('2d');
    if (context !== null) {
      context.fillStyle = this.#styles.of('--paper');
      context.fillRect(0, 0, size.width, size.height);
      context.drawImage(columns, 0, 0);
      context.drawImage(canvas, 0, columns.height);
    }
    return whole;
  }

  #axesOf(context: CanvasRenderingContext2D, tokens: readonly AttentionToken[]): MapAxes {
    // The labels are as large as the cells allow, which have the room that the labels leave.
    const cell = this.#cellBeside(CELL_GAP + MOST_FONT * 2, tokens.length);
    const last = this.#axes;
    // Every picture of a run has tokens of its own, and nearly always the same.
    if (last?.cell === cell && sameTokens(last.tokens, tokens)) return last.of;
    const of = new MapAxes(context, tokens, cell, this.#styles);
    this.#axes = { of, tokens, cell };
    return of;
  }

  /** The side of a cell, beside so much room for labels. */
  #cellBeside(labels: number, tokens: number): number {
    return Math.min(MOST_CELL, Math.max(this.#leastCell(), (this.#available - labels) / tokens));
  }

  #leastCell(): number {
    if (!this.#options.wide || this.#available >= NARROW_BOX) return 0;
    return hasOnlyFingers() || innerWidth < NARROW_WINDOW ? LARGE_CELL : LEAST_CELL;
  }

  /** Sets the geometry; the width that is in sight. */
  #layOut({ margin }: MapAxes, tokens: number): number {
    const cell = this.#cellBeside(margin, tokens);
    this.#grid = { margin, cell };
    // A few tokens need no more than so much; what fills the room is not wider than it by a
    // rounding.
    const needed = margin + tokens * cell;
    this.#side = needed < this.#available + 1 ? Math.min(needed, this.#available) : needed;
    const width = Math.min(this.#available, this.#side);
    this.#offset = this.#side > width ? this.scroller.scrollLeft : 0;
    return width;
  }

  /**
   * Letters on a canvas, too, make the browser work out the styles of the page: in a run they stay.
   */
  #paintLabels(
    cells: CanvasRenderingContext2D,
    heads: CanvasRenderingContext2D,
    axes: MapAxes,
    { width, ratio }: { readonly width: number; readonly ratio: number },
    { read, pointed }: MapPictureData,
  ): void {
    const { margin, cell } = this.#grid;
    const around = [cell, margin, this.#offset, width, ratio, read];
    const key = [...around, pointed?.row, pointed?.column].join();
    if (key === this.#labelled && axes === this.#labels) return;
    this.#labelled = key;
    this.#labels = axes;
    this.#span.style.width = `${String(this.#side)}px`;
    fit(cells, width, this.#side - margin, ratio);
    fit(heads, width, axes.columnSpace(heads, cell), ratio);
    axes.paintRows(cells, this.#grid, read, pointed?.row);
    this.#scrolled(heads, width, () => {
      axes.paintColumns(heads, this.#grid, pointed?.column);
    });
  }

  /** Paints what can be scrolled away to the left, below the labels of the rows. */
  #scrolled(context: CanvasRenderingContext2D, width: number, paint: () => void): void {
    context.save();
    context.beginPath();
    context.rect(this.#grid.margin - 2, 0, width, this.#side);
    context.clip();
    context.translate(-this.#offset, 0);
    paint();
    context.restore();
  }

  #paintCells(context: CanvasRenderingContext2D, { tokens, weights }: MapPictureData): void {
    const size = tokens.length;
    const colour = this.#options.colours();
    const { margin, cell } = this.#grid;
    const side = cell - (cell > 8 ? 1 : 0);
    for (let row = 0; row < size; row++) {
      for (let column = 0; column <= row; column++) {
        context.fillStyle = colour(weights[row * size + column] ?? 0);
        context.fillRect(margin + column * cell, row * cell, side, side);
      }
    }
  }

  #paintPointed(context: CanvasRenderingContext2D, { row, column }: Cell): void {
    const { margin, cell } = this.#grid;
    context.strokeStyle = this.#styles.of('--amber');
    context.lineWidth = 2;
    context.strokeRect(margin + column * cell - 1, row * cell - 1, cell + 1, cell + 1);
  }
}

/** Gives a canvas its size in CSS pixels, `ratio` pixels to each, and clears it. */
function fit(
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
  ratio: number,
): void {
  const { canvas } = context;
  canvas.style.width = `${String(width)}px`;
  canvas.style.height = `${String(height)}px`;
  const pixels = [Math.round(width * ratio), Math.round(height * ratio)] as const;
  if (canvas.width !== pixels[0] || canvas.height !== pixels[1]) {
    [canvas.width, canvas.height] = pixels;
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
}
