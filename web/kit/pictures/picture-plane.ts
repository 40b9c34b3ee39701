/** Where steps and losses stand in a picture. */
import { svg } from '../dom.ts';

/** A step and its loss, or another value. */
export type Point = readonly [number, number];

/** What an axis reaches from and to. */
export interface PictureScale {
  readonly from: number;
  readonly to: number;
  readonly log: boolean;
}

/** In pixels of the picture. */
export interface PictureBox {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export class PicturePlane {
  readonly steps: PictureScale;
  readonly losses: PictureScale;
  readonly box: PictureBox;

  constructor(steps: PictureScale, losses: PictureScale, box: PictureBox) {
    this.steps = steps;
    this.losses = losses;
    this.box = box;
  }

  x(step: number): number {
    const { left, right } = this.box;
    return left + share(step, this.steps) * (right - left);
  }

  y(loss: number): number {
    const { top, bottom } = this.box;
    return bottom - share(loss, this.losses) * (bottom - top);
  }

  /** The path of a line through all points; empty without any. */
  line(points: readonly Point[]): string {
    const path = points.map((point) => this.#at(point)).join('L');
    return path === '' ? '' : `M${path}`;
  }

  /** The path of dots at all points: strokes with round ends. */
  dots(points: readonly Point[]): string {
    return points.map((point) => `M${this.#at(point)}h0`).join('');
  }

  #at([step, loss]: Point): string {
    return `${round(this.x(step))} ${round(this.y(loss))}`;
  }
}

/** How far a value is from one end of an axis to the other. */
function share(value: number, { from, to, log }: PictureScale): number {
  return log
    ? (Math.log(value) - Math.log(from)) / (Math.log(to) - Math.log(from))
    : (value - from) / (to - from);
}

/** A number of pixels as it is written in a picture. */
export function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** Text whose line begins, or as `attributes` say, at a place. */
export function pictureText(
  content: string,
  x: number,
  y: number,
  attributes: Readonly<Record<string, string | number>>,
): SVGTextElement {
  return svg('text', { x: round(x), y: round(y), ...attributes }, content);
}
