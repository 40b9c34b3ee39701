/**
 * What uPlot does not draw itself: lines of other runs, marks at steps and at what leaves the
 * picture, short marks on logarithmic axes, the line of guessing. Each draws once on the chart that
 * it is given, inside uPlot's hooks, and keeps nothing.
 */
import type uPlot from 'uplot';
import { HELD_OUT_DOT, lineStyle } from '../../../data/loss-data.ts';
import type { LossState, LossUnit } from '../../../data/loss-data.ts';
import type { LossColumns } from '../../../data/loss-history.ts';
import type { KeptValues } from '../../../kit/dom.ts';
import type { ChartMark, LevelMark } from '../../../kit/layers.ts';
import { minorTicks } from '../../../kit/ticks.ts';

/** The smoothed losses among the columns of the chart. */
const SMOOTHED = 2;
/** Length in pixels of the marks between the named values of a logarithmic axis. */
const MARK = 4;

/** The curve of another run; its losses are in nats, the factors make the shown unit of them. */
export interface OtherCurve {
  readonly id: number;
  readonly columns: LossColumns;
  readonly factor: number;
  readonly heldOut: number;
}

/** A mark at the top wherever the curve leaves the picture. */
export function drawMarks(
  u: uPlot,
  marked: readonly { readonly step: number }[],
  styles: KeptValues,
): void {
  const { ctx, bbox } = u;
  const size = 4 * devicePixelRatio;
  ctx.save();
  ctx.fillStyle = styles.of('--amber');
  let last = -Infinity;
  for (const { step } of marked) {
    const x = Math.round(u.valToPos(step, 'x', true));
    // Of neighbours, one mark is all that can be seen.
    if (x - last < size || x < bbox.left || x > bbox.left + bbox.width) continue;
    last = x;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x - size, bbox.top + 1.75 * size);
    ctx.lineTo(x + size, bbox.top + 1.75 * size);
    ctx.fill();
  }
  ctx.restore();
}

/** A line with a name at each step and each loss that other instruments mark. */
export function drawLayers(
  u: uPlot,
  layers: readonly ChartMark[],
  unit: LossUnit,
  styles: KeptValues,
): void {
  const { ctx } = u;
  const { left, top, width, height } = u.bbox;
  const air = 4 * devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = styles.of('--ink');
  ctx.lineWidth = devicePixelRatio;
  ctx.font = `${String(12 * devicePixelRatio)}px ${styles.of('--sans')}`;
  ctx.textBaseline = 'top';
  const steps = layers.filter((mark) => 'step' in mark);
  drawLevels(
    u,
    layers.filter((mark) => 'level' in mark),
    unit,
    styles,
  );
  for (const { step, label } of steps) {
    const x = Math.round(u.valToPos(step, 'x', true));
    if (x < left || x > left + width) continue;
    ctx.beginPath();
    ctx.moveTo(x, top);
    ctx.lineTo(x, top + height);
    ctx.stroke();
    const isAtEnd = x + air + ctx.measureText(label).width > left + width;
    ctx.textAlign = isAtEnd ? 'right' : 'left';
    ctx.fillText(label, isAtEnd ? x - air : x + air, top);
  }
  ctx.restore();
}

/** A line with a name at each loss that other instruments mark. */
function drawLevels(
  u: uPlot,
  levels: readonly LevelMark[],
  unit: LossUnit,
  styles: KeptValues,
): void {
  if (levels.length === 0) return;
  const { ctx } = u;
  const { left, top, width, height } = u.bbox;
  const air = 4 * devicePixelRatio;
  ctx.save();
  ctx.lineWidth = devicePixelRatio;
  ctx.font = `${String(12 * devicePixelRatio)}px ${styles.of('--sans')}`;
  ctx.strokeStyle = ctx.fillStyle = styles.of('--muted');
  ctx.setLineDash([2 * devicePixelRatio, 4 * devicePixelRatio]);
  ctx.textAlign = 'right';
  const curve = lastOf(u.data[SMOOTHED]);
  const named: { readonly y: number; readonly start: number }[] = [];
  for (const { level, label } of levels) {
    const y = Math.round(u.valToPos(level[unit], 'y', true));
    if (y < top || y > top + height) continue;
    ctx.beginPath();
    ctx.moveTo(left, y);
    ctx.lineTo(left + width, y);
    ctx.stroke();
    // A name over another could not be read: it stands to the left of that.
    const beside = named.filter((other) => Math.abs(other.y - y) < 14 * devicePixelRatio);
    const end = Math.min(left + width, ...beside.map(({ start }) => start)) - air;
    const start = end - ctx.measureText(label).width;
    if (start < left) continue;
    named.push({ y, start: start - air });
    // On the side of its line where the curve does not end.
    const isBelow = curve > level[unit];
    ctx.textBaseline = isBelow ? 'top' : 'bottom';
    ctx.fillText(label, end, isBelow ? y + air / 2 : y - air / 2);
  }
  ctx.restore();
}

/** The last value that is known; NaN without any. */
function lastOf(values: ArrayLike<number | null | undefined> | undefined): number {
  for (let at = (values?.length ?? 0) - 1; at >= 0; at--) {
    const value = values?.[at];
    if (typeof value === 'number') return value;
  }
  return NaN;
}

/** Short marks along logarithmic axes, between the values that are named. */
export function drawMinor(u: uPlot, { logSteps, logLoss }: LossState, styles: KeptValues): void {
  const { ctx } = u;
  const { left, top, height } = u.bbox;
  const length = MARK * devicePixelRatio;
  const marks = (scale: 'x' | 'y'): number[] => {
    const { min, max } = u.scales[scale] ?? {};
    const places = minorTicks(min ?? NaN, max ?? NaN).map((at) => u.valToPos(at, scale, true));
    return places.map((at) => Math.round(at) + 0.5);
  };
  ctx.save();
  ctx.strokeStyle = styles.of('--muted');
  ctx.lineWidth = 1;
  ctx.beginPath();
  for (const x of logSteps ? marks('x') : []) {
    ctx.moveTo(x, top + height);
    ctx.lineTo(x, top + height - length);
  }
  for (const y of logLoss ? marks('y') : []) {
    ctx.moveTo(left, y);
    ctx.lineTo(left + length, y);
  }
  ctx.stroke();
  ctx.restore();
}

/** The line of guessing. */
export function drawRandom(u: uPlot, random: number, styles: KeptValues): void {
  if (!Number.isFinite(random)) return;
  const y = Math.round(u.valToPos(random, 'y', true));
  const { left, top, width, height } = u.bbox;
  // A part in view may be far below it.
  if (y < top || y > top + height) return;
  const { ctx } = u;
  ctx.save();
  ctx.strokeStyle = styles.of('--muted');
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([2 * devicePixelRatio, 4 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(left, y);
  ctx.lineTo(left + width, y);
  ctx.stroke();
  ctx.restore();
}

/** The curves of other runs. */
export function drawOthers(u: uPlot, others: readonly OtherCurve[], styles: KeptValues): void {
  const { ctx } = u;
  const { left, top, width, height } = u.bbox;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  ctx.lineWidth = 1.25 * devicePixelRatio;
  for (const other of others) {
    const style = lineStyle(other.id);
    ctx.strokeStyle = styles.of(`--line-${String(style.colour)}`);
    ctx.setLineDash(style.dash.map((length) => length * devicePixelRatio));
    ctx.beginPath();
    for (const [index, step] of other.columns.steps.entries()) {
      const value = other.columns.smoothed[index] ?? null;
      if (value === null) continue;
      ctx.lineTo(u.valToPos(step, 'x', true), u.valToPos(value * other.factor, 'y', true));
    }
    ctx.stroke();
    drawHeldOut(u, other);
  }
  ctx.restore();
}

/** The validation losses of an earlier line: a row of dots in its colour. */
function drawHeldOut(u: uPlot, { columns: own, heldOut }: OtherCurve): void {
  const { ctx } = u;
  ctx.fillStyle = ctx.strokeStyle;
  for (const [index, step] of own.steps.entries()) {
    const value = own.validation[index] ?? null;
    if (value === null) continue;
    const [x, y] = [u.valToPos(step, 'x', true), u.valToPos(value * heldOut, 'y', true)];
    ctx.beginPath();
    ctx.arc(x, y, HELD_OUT_DOT * devicePixelRatio, 0, 2 * Math.PI);
    ctx.fill();
  }
}
