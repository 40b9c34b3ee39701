/**
 * A chart over the steps in view, in the colours and letters of the page: uPlot as the loss curve
 * and the charts beneath it have it in common, so that their steps stand below each other.
 */
import type uPlot from 'uplot';
import type { KeptValues } from '../../kit/dom.ts';
import { axisTicks } from '../../kit/ticks.ts';
import type { StepWindow } from './step-window.ts';

/** What every chart is made with. */
export interface ChartMeans {
  readonly Chart: typeof uPlot;
  readonly window: StepWindow;
  /** Colours and letters. */
  readonly styles: KeptValues;
}

export interface StepChartOptions {
  /** Pixels that the chart is high at least. */
  readonly least: number;
  readonly stepAxis: uPlot.Axis;
  readonly valueAxis: uPlot.Axis;
  readonly valueScale: uPlot.Scale;
  readonly cursor: uPlot.Cursor;
  /** Without that of the steps. */
  readonly series: readonly uPlot.Series[];
  readonly hooks: uPlot.Hooks.Arrays;
}

export class StepChart {
  readonly u: uPlot;
  readonly #box: HTMLElement;
  readonly #least: number;

  constructor({ Chart, window, styles }: ChartMeans, box: HTMLElement, options: StepChartOptions) {
    const { least, stepAxis, valueAxis, valueScale, cursor, series, hooks } = options;
    const { logSteps } = window.look;
    const common = axisStyle(styles);
    this.#box = box;
    this.#least = least;
    this.u = new Chart(
      {
        ...this.#size(),
        legend: { show: false },
        cursor,
        scales: {
          x: { time: false, distr: distribution(logSteps), range: () => window.range },
          y: valueScale,
        },
        axes: [
          { ...common, splits: stepSplits(logSteps), ...stepAxis },
          { ...common, ...valueAxis },
        ],
        series: [{}, ...series],
        hooks,
      },
      [[], ...series.map(() => [])],
      box,
    );
  }

  /** Draws in this frame, not behind it, where it would be nobody's time. */
  draw(data: uPlot.AlignedData): void {
    this.u.batch(() => {
      this.u.setData(data);
    });
  }

  /** New size or colours. */
  resize(): void {
    const next = this.#size();
    if (next.width !== this.u.width || next.height !== this.u.height) this.u.setSize(next);
    else this.u.redraw(false, true);
  }

  destroy(): void {
    this.u.destroy();
  }

  #size(): { width: number; height: number } {
    return {
      width: Math.max(200, this.#box.clientWidth),
      height: Math.max(this.#least, this.#box.clientHeight),
    };
  }
}

/** The kind of a scale, as uPlot numbers them: logarithmic or linear. */
export function distribution(logarithmic: boolean): uPlot.Scale.Distr {
  // The names are in a const enum, which does not exist when types are only erased.
  // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment
  return logarithmic ? 3 : 1;
}

function axisStyle(styles: KeptValues): uPlot.Axis {
  const font = `12px ${styles.of('--sans')}`;
  return {
    stroke: () => styles.of('--muted'),
    font,
    labelFont: font,
    grid: { stroke: () => styles.of('--grid'), width: 1 },
    ticks: { show: false },
    labelSize: 18,
    filter: (_, splits) => splits,
  };
}

function stepSplits(logSteps: boolean): uPlot.Axis.Splits {
  return (u, _, low, high) => {
    const most = Math.max(3, u.bbox.width / devicePixelRatio / (logSteps ? 66 : 80));
    // There are no halves of steps.
    return axisTicks(logSteps ? Math.max(1, low) : low, high, Math.min(most, high - low), logSteps);
  };
}
