/** The cells of a matrix on a canvas, each in the colour of its number. */
import type { Cell } from '../base/cell.ts';
import { cssValue, el } from './dom.ts';
import { placeOn } from './scale.ts';
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

/** Minimum height of a cell and maximum of the map, in CSS pixels. */
const HEIGHT = { cell: 10, most: 420 };

export class TensorPicture {
  readonly #canvas: HTMLCanvasElement;
  /** Width of the canvas in CSS pixels; 0 if unknown. */
  #width = 0;
  #cell = { width: 1, height: 1 };

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
  }

  /** Forgets the width of the canvas, which may have changed. */
  forget(): void {
    this.#width = 0;
  }

  /** Paints the part and frames cells, given relative to the part; null frames none. */
  paint(part: MatrixPart, colours: ValueColours, framed: readonly (Cell | null)[]): void {
    const canvas = this.#canvas;
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
    context.imageSmoothingEnabled = false;
    context.drawImage(pixelsOf(part, colours), 0, 0, size.width, size.height);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.strokeStyle = cssValue(canvas, '--amber');
    context.lineWidth = 2;
    const { width: across, height: down } = this.#cell;
    for (const cell of framed) {
      if (cell === null) continue;
      const [x, y] = [cell.column * across, cell.row * down];
      context.strokeRect(x, y, Math.max(4, across), Math.max(4, down));
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
  }

  /** The cell under the pointer, relative to the part and perhaps outside. */
  cellAt(event: MouseEvent): Cell {
    const { x, y } = placeOn(this.#canvas, event);
    return { row: Math.floor(y / this.#cell.height), column: Math.floor(x / this.#cell.width) };
  }
}

/** Paints the colours from the least number to the greatest, one pixel high. */
export function paintScale(bar: HTMLCanvasElement, { of, least, most }: ValueColours): void {
  const context = bar.getContext('2d');
  for (let x = 0; x < bar.width && context !== null; x++) {
    const [red, green, blue] = of(least + ((most - least) * x) / (bar.width - 1));
    context.fillStyle = `rgb(${String(red)} ${String(green)} ${String(blue)})`;
    context.fillRect(x, 0, 1, 1);
  }
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
