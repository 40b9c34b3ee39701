/**
 * The chart of the losses: the run's dots, smoothed curve and validation losses, and what
 * `plot-painting.ts` adds. Translates between steps and places on screen for whoever points at it.
 */
import type uPlot from 'uplot';
import { dotsApart, lossesAbove, unitKey } from '../../data/loss-data.ts';
import type { LossColumns, LossHistory } from '../../data/loss-history.ts';
import type { Words } from '../../i18n/index.ts';
import type { StepMark } from '../../kit/layers.ts';
import { axisTicks, tickDigits } from '../../kit/ticks.ts';
import { lossSeries, randomOf, seriesRange } from './loss-series.ts';
import { drawLayers, drawMarks, drawMinor, drawOthers, drawRandom } from './plot-painting.ts';
import type { OtherCurve } from './plot-painting.ts';
import { distribution, StepChart } from './step-chart.ts';
import type { ChartMeans } from './step-chart.ts';

/** The place of the dots among the series of the chart. */
const DOTS = 1;

export interface LossCurveEvents {
  /** The mouse is at this step; null for none. */
  readonly onHover: (step: number | null) => void;
  /** Whether the line stays at its step when the mouse leaves. */
  readonly staysPut: () => boolean;
  /** Steps may stand elsewhere than before. */
  readonly onDrawn: () => void;
}

export class LossCurve {
  readonly #means: ChartMeans;
  readonly #box: HTMLElement;
  readonly #words: Words;
  readonly #events: LossCurveEvents;
  #chart: StepChart;
  /** What scales and axes the chart was made for. */
  #kind: string;
  #steps: readonly number[] = [];
  #others: readonly OtherCurve[] = [];
  #marks: readonly StepMark[] = [];
  #cut: ReturnType<LossHistory['above']> = [];

  constructor(means: ChartMeans, box: HTMLElement, words: Words, events: LossCurveEvents) {
    this.#means = means;
    this.#box = box;
    this.#words = words;
    this.#events = events;
    this.#kind = this.#kindNow();
    this.#chart = this.#make();
  }

  /** Steps in view whose losses are far above the picture, as it was drawn last. */
  get cut(): ReturnType<LossHistory['above']> {
    return this.#cut;
  }

  /** The steps that are drawn and in view. */
  get stepsInView(): readonly number[] {
    const [low, high] = this.#means.window.range;
    return this.#steps.filter((step) => step >= low && step <= high);
  }

  /** Pixels from the left end of the axis to the right one. */
  get width(): number {
    return this.#chart.u.over.clientWidth;
  }

  /** Draws, with earlier curves, and marks of other instruments. */
  draw(columns: LossColumns, others: readonly OtherCurve[], marks: readonly StepMark[]): void {
    const { data, look } = this.#means.window;
    // Other scales than before need another chart: uPlot keeps the kind of a scale.
    if (this.#kind !== this.#kindNow()) {
      this.#kind = this.#kindNow();
      this.#chart.destroy();
      this.#chart = this.#make();
    }
    this.#steps = columns.steps;
    this.#others = others;
    this.#marks = marks;
    this.#chart.draw(lossSeries(columns, data, look));
  }

  /** Puts the line at a step; null takes it away. Nobody hears of it. */
  putLine(step: number | null): void {
    const { u } = this.#chart;
    const place =
      step === null ? { left: -10, top: -10 } : { left: u.valToPos(step, 'x'), top: 10 };
    u.setCursor(place, false);
  }

  /** Pixels from the left end of the box to a step. */
  placeOf(step: number): number {
    const { u } = this.#chart;
    return u.over.offsetLeft + u.valToPos(step, 'x');
  }

  /** Where on the axis a place in the window is, as a share of its width. */
  shareUnder(x: number): number {
    const { left, width } = this.#chart.u.over.getBoundingClientRect();
    return (x - left) / width;
  }

  /** The step that is drawn nearest to this place in the window; undefined if none is drawn. */
  stepUnder(x: number): number | undefined {
    const { u } = this.#chart;
    const { left, width } = u.over.getBoundingClientRect();
    const at = u.posToVal(Math.min(width, Math.max(0, x - left)), 'x');
    const away = (step: number): number => Math.abs(step - at);
    const [first, ...rest] = this.#steps;
    if (first === undefined) return undefined;
    return rest.reduce((best, step) => (away(step) < away(best) ? step : best), first);
  }

  resize(): void {
    this.#chart.resize();
  }

  destroy(): void {
    this.#chart.destroy();
  }

  #kindNow(): string {
    const { unit, logSteps, logLoss } = this.#means.window.look;
    return [unit, logSteps, logLoss].join();
  }

  #make(): StepChart {
    const { t } = this.#words;
    const { window } = this.#means;
    const { unit, logLoss } = window.look;
    const values: uPlot.Axis.DynamicValues = (_, splits) => this.#numbers(splits);
    const splits: uPlot.Axis.Splits = (u, _, low, high) =>
      axisTicks(low, high, Math.max(3, u.bbox.height / devicePixelRatio / 45), logLoss);
    return new StepChart(this.#means, this.#box, {
      least: 160,
      stepAxis: { label: t('loss.axis.steps'), size: 28, values },
      valueAxis: { label: t(unitKey(unit)), size: 44, splits, values },
      valueScale: {
        distr: distribution(logLoss),
        range: (u) => seriesRange(u.data, this.#others, window.data, window.look),
      },
      cursor: this.#cursor(),
      series: this.#series(),
      hooks: this.#hooks(),
    });
  }

  #numbers(splits: readonly number[]): string[] {
    const digits = tickDigits(splits);
    return splits.map((value) => this.#words.number(value, digits));
  }

  #cursor(): uPlot.Cursor {
    return {
      y: false,
      drag: { x: true, y: false, setScale: false, dist: 4 },
      move: onPoints,
      points: { size: 7 },
      bind: {
        dblclick: () => () => {
          this.#means.window.all();
          return null;
        },
        // After a tap the browser tells of a mouse that comes and goes: the line stays at its step.
        mouseleave: (_, __, leaves) => (event) => (this.#events.staysPut() ? null : leaves(event)),
      },
    };
  }

  #series(): uPlot.Series[] {
    const colour = (property: string) => () => this.#means.styles.of(property);
    const raw = colour('--loss-raw');
    const amber = colour('--amber');
    return [
      {
        stroke: raw,
        width: 0,
        paths: () => null,
        points: { show: true, size: 2.5, width: 0, fill: raw },
      },
      { stroke: colour('--accent'), width: 2 },
      {
        stroke: amber,
        width: 1.5,
        dash: [5, 3],
        spanGaps: true,
        points: { show: roomForDots, size: 5, width: 0, fill: amber },
      },
    ];
  }

  #hooks(): uPlot.Hooks.Arrays {
    const { styles, window } = this.#means;
    return {
      drawAxes: [
        (u) => {
          drawMinor(u, window.look, styles);
          drawRandom(u, randomOf(window.data, window.look), styles);
        },
      ],
      // Over the dots of the present run, which would hide them, and below its curve.
      drawSeries: [
        (u, index) => {
          if (index === DOTS) drawOthers(u, this.#others, styles);
        },
      ],
      draw: [
        (u) => {
          this.#cut = lossesAbove(window.data, window.look, u.scales['y']?.max ?? NaN);
          drawMarks(u, this.#cut, styles);
          drawLayers(u, this.#marks, styles);
          this.#events.onDrawn();
        },
      ],
      setCursor: [
        (u) => {
          const index = u.cursor.idx ?? null;
          this.#events.onHover(index === null ? null : (u.data[0][index] ?? null));
        },
      ],
      setSelect: [
        (u) => {
          const { left, width } = u.select;
          if (width < 4) return;
          const [from, to] = [u.posToVal(left, 'x'), u.posToVal(left + width, 'x')];
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          window.narrow(from, to);
        },
      ],
    };
  }
}

/** The line stands where the dot does: at a step that is drawn, not between two. */
function onPoints(u: uPlot, left: number, top: number): [number, number] {
  const step = left < 0 ? undefined : u.data[0][u.posToIdx(left)];
  return [step === undefined ? left : u.valToPos(step, 'x'), top];
}

/** Whether dots stand apart: side by side they would hide what lies beneath them. */
function roomForDots(u: uPlot, series: number, from: number, to: number): boolean {
  const steps = u.data[0].slice(from, to + 1);
  const known = steps.filter((_, at) => typeof u.data[series]?.[from + at] === 'number');
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return true;
  const width = u.valToPos(last, 'x') - u.valToPos(first, 'x');
  return dotsApart(width, known.length);
}
