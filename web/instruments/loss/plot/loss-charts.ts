/**
 * The charts: the losses, with what `plot-painting.ts` adds, and aligned beneath them learning rate
 * and gradient norm, and shares that other instruments give. In the colours and letters of the
 * page, with their steps below each other.
 */
import './valid-language.ts';
import uPlot from 'uplot';
import { dotsApart, lossesAbove, lossRange, MOST_POINTS, normTopOf, partOf, unitFactor, unitKey } from '../../../data/loss-data.ts'; // prettier-ignore
import type { LossData, LossLook } from '../../../data/loss-data.ts';
import type { LossColumns, LossHistory, LossPart } from '../../../data/loss-history.ts';
import { el } from '../../../kit/dom.ts';
import type { ChartMark, SharesMark } from '../../../kit/layers.ts';
import { axisTicks, fewTicks, tickDigits } from '../../../kit/ticks.ts';
import { drawLayers, drawMarks, drawMinor, drawOthers, drawRandom } from './plot-painting.ts';
import type { OtherCurve } from './plot-painting.ts';
import type { PlotScene } from './plot-scene.ts';

const MOST_OTHER_POINTS = 500;
/** The place of the dots among the series of the chart. */
const DOTS = 1;
/** What sets a chart apart: options of uPlot, where axes, scale and series go without the steps. */
interface ChartParts extends Pick<uPlot.Options, 'cursor' | 'hooks' | 'plugins'> {
  readonly stepAxis: uPlot.Axis;
  readonly valueAxis: uPlot.Axis;
  readonly valueScale: uPlot.Scale;
  readonly series: readonly uPlot.Series[];
}

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
  readonly #shares = el('div');
  #shareChart: uPlot | null = null;
  #sharesTitle = '';
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
    this.beneath.append(this.#measured, this.#shares);
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
    this.#drawShares(marks.find((mark) => 'shares' in mark) ?? null);
    return { losses: this.#cut, norms: this.#drawBeneath(columns, part) };
  }

  resize(): void {
    if (this.#curve !== null) refit(this.#curve);
    if (!this.#measured.hidden) this.#small.forEach(refit);
    if (this.#shareChart !== null) refit(this.#shareChart);
  }

  destroy(): void {
    for (const chart of [this.#curve, ...this.#small]) chart?.destroy();
    this.#curve = null;
    this.#small = [];
    this.#measured.replaceChildren();
    this.#endShares();
  }

  #endShares(): void {
    this.#shareChart?.destroy();
    this.#shareChart = null;
    this.#shares.replaceChildren();
  }

  /** Draws shares beneath; null for none. */
  #drawShares(mark: SharesMark | null): void {
    if (mark?.title !== this.#sharesTitle) this.#endShares();
    if (mark === null) return;
    this.#sharesTitle = mark.title;
    const { styles, words } = this.#scene;
    this.beneath.hidden = false;
    this.#shareChart ??= this.#createSmall(this.#shares, mark.title, {
      valueAxis: {
        splits: () => [0, 0.5, 1],
        values: (_, splits) => splits.map((share) => `${words.number(100 * share)}%`),
      },
      valueScale: { range: () => [0, 1] },
      series: [
        { stroke: () => styles.of('--accent'), width: 2, points: { show: false } },
        { stroke: () => styles.of('--amber'), width: 1.5, dash: [5, 3], points: { show: false } },
      ],
    });
    const column = (name: 'full' | 'dashed') => mark.shares.map((one) => finite(one[name]));
    const steps = mark.shares.map(({ step }) => step);
    drawNow(this.#shareChart, [steps, column('full'), column('dashed')]);
  }

  /** Shows the charts beneath if they are wanted and there is anything in them. */
  #drawBeneath({ steps, rates, norms }: LossColumns, part: LossPart): Cut {
    const { data, look, words } = this.#scene;
    const { history } = data;
    const empty = !((history.measuredFrom ?? Infinity) <= (part.to ?? Infinity));
    this.#measured.hidden = !look.beneath || empty;
    this.beneath.hidden = this.#measured.hidden && this.#shareChart === null;
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
    const chart = this.#createSmall(this.#measured, title, {
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

  /** A chart with its title at the end of `parent`, its steps below those of the curve. */
  #createSmall(
    parent: HTMLElement,
    title: string,
    { valueAxis, ...parts }: Omit<ChartParts, 'stepAxis'>,
  ): uPlot {
    const box = el('div', { class: 'loss-small' });
    parent.append(el('p', { class: 'axis-title' }, title), box);
    return createStepChart(box, this.#scene, {
      ...parts,
      stepAxis: { size: 22, values: (_, splits) => splits.map(() => '') },
      // As wide as the axis with its label above.
      valueAxis: { size: 62, ...valueAxis },
      cursor: { show: false },
    });
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

/** Creates an empty chart in `box`. */
function createStepChart(
  box: HTMLElement,
  scene: PlotScene,
  { stepAxis, valueAxis, valueScale, series, ...rest }: ChartParts,
): uPlot {
  const { styles, look } = scene;
  const { logSteps } = look;
  const font = `12px ${styles.of('--sans')}`;
  const common: uPlot.Axis = {
    ...{ stroke: () => styles.of('--muted'), font, labelFont: font, labelSize: 18 },
    grid: { stroke: () => styles.of('--grid'), width: 1 },
    ticks: { show: false },
    filter: (_, splits) => splits,
  };
  const range = (): [number, number] => scene.range;
  const splits: uPlot.Axis.Splits = (u, _, low, high) => {
    const most = Math.max(3, u.bbox.width / devicePixelRatio / (logSteps ? 66 : 80));
    // There are no halves of steps.
    return axisTicks(logSteps ? Math.max(1, low) : low, high, Math.min(most, high - low), logSteps);
  };
  return new uPlot(
    {
      ...sizeOf(box),
      ...rest,
      legend: { show: false },
      scales: { x: { time: false, distr: distribution(logSteps), range }, y: valueScale },
      axes: [
        { ...common, splits, ...stepAxis },
        { ...common, ...valueAxis },
      ],
      series: [{}, ...series],
    },
    [[], ...series.map(() => [])],
    box,
  );
}

/** Draws in this frame, not behind it, where it would be nobody's time. */
function drawNow(chart: uPlot, data: uPlot.AlignedData): void {
  chart.batch(() => {
    chart.setData(data);
  });
}

/** Takes up the size that its box has now, and new colours. */
function refit(chart: uPlot): void {
  const next = sizeOf(chart.root.parentElement);
  if (next.width !== chart.width || next.height !== chart.height) chart.setSize(next);
  else chart.redraw(false, true);
}

/** Where the box is not shown it has no size: a chart cannot do with none. */
function sizeOf(box: HTMLElement | null): { width: number; height: number } {
  return {
    width: Math.max(200, box?.clientWidth ?? 0),
    height: Math.max(70, box?.clientHeight ?? 0),
  };
}

/** The kind of a scale, as uPlot numbers them: logarithmic or linear. */
function distribution(logarithmic: boolean): uPlot.Scale.Distr {
  // The names are in a const enum, which does not exist when types are only erased.
  // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment
  return logarithmic ? 3 : 1;
}

/** Steps, losses, smoothed and validation losses, in the unit that is shown. */
function seriesOf(
  { steps, losses, smoothed, validation }: LossColumns,
  { tokensPerCharacter }: LossData,
  look: LossLook,
): uPlot.AlignedData {
  const factor = unitFactor(look, tokensPerCharacter.train);
  const heldOut = unitFactor(look, tokensPerCharacter.validation);
  return [steps, scaled(losses, factor), scaled(smoothed, factor), scaled(validation, heldOut)];
}

/** The curves of earlier runs that are shown. */
function otherCurves({ lines }: LossData, look: LossLook, part: LossPart): OtherCurve[] {
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
function randomOf({ randomLoss, tokensPerCharacter }: LossData, look: LossLook): number {
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

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

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
