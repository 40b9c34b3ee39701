/**
 * The charts of a run: the losses, and below them, with the same step axis, learning rate, gradient
 * norm, and two curves of shares that another instrument sets (see `SharesMark`).
 */
import type uPlot from 'uplot';
import { shownCurves } from '../../../data/loss-curves.ts';
import type { ShownCurves } from '../../../data/loss-curves.ts';
import {
  dotsApart,
  lossesAbove,
  lossRange,
  MOST_POINTS,
  normTopOf,
  unitKey,
} from '../../../data/loss-data.ts';
import type { LossHistory } from '../../../data/loss-history.ts';
import type { SharesMark } from '../../../kit/layers.ts';
import { axisTicks, fewTicks, tickDigits } from '../../../kit/ticks.ts';
import { drawLayers, drawMarks, drawMinor, drawOthers, drawRandom } from './plot-painting.ts';
import type { PlotScene } from './plot-scene.ts';
import { distribution, StepChart } from './step-chart.ts';
import type { ChartParts } from './step-chart.ts';

const MOST_OTHER_POINTS = 500;
/** Index of the dots among the series of the chart. */
const DOTS = 1;
/** Visible steps whose values are above the top of a chart. */
export type Cut = ReturnType<LossHistory['above']>;

export type LossCharts = ReturnType<typeof chartsOf>;

/** `cursor`: the cursor of the losses. */
export function chartsOf(scene: PlotScene, cursor: uPlot.Plugin) {
  const { marks, styles, words } = scene;
  const colour = (property: string) => () => styles.of(property);
  /** Set by `draw` or its hooks for the current frame, like `cut`, `spikes` and `normTop`. */
  let curves: ShownCurves;
  let cut: Cut = [];
  let spikes: Cut = [];
  let normTop = 1;

  /** The range of the visible losses; includes the line of guessing only while all steps show. */
  function range(): [number, number] {
    const { look } = scene;
    const { columns, others, random } = curves;
    const isWhole = look.window === null;
    const ours = [isWhole ? columns.losses : columns.smoothed, columns.validation];
    const theirs = others.flatMap(({ columns: other }) => [other.smoothed, other.validation]);
    // When zoomed in, the range leaves out the extremes of the unsmoothed losses.
    const more = isWhole ? [random] : middle(known(columns.losses));
    return lossRange([...[...ours, ...theirs].flatMap(known), ...more], look);
  }

  function drawBelow(u: uPlot): void {
    drawMinor(u, scene.look, styles);
    drawRandom(u, curves.random, styles);
  }

  function drawAbove(u: uPlot): void {
    cut = lossesAbove(scene.data, scene.look, u.scales['y']?.max ?? NaN);
    drawMarks(u, cut, styles);
    drawLayers(u, marks.peek(), scene.look.unit, styles);
  }

  const curve = new StepChart(scene, () => {
    const { unit, logLoss } = scene.look;
    const [raw, amber] = [colour('--loss-raw'), colour('--amber')];
    const values: uPlot.Axis.DynamicValues = (_, splits) => {
      const digits = tickDigits(splits);
      return splits.map((value) => words.number(value, digits));
    };
    const splits: uPlot.Axis.Splits = (u, _, low, high) =>
      axisTicks(low, high, Math.max(3, u.bbox.height / devicePixelRatio / 45), logLoss);
    const dots = { show: true, size: 2.5, width: 0, fill: raw };
    const heldOut = { show: hasRoomForDots, size: 5, width: 0, fill: amber };
    return {
      stepAxis: { label: words.t('loss.axis.steps'), size: 28, values },
      valueAxis: { label: words.t(unitKey(unit)), size: 44, splits, values },
      valueScale: { distr: distribution(logLoss), range },
      series: [
        { stroke: raw, width: 0, paths: () => null, points: dots },
        { stroke: colour('--accent'), width: 2 },
        { stroke: amber, width: 1.5, dash: [5, 3], spanGaps: true, points: heldOut },
      ],
      hooks: {
        drawAxes: [drawBelow],
        // Draws earlier runs after this run's dots, which would hide them, and before its curve.
        drawSeries: [(u, at) => at === DOTS && drawOthers(u, curves.others, styles)],
        draw: [drawAbove],
      },
      plugins: [cursor],
    };
  });
  const few: uPlot.Axis = {
    splits: (_, __, low, high) => fewTicks(low, high),
    values: (_, splits) => splits.map((value) => words.short(value)),
  };
  const percents: uPlot.Axis = {
    splits: () => [0, 0.5, 1],
    values: (_, splits) => splits.map((share) => `${words.number(100 * share)}%`),
  };
  const points = { show: false };
  const rates = new StepChart(scene, () =>
    smallParts(few, fromZero, [{ stroke: colour('--muted'), width: 1.25 }]),
  );
  const norms = new StepChart(scene, () => ({
    ...smallParts(few, () => [0, normTop], [{ stroke: colour('--accent'), width: 1.25 }]),
    hooks: { draw: [(u) => drawMarks(u, spikes, styles)] },
  }));
  const shares = new StepChart(scene, () =>
    smallParts(percents, () => [0, 1], [
      { stroke: colour('--accent'), width: 2, points },
      { stroke: colour('--amber'), width: 1.5, dash: [5, 3], points },
    ]),
  );

  return {
    curve,
    rates,
    norms,
    shares,
    /** Draws the charts; returns the values above their tops. */
    draw(isMeasured: boolean, mark: SharesMark | undefined): { losses: Cut; norms: Cut } {
      curves = shownCurves(scene.data, scene.look, MOST_POINTS, MOST_OTHER_POINTS);
      const { part, columns } = curves;
      const { steps, losses, smoothed, validation } = columns;
      curve.draw([steps, losses, smoothed, validation]);
      if (isMeasured) {
        normTop = normTopOf(scene.data.history, part, MOST_POINTS);
        spikes = scene.data.history.above('norms', normTop, part);
        rates.draw([steps, columns.rates]);
        norms.draw([steps, columns.norms]);
      }
      if (mark !== undefined) shares.draw(sharesOf(mark));
      return { losses: cut, norms: isMeasured ? spikes : [] };
    },
    resize(): void {
      for (const chart of [curve, rates, norms, shares]) chart.resize();
    },
  };
}

/**
 * Options of a low chart. Its value axis has no label, so the axis is as wide as that of the loss
 * chart with the label (44 + 18 pixels).
 */
function smallParts(
  valueAxis: uPlot.Axis,
  range: uPlot.Range.Function,
  series: readonly uPlot.Series[],
): ChartParts {
  return {
    stepAxis: { size: 22, values: (_, splits) => splits.map(() => '') },
    valueAxis: { size: 62, ...valueAxis },
    valueScale: { range },
    series,
    cursor: { show: false },
  };
}

function sharesOf({ shares }: SharesMark): uPlot.AlignedData {
  const column = (name: 'full' | 'dashed') =>
    shares.map(({ [name]: share }) => (Number.isFinite(share) ? share : null));
  return [shares.map(({ step }) => step), column('full'), column('dashed')];
}

/** Whether dots have space: adjacent dots would hide the curves below them. */
function hasRoomForDots(u: uPlot, series: number, from: number, to: number): boolean {
  const steps = u.data[0].slice(from, to + 1);
  const drawn = steps.filter((_, at) => typeof u.data[series]?.[from + at] === 'number');
  const [first, last] = [drawn[0], drawn.at(-1)];
  if (first === undefined || last === undefined) return true;
  return dotsApart(u.valToPos(last, 'x') - u.valToPos(first, 'x'), drawn.length);
}

function known(values: readonly (number | null)[]): number[] {
  return values.filter((value) => typeof value === 'number');
}

/** The values without the highest and lowest fiftieth. */
function middle(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b);
  const cut = Math.floor(sorted.length / 50);
  return sorted.slice(cut, sorted.length - cut);
}

/** Range from 0 to slightly above the highest value. */
function fromZero(_: uPlot, low: number | null, high: number | null): [number, number] {
  const top = high ?? 1;
  return [Math.min(0, low ?? 0), top > 0 ? top * 1.1 : 1];
}
