/** The curves of the loss picture: their points, how their lines look, and the drawing of them. */
import { svg } from '../dom.ts';
import {
  dotsApart,
  HELD_OUT_DOT,
  lineStyle,
  lossRange,
  partOf,
  stepRange,
  unitFactor,
} from '../../data/loss-data.ts';
import type { LossData, LossLook } from '../../data/loss-data.ts';
import type { LossColumns, LossPart } from '../../data/loss-history.ts';
import type { Palette } from '../palette.ts';
import { round } from './picture-plane.ts';
import type { PicturePlane, PictureScale, Point } from './picture-plane.ts';

/** Losses in the unit that is shown, at the steps in view. */
export interface PictureCurves {
  readonly part: LossPart;
  readonly columns: LossColumns;
  readonly raw: readonly Point[];
  readonly smooth: readonly Point[];
  readonly validation: readonly Point[];
  /** Of earlier runs, with their validation losses as dots. */
  readonly others: readonly OtherPoints[];
  /** The loss of guessing. */
  readonly random: number;
  readonly steps: PictureScale;
  readonly losses: PictureScale;
}

interface OtherPoints {
  readonly id: number;
  readonly name: string;
  readonly points: readonly Point[];
  readonly dots: readonly Point[];
}

/** Curves of at most about `most` points each. */
export function pictureCurves(data: LossData, look: LossLook, most: number): PictureCurves {
  const [low, high] = stepRange(data, look);
  const part = partOf(look, [low, high]);
  const points = (
    steps: readonly number[],
    values: readonly (number | null)[],
    tokensPerCharacter: number,
  ): Point[] => {
    const factor = unitFactor(look, tokensPerCharacter);
    return steps.flatMap((step, index): Point[] => {
      const value = values[index] ?? null;
      const inside = step >= low && step <= high && value !== null && Number.isFinite(factor);
      return inside ? [[step, value * factor]] : [];
    });
  };
  const columns = data.history.columns(most, part);
  const { train, validation: heldOut } = data.tokensPerCharacter;
  const raw = points(columns.steps, columns.losses, train);
  const smooth = points(columns.steps, columns.smoothed, train);
  const validation = points(columns.steps, columns.validation, heldOut);
  const lines = data.lines.filter((line) => line.shown);
  const others = lines.map(({ id, name, history, tokensPerCharacter: tokens }) => {
    const { steps, smoothed, validation: own } = history.columns(most, part);
    const dots = points(steps, own, tokens.validation);
    return { id, name, dots, points: points(steps, smoothed, tokens.train) };
  });
  const random = data.randomLoss * unitFactor(look, train);
  const all = [raw, smooth, validation, ...others.flatMap((one) => [one.points, one.dots])].flat();
  const values = all.map(([, value]) => value);
  if (look.window === null) values.push(random);
  const [bottom, top] = lossRange(values, look);
  return {
    ...{ part, columns, raw, smooth, validation, others, random },
    steps: { from: low, to: high, log: look.logSteps },
    losses: { from: bottom, to: top, log: look.logLoss },
  };
}

type Stroke = Readonly<Record<string, string | number>>;

/** How the lines look, in the picture and in its key. */
export function strokes({ accent, amber, muted, lines }: Palette): {
  readonly smooth: Stroke;
  readonly raw: Stroke;
  readonly validation: Stroke;
  readonly random: Stroke;
  readonly other: (id: number) => Stroke & { readonly stroke: string };
} {
  return {
    smooth: { stroke: accent, 'stroke-width': 2.25 },
    raw: {
      stroke: accent,
      'stroke-opacity': 0.25,
      'stroke-width': 2.5,
      'stroke-linecap': 'round',
    },
    validation: { stroke: amber, 'stroke-width': 1.75, 'stroke-dasharray': '5 3' },
    random: { stroke: muted, 'stroke-dasharray': '2 4' },
    other: (id) => {
      const { dash, colour } = lineStyle(id);
      const stroke = lines[colour - 1] ?? muted;
      return { stroke, 'stroke-width': 1.5, 'stroke-dasharray': dash.join(' ') };
    },
  };
}

/** Draws them, those of the present run on top. */
export function drawCurves(
  { raw, smooth, validation, others, random, losses }: PictureCurves,
  plane: PicturePlane,
  palette: Palette,
): SVGGElement {
  const group = svg('g', { 'stroke-linejoin': 'round' });
  const style = strokes(palette);
  const draw = (d: string, stroke: Stroke): void => {
    group.append(svg('path', { d, fill: 'none', ...stroke }));
  };
  if (random >= losses.from && random <= losses.to) {
    const { left, right } = plane.box;
    const d = `M${String(left)} ${round(plane.y(random))}H${String(right)}`;
    group.append(svg('path', { d, ...style.random, fill: 'none' }));
  }
  draw(plane.dots(raw), style.raw);
  for (const { id, points, dots } of others) {
    const line = style.other(id);
    draw(plane.line(points), line);
    const wide = { 'stroke-width': 2 * HELD_OUT_DOT, 'stroke-linecap': 'round' };
    if (dots.length > 0) draw(plane.dots(dots), { stroke: line.stroke, ...wide });
  }
  draw(plane.line(smooth), style.smooth);
  if (validation.length > 0) {
    draw(plane.line(validation), style.validation);
    group.append(...validationDots(validation, plane, palette));
  }
  return group;
}

/** None if they would not stand apart. */
function validationDots(
  points: readonly Point[],
  plane: PicturePlane,
  { amber }: Palette,
): SVGCircleElement[] {
  const [first, last] = [points[0], points.at(-1)];
  const width = plane.x(last?.[0] ?? 0) - plane.x(first?.[0] ?? 0);
  if (!dotsApart(width, points.length)) return [];
  return points.map(([step, value]) =>
    svg('circle', { cx: round(plane.x(step)), cy: round(plane.y(value)), r: 2.5, fill: amber }),
  );
}
