/** The loss chart as an SVG of its own: what is on screen, with title, axes and key. */
import type { Words } from '../../i18n/index.ts';
import { svg } from '../dom.ts';
import {
  dotsApart,
  HELD_OUT_DOT,
  lossesAbove,
  MOST_POINTS,
  lineStyle,
  lossRange,
  partOf,
  randomKey,
  stepRange,
  unitFactor,
  unitKey,
} from '../../data/loss-data.ts';
import type { LossData, LossLook } from '../../data/loss-data.ts';
import { beneathHeight, beneathPanels, topMarks } from './loss-picture-beneath.ts';
import { LIGHT, PICTURE_FONT } from '../palette.ts';
import type { Palette } from '../palette.ts';
import { keyLines, nameLeft, placeKeys, textWidth } from '../picture-key.ts';
import { axisTicks, minorTicks, tickDigits } from '../ticks.ts';

/** The size of a picture that is saved. */
const SIZE = { width: 960, height: 540 };
/** Pictures narrower than this have no room to spare at their sides. */
const NARROW = 600;
/** Between the name of the vertical axis, its numbers, and the axis. */
const AXIS_GAP = 8;
/** How far letters reach below their line, at 13 pixels. */
const DESCENT = 4;
const KEY_HEIGHT = 20;
/** Lines of the key that there is room for; further ones make the picture higher. */
const KEY_LINES = 2;

export interface LossPictureOptions {
  readonly words: Words;
  readonly title: string;
  readonly palette?: Palette;
  /**
   * In pixels, for which letters are made large enough to be read. The picture becomes higher where
   * its key is long, so that the curves keep their room.
   */
  readonly size?: { readonly width: number; readonly height: number };
  /** Whether the title is written above the picture; it is its name anyway. */
  readonly heading?: boolean;
  /** Points of a curve; as many as the page draws unless said otherwise. */
  readonly most?: number;
  /**
   * What the curve of the run is called; by the run and whether it is smoothed unless said
   * otherwise.
   */
  readonly name?: string;
  /**
   * Whether every run has a validation curve, dashed and in the colour of its training curve;
   * otherwise those of earlier runs are dots.
   */
  readonly paired?: boolean;
}

type Point = readonly [number, number];
type Attributes = Readonly<Record<string, string | number>>;

/**
 * A line of the key: what stands before the name, as a path from its left end, is a line unless
 * said.
 */
interface KeyEntry {
  readonly name: string;
  readonly attributes: Attributes;
  readonly swatch?: string;
}

const LINE = 'h24';
const DOTS = 'm2 0h0m10 -3h0m10 6h0';

/** Draws `data` as `look` says. */
export function lossPicture(
  data: LossData,
  look: LossLook,
  {
    words,
    title,
    palette = LIGHT,
    size = SIZE,
    heading = true,
    most = MOST_POINTS,
    name,
    paired = false,
  }: LossPictureOptions,
): SVGSVGElement {
  const { t } = words;
  const { width } = size;
  const narrow = width < NARROW;
  const [low, high] = stepRange(data, look);
  const part = partOf(look, [low, high]);
  const points = (steps: number[], values: (number | null)[], factor: number): Point[] =>
    steps.flatMap((step, index): Point[] => {
      const value = values[index] ?? null;
      const inside = step >= low && step <= high && value !== null && Number.isFinite(factor);
      return inside ? [[step, value * factor]] : [];
    });
  const columns = data.history.columns(most, part);
  const factor = unitFactor(look, data.tokensPerCharacter.train);
  const raw = points(columns.steps, columns.losses, factor);
  const smooth = points(columns.steps, columns.smoothed, factor);
  const heldOut = unitFactor(look, data.tokensPerCharacter.validation);
  const validation = points(columns.steps, columns.validation, heldOut);
  const others = data.lines
    .filter((line) => line.shown)
    .map((line) => {
      const own = line.history.columns(most, part);
      const scale = unitFactor(look, line.tokensPerCharacter.train);
      const heldOut = unitFactor(look, line.tokensPerCharacter.validation);
      const dots = points(own.steps, own.validation, heldOut);
      return { line, dots, points: points(own.steps, own.smoothed, scale) };
    });
  const random = data.randomLoss * factor;
  const all = [
    raw,
    smooth,
    validation,
    ...others.map((other) => [...other.points, ...other.dots]),
  ].flat();
  const values = all.map(([, value]) => value);
  if (look.window === null) values.push(random);
  const [bottom, top] = lossRange(values, look);

  const yTicks = axisTicks(bottom, top, size.height / 65, look.logLoss);
  const yDigits = tickDigits(yTicks);
  const widest = Math.max(0, ...yTicks.map((tick) => textWidth(words.number(tick, yDigits))));
  // Where the name of the vertical axis stands on end; its numbers keep clear of it.
  const unitLine = narrow ? 13 : 20;
  const leftmost = unitLine + DESCENT + AXIS_GAP + widest + AXIS_GAP;
  const sides = narrow
    ? { left: Math.max(52, leftmost), right: width - 12 }
    : { left: Math.max(68, leftmost), right: width - 24 };

  const main = { stroke: palette.accent, 'stroke-width': 2.25 };
  const heldColour = paired ? palette.accent : palette.amber;
  const held = { stroke: heldColour, 'stroke-width': 1.75, 'stroke-dasharray': '5 3' };
  const styled = others.map(({ line, dots, points }) => {
    const { dash, colour } = lineStyle(line.id);
    const stroke = palette.lines[colour - 1] ?? palette.muted;
    const dashed = { stroke, 'stroke-width': 1.5, 'stroke-dasharray': dash.join(' ') };
    const attributes = paired ? { stroke, 'stroke-width': 1.5 } : dashed;
    return { name: line.name, dots, points, stroke, attributes, dashed };
  });
  const dotted = {
    stroke: palette.accent,
    'stroke-opacity': 0.25,
    'stroke-width': 2.5,
    'stroke-linecap': 'round',
  };
  // Without smoothing the curve itself goes through them.
  const scattered = look.smoothing > 0 && raw.length > 0;
  const curve = t(look.smoothing === 0 ? 'loss.train' : 'loss.smoothed');
  const run = data.name();
  const ours = name ?? (run === '' ? curve : t('loss.key', { name: run, curve }));
  const heldOutKey = (of: string): string =>
    paired ? `${of} · ${t('loss.validation')}` : t('loss.validation');
  const entries: KeyEntry[] = [
    { name: ours, attributes: main },
    ...(scattered ? [{ name: t('loss.train'), attributes: dotted, swatch: DOTS }] : []),
    ...(validation.length > 0 ? [{ name: heldOutKey(ours), attributes: held }] : []),
    ...styled.flatMap((other): KeyEntry[] => {
      if (!paired || other.dots.length === 0) return [other];
      return [other, { name: heldOutKey(other.name), attributes: other.dashed }];
    }),
    {
      name: t(randomKey(look.unit)),
      attributes: { stroke: palette.muted, 'stroke-dasharray': '2 4' },
    },
  ];
  const names = entries.map((entry) => entry.name);
  // Words need the room beside the axis more than they need to stand above the curves.
  const keys = placeKeys(names, narrow ? width - sides.right : sides.left, sides.right);
  const firstKey = heading ? 64 : 18;
  const lines = keyLines(keys);
  const above = size.height + Math.max(0, lines - KEY_LINES) * KEY_HEIGHT;
  const height = above + (look.beneath ? beneathHeight(data.history) : 0);
  const box = { ...sides, top: firstKey + lines * KEY_HEIGHT, bottom: above - 56 };

  const place = (value: number, from: number, to: number, log: boolean): number =>
    log
      ? (Math.log(value) - Math.log(from)) / (Math.log(to) - Math.log(from))
      : (value - from) / (to - from);
  const x = (step: number): number =>
    box.left + place(step, low, high, look.logSteps) * (box.right - box.left);
  const y = (value: number): number =>
    box.bottom - place(value, bottom, top, look.logLoss) * (box.bottom - box.top);
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
  const xTicks = axisTicks(low, high, Math.min(width / 90, high - low), look.logSteps);
  const xDigits = tickDigits(xTicks);
  for (const tick of xTicks) {
    grid.append(svg('path', { d: `M${round(x(tick))} ${String(box.top)}V${String(box.bottom)}` }));
    const label = words.number(tick, xDigits);
    // The last one would stick out.
    const middle = Math.min(x(tick), width - textWidth(label) / 2 - 2);
    labels.append(text(label, middle, box.bottom + 20, { 'text-anchor': 'middle' }));
  }
  for (const tick of yTicks) {
    grid.append(svg('path', { d: `M${String(box.left)} ${round(y(tick))}H${String(box.right)}` }));
    const label = words.number(tick, yDigits);
    labels.append(text(label, box.left - AXIS_GAP, y(tick) + 4, { 'text-anchor': 'end' }));
  }
  // Short marks between the named values, where an axis is logarithmic.
  const xMarks = look.logSteps ? minorTicks(low, high) : [];
  const yMarks = look.logLoss ? minorTicks(bottom, top) : [];
  const marks = [
    ...xMarks.map((tick) => `M${round(x(tick))} ${String(box.bottom)}v-4`),
    ...yMarks.map((tick) => `M${String(box.left)} ${round(y(tick))}h4`),
  ].join('');
  if (marks !== '') grid.append(svg('path', { d: marks, stroke: palette.muted, class: 'minor' }));
  const unit = t(unitKey(look.unit));
  labels.append(
    text(t('loss.axis.steps'), (box.left + box.right) / 2, box.bottom + 44, {
      'text-anchor': 'middle',
    }),
    svg(
      'text',
      {
        transform: `translate(${String(unitLine)} ${String((box.top + box.bottom) / 2)}) rotate(-90)`,
        'text-anchor': 'middle',
        fill: palette.muted,
      },
      unit,
    ),
  );

  const curves = svg('g', { 'stroke-linejoin': 'round' });
  if (random >= bottom && random <= top) {
    const d = `M${String(box.left)} ${round(y(random))}H${String(box.right)}`;
    curves.append(
      svg('path', { d, stroke: palette.muted, 'stroke-dasharray': '2 4', fill: 'none' }),
    );
  }
  const dots = raw.map(([step, value]) => `M${round(x(step))} ${round(y(value))}h0`).join('');
  curves.append(svg('path', { d: dots, fill: 'none', ...dotted }));
  for (const other of styled) {
    curves.append(line(other.points, other.attributes));
    const { stroke } = other;
    const d = other.dots.map(([step, value]) => `M${round(x(step))} ${round(y(value))}h0`).join('');
    const wide = { 'stroke-width': 2 * HELD_OUT_DOT, 'stroke-linecap': 'round' };
    if (d !== '') curves.append(svg('path', { d, fill: 'none', stroke, ...wide }));
    if (d !== '' && paired) curves.append(line(other.dots, other.dashed));
  }
  curves.append(line(smooth, main));
  if (validation.length > 0) {
    curves.append(line(validation, held));
    const [first, last] = [validation[0], validation.at(-1)];
    const width = x(last?.[0] ?? 0) - x(first?.[0] ?? 0);
    for (const [step, value] of dotsApart(width, validation.length) ? validation : []) {
      curves.append(
        svg('circle', { cx: round(x(step)), cy: round(y(value)), r: 2.5, fill: heldColour }),
      );
    }
  }
  const cut = lossesAbove(data, look, top);
  if (cut.length > 0) {
    const places = cut.map(({ step }) => x(step));
    curves.append(topMarks(places, box.top, palette));
  }
  if (height > above) {
    const frame = { ...sides, top: above, low, high, x };
    curves.append(beneathPanels(data.history, { columns, part }, frame, { words, palette }));
  }

  const key = svg('g', { 'font-size': 13 });
  for (const placed of keys) {
    const at = (row: number): number => firstKey + row * KEY_HEIGHT;
    const { left, line: row, parts } = placed;
    const { swatch = LINE, attributes = {} } = entries[placed.index] ?? {};
    const d = `M${round(left)} ${String(at(row) - 4)}${swatch}`;
    key.append(
      svg('path', { d, fill: 'none', ...attributes }),
      ...parts.map((part, index) => text(part, nameLeft(placed), at(row + index))),
    );
  }

  return svg(
    'svg',
    {
      viewBox: `0 0 ${String(width)} ${String(height)}`,
      width,
      height,
      role: 'img',
      'font-family': PICTURE_FONT,
    },
    svg('title', {}, title),
    svg('rect', { width, height, fill: palette.paper }),
    ...(heading
      ? [text(title, box.left, 32, { 'font-size': 20, 'font-weight': 600, fill: palette.ink })]
      : []),
    key,
    grid,
    labels,
    curves,
  );
}
