/**
 * The charts: the losses, with what `plot-painting.ts` adds, and aligned beneath them learning rate
 * and gradient norm, and shares that other instruments give. In the colours and letters of the
 * page, with their steps below each other.
 */
import type uPlot from 'uplot';
import { TRACES } from '../../../base/form.ts';
import {
  dotsApart,
  lossesAbove,
  lossRange,
  MOST_POINTS,
  normTopOf,
  partOf,
  unitFactor,
  unitKey,
} from '../../../data/loss-data.ts';
import type { LossData, LossState } from '../../../data/loss-data.ts';
import type { LossColumns, LossHistory, LossPart } from '../../../data/loss-history.ts';
import { el } from '../../../kit/dom.ts';
import type { ChartMark } from '../../../kit/layers.ts';
import { axisTicks, fewTicks, tickDigits } from '../../../kit/ticks.ts';
import { drawLayers, drawMarks, drawMinor, drawOthers, drawRandom } from './plot-painting.ts';
import type { OtherCurve } from './plot-painting.ts';
import type { PlotScene } from './plot-scene.ts';
import { SharesChart } from './shares-chart.ts';
import { createSmallChart, createStepChart, distribution, drawNow, refit } from './step-chart.ts';

const MOST_OTHER_POINTS = 500;
/** The place of the dots among the series of the chart. */
const DOTS = 1;
/** Steps in view with values above the picture. */
export type Cut = ReturnType<LossHistory['above']>;

export class LossCharts {
  readonly beneath = el('div', { class: 'loss-beneath', 'aria-hidden': 'true', hidden: true });
  readonly #box: HTMLElement;
  readonly #scene: PlotScene;
  /** Parts of uPlot's options: the cursor. */
  readonly #plugin: uPlot.Plugin;
  #curve: uPlot | null = null;
  /** Of learning rates and gradient norms; made when they are first shown. */
  #small: uPlot[] = [];
  readonly #measured = el('div');
  /** Null where no instrument gives any. */
  readonly #shares: SharesChart | null;
  /** What scales and axes they were made for. */
  #kind = '';
  #others: readonly OtherCurve[] = [];
  #marks: readonly ChartMark[] = [];
  #cut: Cut = [];
  #normTop = 1;
  #spikes: Cut = [];

  /** The losses are drawn in `box`. */
  constructor(box: HTMLElement, scene: PlotScene, plugin: uPlot.Plugin) {
    this.#box = box;
    this.#scene = scene;
    this.#plugin = plugin;
    this.#shares = TRACES ? new SharesChart(scene) : null;
    this.beneath.append(this.#measured, this.#shares?.root ?? '');
  }

  /** Draws, with the marks of other instruments; gives what is above the pictures. */
  draw(marks: readonly ChartMark[]): { readonly losses: Cut; readonly norms: Cut } {
    const { data, look, range } = this.#scene;
    const kind = [look.unit, look.logSteps, look.logLoss].join();
    // Other scales than before need other charts: uPlot keeps the kind of a scale.
    if (this.#kind !== kind) this.destroy();
    this.#kind = kind;
    const part = partOf(look, range);
    const columns = data.history.columns(MOST_POINTS, part);
    this.#others = otherCurves(data, look, part);
    this.#marks = marks;
    this.#curve ??= this.#makeCurve();
    drawNow(this.#curve, seriesOf(columns, data, look));
    return { losses: this.#cut, norms: this.#drawBeneath(columns, part) };
  }

  resize(): void {
    if (this.#curve !== null) refit(this.#curve);
    if (!this.#measured.hidden) this.#small.forEach(refit);
    this.#shares?.resize();
  }

  destroy(): void {
    for (const chart of [this.#curve, ...this.#small]) chart?.destroy();
    this.#curve = null;
    this.#small = [];
    this.#measured.replaceChildren();
    this.#shares?.destroy();
  }

  /** Shows the charts beneath if they are wanted and there is anything in them. */
  #drawBeneath({ steps, rates, norms }: LossColumns, part: LossPart): Cut {
    const { data, look, words } = this.#scene;
    const { history } = data;
    const empty = !((history.measuredFrom ?? Infinity) <= (part.to ?? Infinity));
    const shares = this.#marks.find((mark) => 'shares' in mark);
    this.#measured.hidden = !look.beneath || empty;
    this.beneath.hidden = this.#measured.hidden && shares === undefined;
    this.#shares?.draw(shares);
    if (this.#measured.hidden) return [];
    this.#normTop = normTopOf(history, part, MOST_POINTS);
    this.#spikes = history.above('norms', this.#normTop, part);
    if (this.#small.length === 0) {
      this.#addSmall(words.t('loss.rate'), '--muted', (_, low, high) => fromZero(low, high));
      this.#addSmall(
        words.t('loss.norm'),
        '--accent',
        () => [0, this.#normTop],
        (u) => {
          drawMarks(u, this.#spikes, this.#scene.styles);
        },
      );
    }
    for (const [index, chart] of this.#small.entries()) {
      drawNow(chart, [steps, index === 0 ? rates : norms]);
    }
    return this.#spikes;
  }

  #addSmall(
    title: string,
    colour: string,
    range: uPlot.Range.Function,
    draw: (u: uPlot) => void = () => undefined,
  ): void {
    const { styles, words } = this.#scene;
    const chart = createSmallChart(this.#measured, this.#scene, title, {
      valueAxis: {
        splits: (_, __, low, high) => fewTicks(low, high),
        values: (_, splits) => splits.map((value) => words.short(value)),
      },
      valueScale: { range },
      series: [{ stroke: () => styles.of(colour), width: 1.25 }],
      hooks: { draw: [draw] },
    });
    this.#small.push(chart);
  }

  #makeCurve(): uPlot {
    const { words, look } = this.#scene;
    const { unit, logLoss } = look;
    const values: uPlot.Axis.DynamicValues = (_, splits) => this.#numbers(splits);
    const splits: uPlot.Axis.Splits = (u, _, low, high) =>
      axisTicks(low, high, Math.max(3, u.bbox.height / devicePixelRatio / 45), logLoss);
    const range: uPlot.Range.Function = (u) => this.#range(u.data);
    return createStepChart(this.#box, this.#scene, {
      stepAxis: { label: words.t('loss.axis.steps'), size: 28, values },
      valueAxis: { label: words.t(unitKey(unit)), size: 44, splits, values },
      valueScale: { distr: distribution(logLoss), range },
      series: this.#series(),
      hooks: this.#hooks(),
      plugins: [this.#plugin],
    });
  }

  #numbers(splits: readonly number[]): string[] {
    const digits = tickDigits(splits);
    return splits.map((value) => this.#scene.words.number(value, digits));
  }

  /** Holds all that is in view; the line of guessing only while all steps are. */
  #range([, losses = [], smoothed = [], validation = []]: uPlot.AlignedData): [number, number] {
    const { data, look } = this.#scene;
    const whole = look.window === null;
    const values = [...known(whole ? losses : smoothed), ...known(validation)];
    // Close up, single noisy steps may leave the picture at the edges, but most must be seen.
    values.push(...(whole ? [randomOf(data, look)] : middle(known(losses))));
    for (const { columns, factor, heldOut } of this.#others) {
      values.push(...known(columns.smoothed).map((value) => value * factor));
      values.push(...known(columns.validation).map((value) => value * heldOut));
    }
    return lossRange(values, look);
  }

  #series(): uPlot.Series[] {
    const colour = (property: string) => () => this.#scene.styles.of(property);
    const [raw, amber] = [colour('--loss-raw'), colour('--amber')];
    const dots = { show: true, size: 2.5, width: 0, fill: raw };
    const heldOut = { show: roomForDots, size: 5, width: 0, fill: amber };
    return [
      { stroke: raw, width: 0, paths: () => null, points: dots },
      { stroke: colour('--accent'), width: 2 },
      { stroke: amber, width: 1.5, dash: [5, 3], spanGaps: true, points: heldOut },
    ];
  }

  #hooks(): uPlot.Hooks.Arrays {
    const scene = this.#scene;
    const { styles } = scene;
    const beneath = (u: uPlot): void => {
      drawMinor(u, scene.look, styles);
      drawRandom(u, randomOf(scene.data, scene.look), styles);
    };
    const above = (u: uPlot): void => {
      this.#cut = lossesAbove(scene.data, scene.look, u.scales['y']?.max ?? NaN);
      drawMarks(u, this.#cut, styles);
      drawLayers(u, this.#marks, scene.look.unit, styles);
    };
    // Over the dots of the present run, which would hide them, and below its curve.
    const between = (u: uPlot, series: number): void => {
      if (series === DOTS) drawOthers(u, this.#others, styles);
    };
    return { drawAxes: [beneath], drawSeries: [between], draw: [above] };
  }
}

/** Steps, losses, smoothed and validation losses, in the unit that is shown. */
function seriesOf(
  { steps, losses, smoothed, validation }: LossColumns,
  { tokensPerCharacter }: LossData,
  look: LossState,
): uPlot.AlignedData {
  const factor = unitFactor(look, tokensPerCharacter.train);
  const heldOut = unitFactor(look, tokensPerCharacter.validation);
  return [steps, scaled(losses, factor), scaled(smoothed, factor), scaled(validation, heldOut)];
}

/** The curves of earlier runs that are shown. */
function otherCurves({ lines }: LossData, look: LossState, part: LossPart): OtherCurve[] {
  return lines
    .filter((line) => line.shown)
    .map(({ id, history, tokensPerCharacter }) => ({
      id,
      columns: history.columns(MOST_OTHER_POINTS, part),
      factor: unitFactor(look, tokensPerCharacter.train),
      heldOut: unitFactor(look, tokensPerCharacter.validation),
    }));
}

/** The loss of guessing in the unit that is shown. */
function randomOf({ randomLoss, tokensPerCharacter }: LossData, look: LossState): number {
  return randomLoss * unitFactor(look, tokensPerCharacter.train);
}

/** Whether dots stand apart: side by side they would hide what lies beneath them. */
function roomForDots(u: uPlot, series: number, from: number, to: number): boolean {
  const steps = u.data[0].slice(from, to + 1);
  const drawn = steps.filter((_, at) => typeof u.data[series]?.[from + at] === 'number');
  const [first, last] = [drawn[0], drawn.at(-1)];
  if (first === undefined || last === undefined) return true;
  return dotsApart(u.valToPos(last, 'x') - u.valToPos(first, 'x'), drawn.length);
}

function scaled(values: readonly (number | null)[], factor: number): (number | null)[] {
  if (factor === 1) return [...values];
  return values.map((value) => (value === null || Number.isNaN(factor) ? null : value * factor));
}

function known(column: ArrayLike<number | null | undefined>): number[] {
  return Array.from(column).filter((value) => typeof value === 'number');
}

/** All but the highest and lowest fiftieth. */
function middle(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b);
  const cut = Math.floor(sorted.length / 50);
  return sorted.slice(cut, sorted.length - cut);
}

/** From 0 up, with a little air. */
function fromZero(low: number | null, high: number | null): [number, number] {
  const top = high ?? 1;
  return [Math.min(0, low ?? 0), top > 0 ? top * 1.1 : 1];
}
