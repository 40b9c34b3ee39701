/** A chart over the visible steps: uPlot in the page's colours and font. */
import './valid-language.ts';
import uPlot from 'uplot';
import { axisTicks } from '../../../kit/ticks.ts';
import type { PlotScene } from './plot-scene.ts';

/** Options of uPlot that differ between charts. */
export interface ChartParts extends Pick<uPlot.Options, 'cursor' | 'hooks' | 'plugins'> {
  readonly stepAxis: uPlot.Axis;
  readonly valueAxis: uPlot.Axis;
  readonly valueScale: uPlot.Scale;
  /** Series of the chart, without the steps. */
  readonly series: readonly uPlot.Series[];
}

export class StepChart {
  readonly #scene: PlotScene;
  readonly #parts: () => ChartParts;
  #box: HTMLElement | null = null;
  #chart: uPlot | null = null;
  /** The view settings that `#chart` was created with; a change needs a new chart. */
  #kind = '';

  constructor(scene: PlotScene, parts: () => ChartParts) {
    this.#scene = scene;
    this.#parts = parts;
  }

  /** A `ref` callback: sets the element to draw in; null removes the chart. */
  readonly setBox = (box: HTMLElement | null): void => {
    this.#box = box;
    if (box === null) this.#destroy();
    else this.#scene.redraw();
  };

  /** Draws in this frame; nothing without a box. */
  draw(data: uPlot.AlignedData): void {
    if (this.#box === null) return;
    const { unit, logSteps, logLoss } = this.#scene.look;
    const kind = [unit, logSteps, logLoss].join();
    // uPlot cannot change the kind of a scale.
    if (this.#kind !== kind) this.#destroy();
    this.#kind = kind;
    const chart = (this.#chart ??= this.#create(this.#box));
    // Outside of a batch, uPlot draws after the frame.
    chart.batch(() => chart.setData(data));
  }

  /** Follows the size of the box and the colours of the page. */
  resize(): void {
    const [box, chart] = [this.#box, this.#chart];
    if (box === null || chart === null) return;
    const next = sizeOf(box);
    if (next.width !== chart.width || next.height !== chart.height) chart.setSize(next);
    else chart.redraw(false, true);
  }

  #destroy(): void {
    this.#chart?.destroy();
    this.#chart = null;
  }

  #create(box: HTMLElement): uPlot {
    const { stepAxis, valueAxis, valueScale, series, ...rest } = this.#parts();
    const { styles, look } = this.#scene;
    const { logSteps } = look;
    const font = `12px ${styles.of('--sans')}`;
    const common: uPlot.Axis = {
      stroke: () => styles.of('--muted'),
      font,
      labelFont: font,
      labelSize: 18,
      grid: { stroke: () => styles.of('--grid'), width: 1 },
      ticks: { show: false },
      filter: (_, splits) => splits,
    };
    const range = (): [number, number] => this.#scene.range;
    const splits: uPlot.Axis.Splits = (u, _, low, high) => {
      const most = Math.max(3, u.bbox.width / devicePixelRatio / (logSteps ? 66 : 80));
      // Steps are whole numbers.
      const count = Math.min(most, high - low);
      return axisTicks(logSteps ? Math.max(1, low) : low, high, count, logSteps);
    };
    const options: uPlot.Options = {
      ...{ ...sizeOf(box), ...rest, legend: { show: false } },
      scales: { x: { time: false, distr: distribution(logSteps), range }, y: valueScale },
      axes: [
        { ...common, splits, ...stepAxis },
        { ...common, ...valueAxis },
      ],
      series: [{}, ...series],
    };
    return new uPlot(options, [[], ...series.map(() => [])], box);
  }
}

/** The size of a chart in `box`, at least 200 × 70: uPlot needs a size even while it is hidden. */
function sizeOf({ clientWidth, clientHeight }: HTMLElement): { width: number; height: number } {
  return { width: Math.max(200, clientWidth), height: Math.max(70, clientHeight) };
}

/** uPlot's number for a linear or logarithmic scale. */
export function distribution(logarithmic: boolean): uPlot.Scale.Distr {
  // uPlot names the numbers in a const enum, which type stripping erases.
  // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment
  return logarithmic ? 3 : 1;
}
