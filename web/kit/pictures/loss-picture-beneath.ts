/** Learning rate and gradient norm below the curve of a picture, with the same step axis. */
import type { Words } from '../../i18n/index.ts';
import { svg } from '../dom.ts';
import { MOST_POINTS, normTopOf } from '../../data/loss-data.ts';
import type { LossColumns, LossHistory, LossPart } from '../../data/loss-history.ts';
import type { Palette } from '../palette.ts';
import { fewTicks } from '../ticks.ts';

/** Heights of a panel, of its title, and of the gap between panels, in pixels. */
const PANEL = 64;
const TITLE = 18;
const BETWEEN = 14;

/** Additional height for both panels; 0 if no step has been measured. */
export function beneathHeight(history: LossHistory): number {
  return history.measuredFrom === undefined ? 0 : 2 * (TITLE + PANEL + BETWEEN);
}

export interface BeneathFrame {
  readonly left: number;
  readonly right: number;
  /** Top of the first panel. */
  readonly top: number;
  readonly low: number;
  readonly high: number;
  /** Horizontal position of a step. */
  readonly x: (step: number) => number;
}

/** Draws both panels; `columns`: the points of the curve above. */
export function beneathPanels(
  history: LossHistory,
  { columns, part }: { readonly columns: LossColumns; readonly part: LossPart },
  frame: BeneathFrame,
  { words, palette }: { readonly words: Words; readonly palette: Palette },
): SVGGElement {
  const { t } = words;
  const { left, right, low, high, x } = frame;
  const round = (value: number): string => String(Math.round(value * 100) / 100);
  const group = svg('g', { 'font-size': 12 });

  function panel(
    title: string,
    values: readonly (number | null)[],
    top: number,
    { begins, stroke }: { readonly begins: number; readonly stroke: string },
  ): (value: number) => number {
    const ends = begins + PANEL;
    const y = (value: number): number => ends - (Math.min(value, top) / top) * PANEL;
    group.append(svg('text', { x: round(left), y: round(begins - 6), fill: palette.muted }, title));
    for (const tick of fewTicks(0, top)) {
      const at = round(y(tick));
      const said = { x: round(left - 8), y: round(y(tick) + 4), 'text-anchor': 'end' };
      group.append(
        svg('path', { d: `M${round(left)} ${at}H${round(right)}`, stroke: palette.grid }),
        svg('text', { ...said, fill: palette.muted }, words.short(tick)),
      );
    }
    const path = columns.steps.flatMap((step, index) => {
      const value = values[index] ?? NaN;
      const inside = step >= low && step <= high && Number.isFinite(value);
      return inside ? [`${round(x(step))} ${round(y(value))}`] : [];
    });
    const d = path.length === 0 ? '' : `M${path.join('L')}`;
    group.append(svg('path', { d, fill: 'none', stroke, 'stroke-width': 1.25 }));
    return y;
  }

  const rates = columns.rates.filter((rate) => rate !== null).filter(Number.isFinite);
  const highest = Math.max(0, ...rates);
  const first = frame.top + TITLE;
  const second = first + PANEL + BETWEEN + TITLE;
  const rateTop = highest > 0 ? 1.1 * highest : 1;
  panel(t('loss.rate'), columns.rates, rateTop, { begins: first, stroke: palette.muted });
  const normTop = normTopOf(history, part, MOST_POINTS);
  panel(t('loss.norm'), columns.norms, normTop, { begins: second, stroke: palette.accent });
  group.append(
    topMarks(
      history.above('norms', normTop, part).map(({ step }) => x(step)),
      second,
      palette,
    ),
  );
  return group;
}

/** Marks at the top of a chart for values above it. */
export function topMarks(
  places: readonly number[],
  top: number,
  { amber }: Palette,
): SVGPathElement {
  const d = places.map((at) => `M${at.toFixed(1)} ${top.toFixed(1)}l-4 7h8z`).join('');
  return svg('path', { d, fill: amber, class: 'top-marks' });
}
