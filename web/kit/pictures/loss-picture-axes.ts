/** The axes of the loss picture: their named values with the grid, and what they are called. */
import type { Words } from '../../i18n/index.ts';
import { svg } from '../dom.ts';
import type { Palette } from '../palette.ts';
import { textWidth } from '../picture-key.ts';
import { axisTicks, minorTicks, tickDigits } from '../ticks.ts';
import { pictureText, round } from './picture-plane.ts';
import type { PicturePlane, PictureScale } from './picture-plane.ts';

/** Pictures narrower than this have no room to spare at their sides. */
const NARROW = 600;
/** Between the name of the vertical axis, its numbers, and the axis. */
const AXIS_GAP = 8;
/** How far letters reach below their line, at 13 pixels. */
const DESCENT = 4;

export function isNarrow(width: number): boolean {
  return width < NARROW;
}

export class PictureAxes {
  readonly #words: Words;
  readonly #width: number;
  readonly #stepTicks: readonly number[];
  readonly #lossTicks: readonly number[];

  constructor(
    words: Words,
    { width, height }: { readonly width: number; readonly height: number },
    { from: low, to: high, log: logSteps }: PictureScale,
    { from: bottom, to: top, log: logLoss }: PictureScale,
  ) {
    this.#words = words;
    this.#width = width;
    this.#stepTicks = axisTicks(low, high, Math.min(width / 90, high - low), logSteps);
    this.#lossTicks = axisTicks(bottom, top, height / 65, logLoss);
  }

  /** Where the curves may begin and end, so that there is room for the numbers. */
  get sides(): { readonly left: number; readonly right: number } {
    const widest = Math.max(0, ...this.#names(this.#lossTicks).map(textWidth));
    const leftmost = this.#unitLine + DESCENT + AXIS_GAP + widest + AXIS_GAP;
    const [least, right] = isNarrow(this.#width) ? [52, 12] : [68, 24];
    return { left: Math.max(least, leftmost), right: this.#width - right };
  }

  /** The grid and, before it, the marks; then numbers and names. */
  draw(plane: PicturePlane, unit: string, { grid: line, muted }: Palette): SVGGElement[] {
    const { left, right, top, bottom } = plane.box;
    const grid = svg('g', { stroke: line, 'stroke-width': 1 });
    const labels = svg('g', { 'font-size': 13 });
    const names = this.#names(this.#stepTicks);
    for (const [index, tick] of this.#stepTicks.entries()) {
      const [label, x] = [names[index] ?? '', plane.x(tick)];
      grid.append(svg('path', { d: `M${round(x)} ${String(top)}V${String(bottom)}` }));
      // The last one would stick out.
      const middle = Math.min(x, this.#width - textWidth(label) / 2 - 2);
      const attributes = { fill: muted, 'text-anchor': 'middle' };
      labels.append(pictureText(label, middle, bottom + 20, attributes));
    }
    const values = this.#names(this.#lossTicks);
    for (const [index, tick] of this.#lossTicks.entries()) {
      const [label, y] = [values[index] ?? '', plane.y(tick)];
      grid.append(svg('path', { d: `M${String(left)} ${round(y)}H${String(right)}` }));
      const attributes = { fill: muted, 'text-anchor': 'end' };
      labels.append(pictureText(label, left - AXIS_GAP, y + 4, attributes));
    }
    const marks = minorMarks(plane);
    if (marks !== '') grid.append(svg('path', { d: marks, stroke: muted, class: 'minor' }));
    labels.append(...this.#titles(plane, unit, muted));
    return [grid, labels];
  }

  /** Where the name of the vertical axis stands on end; its numbers keep clear of it. */
  get #unitLine(): number {
    return isNarrow(this.#width) ? 13 : 20;
  }

  #names(ticks: readonly number[]): string[] {
    const digits = tickDigits(ticks);
    return ticks.map((tick) => this.#words.number(tick, digits));
  }

  #titles({ box }: PicturePlane, unit: string, fill: string): SVGTextElement[] {
    const { left, right, top, bottom } = box;
    const attributes = { fill, 'text-anchor': 'middle' };
    const steps = this.#words.t('loss.axis.steps');
    const place = `translate(${String(this.#unitLine)} ${String((top + bottom) / 2)}) rotate(-90)`;
    return [
      pictureText(steps, (left + right) / 2, bottom + 44, attributes),
      svg('text', { transform: place, 'text-anchor': 'middle', fill }, unit),
    ];
  }
}

/** Short marks between the named values, where an axis is logarithmic. */
function minorMarks(plane: PicturePlane): string {
  const { left, bottom } = plane.box;
  const minor = ({ from, to, log }: PictureScale): number[] => (log ? minorTicks(from, to) : []);
  return [
    ...minor(plane.steps).map((tick) => `M${round(plane.x(tick))} ${String(bottom)}v-4`),
    ...minor(plane.losses).map((tick) => `M${String(left)} ${round(plane.y(tick))}h4`),
  ].join('');
}
