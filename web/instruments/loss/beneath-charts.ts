/** Aligned beneath the curve: learning rate and gradient norm. */
import type uPlot from 'uplot';
import { MOST_POINTS, normTopOf } from '../../data/loss-data.ts';
import type { LossColumns, LossHistory, LossPart } from '../../data/loss-history.ts';
import type { Words } from '../../i18n/index.ts';
import { el } from '../../kit/dom.ts';
import { fewTicks } from '../../kit/ticks.ts';
import { drawMarks } from './plot-painting.ts';
import { StepChart } from './step-chart.ts';
import type { ChartMeans } from './step-chart.ts';

export class BeneathCharts {
  readonly #means: ChartMeans;
  readonly #box: HTMLElement;
  readonly #words: Words;
  #charts: { readonly rates: StepChart; readonly norms: StepChart } | null = null;
  /** What axis of steps they were made for. */
  #logSteps = false;
  #normTop = 1;
  #spikes: ReturnType<LossHistory['above']> = [];

  constructor(means: ChartMeans, box: HTMLElement, words: Words) {
    this.#means = means;
    this.#box = box;
    this.#words = words;
  }

  /** Steps in view whose gradient norm is above the picture. */
  get spikes(): ReturnType<LossHistory['above']> {
    return this.#spikes;
  }

  /** Shows the charts if they are wanted and there is anything in them. */
  draw({ steps, rates, norms }: LossColumns, part: LossPart): void {
    const { data, look } = this.#means.window;
    const { measuredFrom } = data.history;
    const empty = measuredFrom === undefined || measuredFrom > (part.to ?? Infinity);
    this.#box.hidden = !look.beneath || empty;
    this.#spikes = [];
    if (this.#box.hidden) return;
    this.#normTop = normTopOf(data.history, part, MOST_POINTS);
    this.#spikes = data.history.above('norms', this.#normTop, part);
    if (look.logSteps !== this.#logSteps) this.destroy();
    this.#charts ??= this.#make();
    this.#charts.rates.draw([steps, rates]);
    this.#charts.norms.draw([steps, norms]);
  }

  resize(): void {
    if (this.#box.hidden) return;
    this.#charts?.rates.resize();
    this.#charts?.norms.resize();
  }

  destroy(): void {
    this.#charts?.rates.destroy();
    this.#charts?.norms.destroy();
    this.#charts = null;
    this.#box.replaceChildren();
  }

  #make(): { readonly rates: StepChart; readonly norms: StepChart } {
    const { styles, window } = this.#means;
    const { t } = this.#words;
    this.#logSteps = window.look.logSteps;
    const mark = (u: uPlot): void => {
      drawMarks(u, this.#spikes, styles);
    };
    return {
      rates: this.#chart(t('loss.rate'), '--muted', fromZero, []),
      norms: this.#chart(t('loss.norm'), '--accent', () => [0, this.#normTop], [mark]),
    };
  }

  #chart(
    title: string,
    colour: string,
    range: uPlot.Range.Function,
    draw: ((u: uPlot) => void)[],
  ): StepChart {
    const box = el('div', { class: 'loss-small' });
    this.#box.append(el('p', { class: 'axis-title' }, title), box);
    return new StepChart(this.#means, box, {
      least: 70,
      stepAxis: { size: 22, values: (_, splits) => splits.map(() => '') },
      valueAxis: {
        // As wide as the axis with its label above, so that steps stand below each other.
        size: 62,
        splits: (_, __, low, high) => fewTicks(low, high),
        values: (_, splits) => splits.map((value) => this.#words.short(value)),
      },
      valueScale: { range },
      cursor: { show: false },
      series: [{ stroke: () => this.#means.styles.of(colour), width: 1.25 }],
      hooks: { draw },
    });
  }
}

/** From 0 up, with a little air. */
function fromZero(_: uPlot, low: number | null, high: number | null): [number, number] {
  const top = high ?? 1;
  return [Math.min(0, low ?? 0), top > 0 ? top * 1.1 : 1];
}
