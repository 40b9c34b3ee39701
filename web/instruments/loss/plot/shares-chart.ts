/** The chart of shares that another instrument puts below the losses, from 0 to 100 %. */
import type uPlot from 'uplot';
import { el } from '../../../kit/dom.ts';
import type { SharesMark } from '../../../kit/layers.ts';
import type { PlotScene } from './plot-scene.ts';
import { createSmallChart, drawNow, refit } from './step-chart.ts';

export class SharesChart {
  readonly root = el('div');
  readonly #scene: PlotScene;
  #chart: uPlot | null = null;
  #title = '';

  constructor(scene: PlotScene) {
    this.#scene = scene;
  }

  /** Draws these, in a box that is in sight; undefined for none. */
  draw(mark: SharesMark | undefined): void {
    if (mark?.title !== this.#title) this.destroy();
    if (mark === undefined) return;
    const { title, shares } = mark;
    this.#title = title;
    this.#chart ??= this.#create(title);
    const column = (name: 'full' | 'dashed') =>
      shares.map(({ [name]: share }) => (Number.isFinite(share) ? share : null));
    drawNow(this.#chart, [shares.map(({ step }) => step), column('full'), column('dashed')]);
  }

  resize(): void {
    if (this.#chart !== null) refit(this.#chart);
  }

  destroy(): void {
    this.#chart?.destroy();
    this.#chart = null;
    this.root.replaceChildren();
  }

  #create(title: string): uPlot {
    const { styles, words } = this.#scene;
    const stroke = (property: string) => () => styles.of(property);
    return createSmallChart(this.root, this.#scene, title, {
      valueAxis: {
        splits: () => [0, 0.5, 1],
        values: (_, splits) => splits.map((share) => `${words.number(100 * share)}%`),
      },
      valueScale: { range: () => [0, 1] },
      series: [
        { stroke: stroke('--accent'), width: 2, points: { show: false } },
        { stroke: stroke('--amber'), width: 1.5, dash: [5, 3], points: { show: false } },
      ],
    });
  }
}
