/** A chart over the steps in view: uPlot in the colours and letters of the page. */
import './valid-language.ts';
import uPlot from 'uplot';
import { el } from '../../../kit/dom.ts';
import { axisTicks } from '../../../kit/ticks.ts';
import type { PlotScene } from './plot-scene.ts';

/** What sets a chart apart: options of uPlot, where axes, scale and series go without the steps. */
export interface ChartParts extends Pick<uPlot.Options, 'cursor' | 'hooks' | 'plugins'> {
  readonly stepAxis: uPlot.Axis;
  readonly valueAxis: uPlot.Axis;
  readonly valueScale: uPlot.Scale;
  readonly series: readonly uPlot.Series[];
}

/** Creates an empty chart in `box`. */
export function createStepChart(
  box: HTMLElement,
  scene: PlotScene,
  { stepAxis, valueAxis, valueScale, series, ...rest }: ChartParts,
): uPlot {
  const { styles, look } = scene;
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
export function drawNow(chart: uPlot, data: uPlot.AlignedData): void {
  chart.batch(() => {
    chart.setData(data);
  });
}

/** Takes up the size that its box has now, and new colours. */
export function refit(chart: uPlot): void {
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
export function distribution(logarithmic: boolean): uPlot.Scale.Distr {
  // The names are in a const enum, which does not exist when types are only erased.
  // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment
  return logarithmic ? 3 : 1;
}

/** A low one with its title, at the end of `parent`: its steps stand below those of the curve. */
export function createSmallChart(
  parent: HTMLElement,
  scene: PlotScene,
  title: string,
  { valueAxis, ...parts }: Omit<ChartParts, 'stepAxis'>,
): uPlot {
  const box = el('div', { class: 'loss-small' });
  parent.append(el('p', { class: 'axis-title' }, title), box);
  return createStepChart(box, scene, {
    ...parts,
    stepAxis: { size: 22, values: (_, splits) => splits.map(() => '') },
    // As wide as the axis with its label above.
    valueAxis: { size: 62, ...valueAxis },
    cursor: { show: false },
  });
}
