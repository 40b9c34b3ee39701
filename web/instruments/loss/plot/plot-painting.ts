/**
 * Paints additions to uPlot on a chart: lines of other runs, marks of steps and losses, marks at
 * the top for values above it, minor ticks, and the line of guessing. For uPlot's draw hooks.
 */
import type uPlot from 'uplot';
import type { ShownCurves } from '../../../data/loss-curves.ts';
import { HELD_OUT_DOT, lineStyle } from '../../../data/loss-data.ts';
import type { LossState, LossUnit } from '../../../data/loss-data.ts';
import type { KeptValues } from '../../../kit/dom.ts';
import type { ChartMark, LevelMark } from '../../../kit/layers.ts';
import { minorTicks } from '../../../kit/ticks.ts';

/** Index of the smoothed losses among the columns of the chart. */
const SMOOTHED = 2;

/** The canvas with the edges of the plot, and canvas pixels per CSS pixel. */
interface Area {
  readonly ctx: CanvasRenderingContext2D;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly px: number;
}

/** Calls `draw` with lines, areas and letters in one colour; restores the canvas afterwards. */
function paint({ ctx, bbox }: uPlot, colour: string, draw: (area: Area) => void): void {
  const { left, top, width, height } = bbox;
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = colour;
  ctx.lineWidth = devicePixelRatio;
  draw({ ctx, left, right: left + width, top, bottom: top + height, px: devicePixelRatio });
  ctx.restore();
}

type Place = readonly [x: number, y: number];

function drawLine(ctx: CanvasRenderingContext2D, from: Place, to: Place): void {
  ctx.beginPath();
  ctx.moveTo(...from);
  ctx.lineTo(...to);
  ctx.stroke();
}

/** Draws a dotted line at a loss. Returns its canvas y; null if `loss` is NaN or out of range. */
function drawDotted(u: uPlot, loss: number, { ctx, px, ...edges }: Area): number | null {
  const y = Math.round(u.valToPos(loss, 'y', true));
  if (!(y >= edges.top && y <= edges.bottom)) return null;
  ctx.setLineDash([2 * px, 4 * px]);
  drawLine(ctx, [edges.left, y], [edges.right, y]);
  return y;
}

/** Draws triangles at the top edge, at steps whose values are above the chart. */
export function drawMarks(
  u: uPlot,
  marked: readonly { readonly step: number }[],
  styles: KeptValues,
): void {
  paint(u, styles.of('--amber'), ({ ctx, left, right, top, px }) => {
    const size = 4 * px;
    let last = -Infinity;
    for (const { step } of marked) {
      const x = Math.round(u.valToPos(step, 'x', true));
      // Closer marks would merge.
      if (x - last < size || x < left || x > right) continue;
      last = x;
      ctx.beginPath();
      ctx.moveTo(x, top);
      ctx.lineTo(x - size, top + 1.75 * size);
      ctx.lineTo(x + size, top + 1.75 * size);
      ctx.fill();
    }
  });
}

/** Draws a line with a name at each step and each loss that other instruments mark. */
export function drawLayers(
  u: uPlot,
  layers: readonly ChartMark[],
  unit: LossUnit,
  styles: KeptValues,
): void {
  const font = `${String(12 * devicePixelRatio)}px ${styles.of('--sans')}`;
  paint(u, styles.of('--muted'), (area) => {
    area.ctx.font = font;
    const levels = layers.filter((mark) => 'level' in mark);
    drawLevels(u, levels, unit, area);
  });
  paint(u, styles.of('--ink'), ({ ctx, left, right, top, bottom, px }) => {
    ctx.font = font;
    ctx.textBaseline = 'top';
    for (const { step, label } of layers.filter((mark) => 'step' in mark)) {
      const x = Math.round(u.valToPos(step, 'x', true));
      if (x < left || x > right) continue;
      drawLine(ctx, [x, top], [x, bottom]);
      const isAtEnd = x + 4 * px + ctx.measureText(label).width > right;
      ctx.textAlign = isAtEnd ? 'right' : 'left';
      ctx.fillText(label, isAtEnd ? x - 4 * px : x + 4 * px, top);
    }
  });
}

function drawLevels(u: uPlot, levels: readonly LevelMark[], unit: LossUnit, area: Area): void {
  const { ctx, left, right, px } = area;
  ctx.textAlign = 'right';
  const smoothed = [...(u.data[SMOOTHED] ?? [])].filter((value) => typeof value === 'number');
  const curve = smoothed.at(-1) ?? NaN;
  const named: { readonly y: number; readonly start: number }[] = [];
  for (const { level, label } of levels) {
    const y = drawDotted(u, level[unit], area);
    if (y === null) continue;
    // A name that would overlap others moves to their left.
    const beside = named.filter((other) => Math.abs(other.y - y) < 14 * px);
    const end = Math.min(right, ...beside.map(({ start }) => start)) - 4 * px;
    const start = end - ctx.measureText(label).width;
    if (start < left) continue;
    named.push({ y, start: start - 4 * px });
    // The label is on the side of the line where the curve does not end.
    const isBelow = curve > level[unit];
    ctx.textBaseline = isBelow ? 'top' : 'bottom';
    ctx.fillText(label, end, isBelow ? y + 2 * px : y - 2 * px);
  }
}

/** Draws short marks on logarithmic axes, between the labelled values. */
export function drawMinor(u: uPlot, { logSteps, logLoss }: LossState, styles: KeptValues): void {
  const places = (scale: 'x' | 'y'): number[] => {
    const { min, max } = u.scales[scale] ?? {};
    const ticks = minorTicks(min ?? NaN, max ?? NaN);
    return ticks.map((at) => Math.round(u.valToPos(at, scale, true)) + 0.5);
  };
  paint(u, styles.of('--muted'), ({ ctx, left, bottom, px }) => {
    ctx.lineWidth = 1;
    for (const x of logSteps ? places('x') : []) drawLine(ctx, [x, bottom], [x, bottom - 4 * px]);
    for (const y of logLoss ? places('y') : []) drawLine(ctx, [left, y], [left + 4 * px, y]);
  });
}

/** Draws the line of guessing. */
export function drawRandom(u: uPlot, random: number, styles: KeptValues): void {
  paint(u, styles.of('--muted'), (area) => drawDotted(u, random, area));
}

/** Draws the curves of other runs, and their validation losses as dots. */
export function drawOthers(u: uPlot, others: ShownCurves['others'], styles: KeptValues): void {
  const { left, top, width, height } = u.bbox;
  for (const { line, columns } of others) {
    const { dash, colour } = lineStyle(line.id);
    const places = (values: readonly (number | null)[]): Place[] =>
      columns.steps.flatMap((step, at): Place[] => {
        const value = values[at] ?? null;
        return value === null ? [] : [[u.valToPos(step, 'x', true), u.valToPos(value, 'y', true)]];
      });
    paint(u, styles.of(`--line-${String(colour)}`), ({ ctx, px }) => {
      ctx.beginPath();
      ctx.rect(left, top, width, height);
      ctx.clip();
      ctx.lineWidth = 1.25 * px;
      ctx.setLineDash(dash.map((length) => length * px));
      ctx.beginPath();
      for (const place of places(columns.smoothed)) ctx.lineTo(...place);
      ctx.stroke();
      for (const place of places(columns.validation)) {
        ctx.beginPath();
        ctx.arc(...place, HELD_OUT_DOT * px, 0, 2 * Math.PI);
        ctx.fill();
      }
    });
  }
}
