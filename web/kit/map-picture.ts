/**
 * The attention map of one head, or the change between two maps: cells and row labels on one
 * canvas, column labels on another. A map wider than its box scrolls sideways under its row labels.
 */
import { sameTokens } from '../data/attention-data.ts';
import type { AttentionToken } from '../data/attention-data.ts';
import { el, keptValues } from './dom.ts';
import { hasOnlyFingers } from './hint.ts';
import { CELL_GAP, MapAxes, MOST_FONT } from './map-axes.ts';
import type { MapGrid } from './map-axes.ts';
import type { Cell } from '../base/cell.ts';

export interface MapPictureOptions {
  /** The current colour function. */
  readonly colours: () => (value: number) => string;
  /** Whether cells stay large enough for fingers on a narrow screen, so that the map scrolls. */
  readonly wide: boolean;
  /** Called after scrolling, to repaint. */
  readonly onScroll: () => void;
}

/** Input of `paint`. */
export interface MapPictureData {
  readonly tokens: readonly AttentionToken[];
  /** (tokens, tokens): row = query token, column = key token. */
  readonly weights: Float32Array;
  /** The highlighted row; -1 for none. */
  readonly read: number;
  readonly pointed: Cell | null;
}

/** Largest side of a cell in CSS pixels. */
const MOST_CELL = 96;
/**
 * Smallest side of a cell in a wide map whose box is narrower than NARROW_BOX: LEAST_CELL
 * (WCAG 2.2, 2.5.8), but LARGE_CELL for fingers and narrow windows if the map scrolls anyway.
 */
const LARGE_CELL = 40;
const LEAST_CELL = 24;
const NARROW_BOX = 480;
const NARROW_WINDOW = 768;
/** Height of column labels of one character, before the first painting. */
const SHORT_LABELS = 21;

export class MapPicture {
  readonly canvas = el('canvas', { class: 'attention-canvas', tabindex: '0', role: 'application' });
  readonly columns = el('canvas', {
    ...{ class: 'map-columns', 'aria-hidden': 'true' },
    height: SHORT_LABELS,
  });
  readonly #span = el('div', { class: 'map-span' }, this.canvas);
  /** The scrolling box. */
  readonly scroller = el('div', { class: 'map-scroll' }, this.#span);
  readonly #styles = keptValues(this.canvas);
  readonly #options: MapPictureOptions;
  /** Geometry of the last painting, for hit testing. */
  #grid: MapGrid = { margin: 0, cell: 1 };
  /** Side of the whole map; 0 until measured. */
  #side = 0;
  #available = 0;
  /** Horizontal scroll offset; the canvas itself does not move. */
  #offset = 0;
  /** Axes of the last painting, kept because measuring labels on every pointer move is slow. */
  #axes: {
    readonly of: MapAxes;
    readonly tokens: readonly AttentionToken[];
    readonly cell: number;
  } | null = null;
  /** Axes whose labels are painted. */
  #labels: MapAxes | null = null;
  /** Key of the painted labels; an empty key forces a repaint. */
  #labelled = '';

  constructor(options: MapPictureOptions) {
    this.#options = options;
    this.scroller.addEventListener('scroll', options.onScroll, { passive: true });
  }

  /** Whether the map is wider than its box. */
  get goesSideways(): boolean {
    return this.#side > this.#available;
  }

  /** Forgets sizes and colours, which may have changed. */
  forget(): void {
    this.#side = 0;
    this.#labelled = '';
    this.#styles.forget();
  }

  /** The cell at a canvas position; column -1 on the row labels. */
  cellAt(x: number, y: number): Cell {
    const { margin, cell } = this.#grid;
    const column = x < margin ? -1 : Math.floor((x - margin + this.#offset) / cell);
    return { row: Math.floor(y / cell), column };
  }

  /** Scrolls a cell into view, clear of the row labels. */
  bring({ column }: Cell): void {
    const { margin, cell } = this.#grid;
    const most = column * cell;
    const least = most + cell - (this.#available - margin);
    if (this.scroller.scrollLeft > most) this.scroller.scrollLeft = most;
    else if (this.scroller.scrollLeft < least) this.scroller.scrollLeft = least;
  }

  /** Paints the map; `ratio`: canvas pixels per CSS pixel. */
  paint(data: MapPictureData, ratio = devicePixelRatio): void {
    const cells = this.canvas.getContext('2d');
    const heads = this.columns.getContext('2d');
    // Reading a size forces a layout, so it is read once per size.
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
   * Paints the whole map without scrolling, with two or more pixels per CSS pixel, and returns a
   * copy. The caller must `paint` again, because the shown canvases have the new size.
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
    // Labels and cells depend on each other's size: start with an estimate.
    const cell = this.#cellBeside(CELL_GAP + MOST_FONT * 2, tokens.length);
    const last = this.#axes;
    // Each attention snapshot has its own token objects, nearly always with equal content.
    if (last?.cell === cell && sameTokens(last.tokens, tokens)) return last.of;
    const of = new MapAxes(context, tokens, cell, this.#styles);
    this.#axes = { of, tokens, cell };
    return of;
  }

  /** Side of a cell beside labels of this width. */
  #cellBeside(labels: number, tokens: number): number {
    const fitting = (this.#available - labels) / tokens;
    return Math.min(MOST_CELL, Math.max(this.#leastCell(fitting), fitting));
  }

  /** `fitting`: side of the cells of a map as wide as its box. */
  #leastCell(fitting: number): number {
    if (!this.#options.wide || this.#available >= NARROW_BOX || fitting >= LEAST_CELL) return 0;
    return hasOnlyFingers() || innerWidth < NARROW_WINDOW ? LARGE_CELL : LEAST_CELL;
  }

  /** Sets the geometry of the map; returns its visible width in CSS pixels. */
  #layOut({ margin }: MapAxes, tokens: number): number {
    const cell = this.#cellBeside(margin, tokens);
    this.#grid = { margin, cell };
    // A map of few tokens is narrower than the box; rounding alone must not make it scroll.
    const needed = margin + tokens * cell;
    this.#side = needed < this.#available + 1 ? Math.min(needed, this.#available) : needed;
    const width = Math.min(this.#available, this.#side);
    this.#offset = this.#side > width ? this.scroller.scrollLeft : 0;
    return width;
  }

  /** Text on a canvas forces a style computation, so unchanged labels are not repainted. */
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

  /** Calls `paint` with the scroll offset applied, clipped to the area beside the row labels. */
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

/**
 * Sets the size of a canvas in CSS pixels, with `ratio` canvas pixels per CSS pixel, and clears it.
 */
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
