/** Frame of a loss picture: its scales, axes, and drawing of lines and dots. */
import type { Words } from '../../i18n/index.ts';
import { unitKey } from '../../data/loss-data.ts';
import type { LossState } from '../../data/loss-data.ts';
import { svg } from '../dom.ts';
import type { Palette } from '../palette.ts';
import { textWidth } from '../picture-key.ts';
import { axisTicks, minorTicks, tickDigits } from '../ticks.ts';
import type { Attributes, Curves, Point } from './loss-picture-curves.ts';

/** Narrower pictures get smaller side margins. */
const NARROW = 600;
/** Gap between the title of the vertical axis, its numbers, and the axis. */
const AXIS_GAP = 8;
/** Descent of letters at 13 pixels. */
const DESCENT = 4;

/** The vertical axis and the horizontal margins. */
export interface LossAxis {
  readonly ticks: readonly number[];
  readonly label: (tick: number) => string;
  /** Horizontal position of the rotated title. */
  readonly nameAt: number;
  readonly left: number;
  readonly right: number;
  readonly isNarrow: boolean;
}

export function lossAxis(
  [bottom, top]: Curves['losses'],
  state: LossState,
  { width, height }: { readonly width: number; readonly height: number },
  words: Words,
): LossAxis {
  const ticks = axisTicks(bottom, top, height / 65, state.logLoss);
  const digits = tickDigits(ticks);
  const label = (tick: number): string => words.number(tick, digits);
  const widest = Math.max(0, ...ticks.map((tick) => textWidth(label(tick))));
  const isNarrow = width < NARROW;
  const nameAt = isNarrow ? 13 : 20;
  const left = Math.max(isNarrow ? 52 : 68, nameAt + DESCENT + AXIS_GAP + widest + AXIS_GAP);
  return { ticks, label, nameAt, left, right: width - (isNarrow ? 12 : 24), isNarrow };
}

export interface FrameBox {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Formats a number in a path. */
export const round = (value: number): string => String(Math.round(value * 100) / 100);

export class PictureFrame {
  readonly box: FrameBox;
  readonly #steps: Curves['steps'];
  readonly #losses: Curves['losses'];
  readonly #state: LossState;
  readonly #palette: Palette;

  constructor(box: FrameBox, { steps, losses }: Curves, state: LossState, palette: Palette) {
    this.box = box;
    this.#steps = steps;
    this.#losses = losses;
    this.#state = state;
    this.#palette = palette;
  }

  readonly x = (step: number): number => {
    const { left, right } = this.box;
    return left + share(step, this.#steps, this.#state.logSteps) * (right - left);
  };

  readonly y = (loss: number): number => {
    const { top, bottom } = this.box;
    return bottom - share(loss, this.#losses, this.#state.logLoss) * (bottom - top);
  };

  readonly text = (
    content: string,
    left: number,
    at: number,
    attributes: Attributes = {},
  ): SVGTextElement => {
    const place = { x: round(left), y: round(at), fill: this.#palette.muted };
    return svg('text', { ...place, ...attributes }, content);
  };

  /** A line through points. */
  line(points: readonly Point[], attributes: Attributes): SVGElement {
    const path = points.map((point) => this.#at(point)).join('L');
    return svg('path', { d: path === '' ? '' : `M${path}`, fill: 'none', ...attributes });
  }

  /** Path of dots; empty without points. */
  dots(points: readonly Point[]): string {
    return points.map((point) => `M${this.#at(point)}h0`).join('');
  }

  #at([step, loss]: Point): string {
    return `${round(this.x(step))} ${round(this.y(loss))}`;
  }

  /** Grid and labels of a picture of this width. */
  axes(axis: LossAxis, width: number, words: Words): [grid: SVGGElement, labels: SVGGElement] {
    const { left, right, top, bottom } = this.box;
    const grid = svg('g', { stroke: this.#palette.grid, 'stroke-width': 1 });
    const labels = svg('g', { 'font-size': 13 });
    const [low, high] = this.#steps;
    const ticks = axisTicks(low, high, Math.min(width / 90, high - low), this.#state.logSteps);
    const digits = tickDigits(ticks);
    for (const tick of ticks) {
      grid.append(svg('path', { d: `M${round(this.x(tick))} ${String(top)}V${String(bottom)}` }));
      const label = words.number(tick, digits);
      // Keeps the last label inside the picture.
      const middle = Math.min(this.x(tick), width - textWidth(label) / 2 - 2);
      labels.append(this.text(label, middle, bottom + 20, { 'text-anchor': 'middle' }));
    }
    for (const tick of axis.ticks) {
      const [at, label] = [this.y(tick), axis.label(tick)];
      grid.append(svg('path', { d: `M${String(left)} ${round(at)}H${String(right)}` }));
      labels.append(this.text(label, left - AXIS_GAP, at + 4, { 'text-anchor': 'end' }));
    }
    const marks = this.#minorMarks();
    const stroke = this.#palette.muted;
    if (marks !== '') grid.append(svg('path', { d: marks, stroke, class: 'minor' }));
    labels.append(...this.#names(axis.nameAt, words));
    return [grid, labels];
  }

  /** Minor ticks of logarithmic axes. */
  #minorMarks(): string {
    const { left, bottom } = this.box;
    const xMarks = this.#state.logSteps ? minorTicks(...this.#steps) : [];
    const yMarks = this.#state.logLoss ? minorTicks(...this.#losses) : [];
    return [
      ...xMarks.map((tick) => `M${round(this.x(tick))} ${String(bottom)}v-4`),
      ...yMarks.map((tick) => `M${String(left)} ${round(this.y(tick))}h4`),
    ].join('');
  }

  /** Titles of both axes. */
  #names(nameAt: number, { t }: Words): SVGElement[] {
    const { left, right, top, bottom } = this.box;
    const anchor = { 'text-anchor': 'middle' };
    const turned = `translate(${String(nameAt)} ${String((top + bottom) / 2)}) rotate(-90)`;
    return [
      this.text(t('loss.axis.steps'), (left + right) / 2, bottom + 44, anchor),
      svg(
        'text',
        { transform: turned, ...anchor, fill: this.#palette.muted },
        t(unitKey(this.#state.unit)),
      ),
    ];
  }
}

/** Position of `value` between both ends of an axis, from 0 to 1. */
function share(value: number, [from, to]: readonly [number, number], isLog: boolean): number {
  return isLog
    ? (Math.log(value) - Math.log(from)) / (Math.log(to) - Math.log(from))
    : (value - from) / (to - from);
}
