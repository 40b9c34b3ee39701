/** The loss chart as an SVG of its own: what is on screen, with title, axes and key. */
import type { Words } from '../i18n/index.ts';
import { svg } from './dom.ts';
import { lineStyle, lossRange, stepRange, unitFactor } from './loss-data.ts';
import type { LossData, LossLook } from './loss-data.ts';
import { LIGHT, PICTURE_FONT } from './palette.ts';
import type { Palette } from './palette.ts';
import { linearTicks, logTicks, tickDigits } from './ticks.ts';

const WIDTH = 960;
const HEIGHT = 540;
const BOX = { left: 68, top: 84, right: 936, bottom: 484 };
/** Points of a line: as many as the picture has places for. */
const MOST_POINTS = 900;

export interface LossPictureOptions {
  readonly words: Words;
  readonly title: string;
  readonly palette?: Palette;
}

type Point = readonly [number, number];

/** Draws `data` as `look` says. */
export function lossPicture(
  data: LossData,
  look: LossLook,
  { words, title, palette = LIGHT }: LossPictureOptions,
): SVGSVGElement {
  const { t } = words;
  const [low, high] = stepRange(data, look);
  const part = { from: Math.max(1, low), to: high, smoothing: look.smoothing };
  const points = (steps: number[], values: (number | null)[], factor: number): Point[] =>
    steps.flatMap((step, index): Point[] => {
      const value = values[index] ?? null;
      const inside = step >= low && step <= high && value !== null && Number.isFinite(factor);
      return inside ? [[step, value * factor]] : [];
    });
  const columns = data.history.columns(MOST_POINTS, part);
  const factor = unitFactor(look, data.tokensPerCharacter.train);
  const raw = points(columns.steps, columns.losses, factor);
  const smooth = points(columns.steps, columns.smoothed, factor);
  const heldOut = unitFactor(look, data.tokensPerCharacter.validation);
  const validation = points(columns.steps, columns.validation, heldOut);
  const others = data.lines
    .filter((line) => line.shown)
    .map((line) => {
      const own = line.history.columns(MOST_POINTS, part);
      const scale = unitFactor(look, line.tokensPerCharacter.train);
      return { line, points: points(own.steps, own.smoothed, scale) };
    });
  const random = data.randomLoss * factor;
  const all = [raw, smooth, validation, ...others.map((other) => other.points)].flat();
  const values = all.map(([, value]) => value);
  if (look.window === null) values.push(random);
  const [bottom, top] = lossRange(values, look);

  const place = (value: number, from: number, to: number, log: boolean): number =>
    log
      ? (Math.log(value) - Math.log(from)) / (Math.log(to) - Math.log(from))
      : (value - from) / (to - from);
  const x = (step: number): number =>
    BOX.left + place(step, low, high, look.logSteps) * (BOX.right - BOX.left);
  const y = (value: number): number =>
    BOX.bottom - place(value, bottom, top, look.logLoss) * (BOX.bottom - BOX.top);
  const round = (value: number): string => String(Math.round(value * 100) / 100);

  const text = (
    content: string,
    left: number,
    at: number,
    attributes: Record<string, string | number> = {},
  ): SVGTextElement =>
    svg('text', { x: round(left), y: round(at), fill: palette.muted, ...attributes }, content);
  const line = (all: readonly Point[], attributes: Record<string, string | number>): SVGElement => {
    const path = all.map(([step, value]) => `${round(x(step))} ${round(y(value))}`).join('L');
    return svg('path', { d: path === '' ? '' : `M${path}`, fill: 'none', ...attributes });
  };

  const grid = svg('g', { stroke: palette.grid, 'stroke-width': 1 });
  const labels = svg('g', { 'font-size': 13 });
  const xTicks = look.logSteps ? logTicks(low, high, 10) : linearTicks(low, high, 10);
  const yTicks = look.logLoss ? logTicks(bottom, top, 8) : linearTicks(bottom, top, 8);
  const [xDigits, yDigits] = [tickDigits(xTicks), tickDigits(yTicks)];
  for (const tick of xTicks) {
    grid.append(svg('path', { d: `M${round(x(tick))} ${String(BOX.top)}V${String(BOX.bottom)}` }));
    const label = words.number(tick, xDigits);
    labels.append(text(label, x(tick), BOX.bottom + 20, { 'text-anchor': 'middle' }));
  }
  for (const tick of yTicks) {
    grid.append(svg('path', { d: `M${String(BOX.left)} ${round(y(tick))}H${String(BOX.right)}` }));
    const label = words.number(tick, yDigits);
    labels.append(text(label, BOX.left - 8, y(tick) + 4, { 'text-anchor': 'end' }));
  }
  const unit = t(look.unit === 'nats' ? 'loss.axis.loss' : 'loss.axis.bits');
  labels.append(
    text(t('loss.axis.steps'), (BOX.left + BOX.right) / 2, BOX.bottom + 44, {
      'text-anchor': 'middle',
    }),
    svg(
      'text',
      {
        transform: `translate(20 ${String((BOX.top + BOX.bottom) / 2)}) rotate(-90)`,
        'text-anchor': 'middle',
        fill: palette.muted,
      },
      unit,
    ),
  );

  const curves = svg('g', { 'stroke-linejoin': 'round' });
  if (random >= bottom && random <= top) {
    const d = `M${String(BOX.left)} ${round(y(random))}H${String(BOX.right)}`;
    curves.append(
      svg('path', { d, stroke: palette.muted, 'stroke-dasharray': '2 4', fill: 'none' }),
    );
  }
  const dots = raw.map(([step, value]) => `M${round(x(step))} ${round(y(value))}h0`).join('');
  curves.append(
    svg('path', {
      d: dots,
      stroke: palette.accent,
      'stroke-opacity': 0.25,
      'stroke-width': 2.5,
      'stroke-linecap': 'round',
      fill: 'none',
    }),
  );
  const main = { stroke: palette.accent, 'stroke-width': 2.25 };
  curves.append(line(smooth, main));
  const held = { stroke: palette.amber, 'stroke-width': 1.75, 'stroke-dasharray': '5 3' };
  if (validation.length > 0) {
    curves.append(line(validation, held));
    for (const [step, value] of validation) {
      curves.append(
        svg('circle', { cx: round(x(step)), cy: round(y(value)), r: 2.5, fill: palette.amber }),
      );
    }
  }
  const keys: [string, Record<string, string | number>][] = [];
  for (const other of others) {
    const { dash, colour } = lineStyle(other.line.id);
    const stroke = {
      stroke: palette.lines[colour - 1] ?? palette.muted,
      'stroke-width': 1.5,
      'stroke-dasharray': dash.join(' '),
    };
    curves.append(line(other.points, stroke));
    keys.push([other.line.name, stroke]);
  }
  keys.unshift([t('loss.smoothed'), main]);
  if (validation.length > 0) keys.push([t('loss.validation'), held]);
  keys.push([t('loss.random'), { stroke: palette.muted, 'stroke-dasharray': '2 4' }]);

  const key = svg('g', { 'font-size': 13 });
  let left = BOX.left;
  for (const [name, stroke] of keys) {
    // Chinese letters are twice as wide; the exact width is known only where it is shown.
    const width = Array.from(name).reduce((sum, c) => sum + (c > '⺀' ? 13.5 : 7.2), 0) + 48;
    if (left + width > WIDTH) break;
    const d = `M${round(left)} 60h24`;
    key.append(svg('path', { d, fill: 'none', ...stroke }), text(name, left + 30, 64));
    left += width;
  }

  return svg(
    'svg',
    {
      viewBox: `0 0 ${String(WIDTH)} ${String(HEIGHT)}`,
      width: WIDTH,
      height: HEIGHT,
      role: 'img',
      'font-family': PICTURE_FONT,
    },
    svg('title', {}, title),
    svg('rect', { width: WIDTH, height: HEIGHT, fill: palette.paper }),
    text(title, BOX.left, 32, { 'font-size': 20, 'font-weight': 600, fill: palette.ink }),
    key,
    grid,
    labels,
    curves,
  );
}
