/** Points and styles of the curves of a loss picture. */
import { shownCurves } from '../../data/loss-curves.ts';
import { lineStyle, lossRange, stepRange } from '../../data/loss-data.ts';
import type { LossData, LossLine, LossState } from '../../data/loss-data.ts';
import type { LossColumns, LossPart } from '../../data/loss-history.ts';
import type { Palette } from '../palette.ts';

export type Point = readonly [step: number, loss: number];
export type Attributes = Readonly<Record<string, string | number>>;

interface OtherCurve {
  readonly line: LossLine;
  readonly points: readonly Point[];
  /** Validation losses. */
  readonly dots: readonly Point[];
}

export interface Curves {
  /** First and last visible step. */
  readonly steps: readonly [low: number, high: number];
  /** Lowest and highest visible loss. */
  readonly losses: readonly [bottom: number, top: number];
  readonly part: LossPart;
  readonly columns: LossColumns;
  readonly raw: readonly Point[];
  readonly smooth: readonly Point[];
  readonly validation: readonly Point[];
  readonly others: readonly OtherCurve[];
  /** Loss of random guessing. */
  readonly random: number;
}

/** Computes the points of all curves within the visible steps, about `most` for each curve. */
export function curvesOf(data: LossData, state: LossState, most: number): Curves {
  const [low, high] = stepRange(data, state);
  const { part, columns, others: lines, random } = shownCurves(data, state, most);
  const points = ({ steps }: LossColumns, values: (number | null)[]): Point[] =>
    steps.flatMap((step, index): Point[] => {
      const value = values[index] ?? null;
      return step >= low && step <= high && value !== null ? [[step, value]] : [];
    });
  const raw = points(columns, columns.losses);
  const smooth = points(columns, columns.smoothed);
  const validation = points(columns, columns.validation);
  const others = lines.map(({ line, columns: own }) => {
    return { line, dots: points(own, own.validation), points: points(own, own.smoothed) };
  });
  const all = [raw, smooth, validation, ...others.flatMap((other) => [other.points, other.dots])];
  const values = all.flat().map(([, value]) => value);
  if (state.window === null) values.push(random);
  const losses = lossRange(values, state);
  return { steps: [low, high], losses, part, columns, raw, smooth, validation, others, random };
}

/** Curve of another run with its style. */
export interface StyledCurve extends Omit<OtherCurve, 'line'> {
  readonly name: string;
  readonly stroke: string;
  readonly attributes: Attributes;
  readonly dashed: Attributes;
}

export interface CurveStyles {
  /** The (smoothed) curve of the current run. */
  readonly main: Attributes;
  /** Unsmoothed losses of the current run. */
  readonly scattered: Attributes;
  readonly heldOut: Attributes;
  readonly heldOutColour: string;
  readonly random: Attributes;
  readonly others: readonly StyledCurve[];
}

/** Styles of the curves; `paired`: every run has a validation curve in its own colour. */
export function curveStyles({ others }: Curves, palette: Palette, paired: boolean): CurveStyles {
  const heldOutColour = paired ? palette.accent : palette.amber;
  return {
    main: { stroke: palette.accent, 'stroke-width': 2.25 },
    scattered: {
      stroke: palette.accent,
      'stroke-opacity': 0.25,
      'stroke-width': 2.5,
      'stroke-linecap': 'round',
    },
    heldOut: { stroke: heldOutColour, 'stroke-width': 1.75, 'stroke-dasharray': '5 3' },
    heldOutColour,
    random: { stroke: palette.muted, 'stroke-dasharray': '2 4' },
    others: others.map(({ line, dots, points }) => {
      const { dash, colour } = lineStyle(line.id);
      const stroke = palette.lines[colour - 1] ?? palette.muted;
      const dashed = { stroke, 'stroke-width': 1.5, 'stroke-dasharray': dash.join(' ') };
      const attributes = paired ? { stroke, 'stroke-width': 1.5 } : dashed;
      return { name: line.name, dots, points, stroke, attributes, dashed };
    }),
  };
}
