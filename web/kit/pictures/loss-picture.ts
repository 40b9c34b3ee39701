/** The visible part of the loss chart as a standalone SVG with title, axes and key. */
import type { Words } from '../../i18n/index.ts';
import { dotsApart, HELD_OUT_DOT, lossesAbove, MOST_POINTS } from '../../data/loss-data.ts';
import type { LossData, LossState } from '../../data/loss-data.ts';
import { svg } from '../dom.ts';
import { LIGHT, PICTURE_FONT } from '../palette.ts';
import type { Palette } from '../palette.ts';
import { keyLines, placeKeys } from '../picture-key.ts';
import { beneathHeight, beneathPanels, topMarks } from './loss-picture-beneath.ts';
import { curvesOf, curveStyles } from './loss-picture-curves.ts';
import type { Curves, CurveStyles, Point } from './loss-picture-curves.ts';
import { lossAxis, PictureFrame, round } from './loss-picture-frame.ts';
import { drawKey, KEY_HEIGHT, keyEntries } from './loss-picture-key.ts';

/** Size of a saved picture. */
const SIZE = { width: 960, height: 540 };
/** Number of key lines that fit without making the picture higher. */
const KEY_LINES = 2;

export interface LossPictureOptions {
  readonly words: Words;
  readonly title: string;
  readonly palette?: Palette;
  /** Size in pixels. A long key makes the picture higher, so that the curves keep their space. */
  readonly size?: { readonly width: number; readonly height: number };
  /** Whether the title is drawn above the picture; it is the accessible name in any case. */
  readonly heading?: boolean;
  /** Approximate number of points per curve; MOST_POINTS by default. */
  readonly most?: number;
  /** Name of the run's curve; made from the run's name and the smoothing by default. */
  readonly name?: string;
  /**
   * Whether every run has a dashed validation curve in its own colour; otherwise earlier runs have
   * dots.
   */
  readonly paired?: boolean;
}

/** Draws the part of `data` that `state` selects. */
export function lossPicture(
  data: LossData,
  state: LossState,
  options: LossPictureOptions,
): SVGSVGElement {
  const { words, title, palette = LIGHT, size = SIZE, heading = true, name } = options;
  const { most = MOST_POINTS, paired = false } = options;
  const { width } = size;
  const curves = curvesOf(data, state, most);
  const styles = curveStyles(curves, palette, paired);
  const axis = lossAxis(curves.losses, state, size, words);
  const { left, right } = axis;

  const entries = keyEntries(data, state, curves, styles, { words, name, paired });
  const names = entries.map((entry) => entry.name);
  // The key may use the margin beside the axis: it needs width more than alignment.
  const keys = placeKeys(names, axis.isNarrow ? width - right : left, right);
  const firstKey = heading ? 64 : 18;
  const lines = keyLines(keys);
  const above = size.height + Math.max(0, lines - KEY_LINES) * KEY_HEIGHT;
  const height = above + (state.beneath ? beneathHeight(data.history) : 0);
  const box = { left, right, top: firstKey + lines * KEY_HEIGHT, bottom: above - 56 };

  const frame = new PictureFrame(box, curves, state, palette);
  const drawn = drawCurves(frame, curves, styles, paired);
  const cut = lossesAbove(data, state, curves.losses[1]).map(({ step }) => frame.x(step));
  if (cut.length > 0) drawn.append(topMarks(cut, box.top, palette));
  if (height > above) {
    const [low, high] = curves.steps;
    const below = { left, right, top: above, low, high, x: frame.x };
    drawn.append(beneathPanels(data.history, curves, below, { words, palette }));
  }
  const headline = { 'font-size': 20, 'font-weight': 600, fill: palette.ink };
  const about = { role: 'img', 'font-family': PICTURE_FONT };
  return svg(
    'svg',
    { viewBox: `0 0 ${String(width)} ${String(height)}`, width, height, ...about },
    svg('title', {}, title),
    svg('rect', { width, height, fill: palette.paper }),
    heading ? frame.text(title, left, 32, headline) : null,
    drawKey(keys, entries, firstKey, frame.text),
    ...frame.axes(axis, width, words),
    drawn,
  );
}

function drawCurves(
  frame: PictureFrame,
  { raw, smooth, validation, random, losses }: Curves,
  styles: CurveStyles,
  paired: boolean,
): SVGGElement {
  const curves = svg('g', { 'stroke-linejoin': 'round' });
  const [bottom, top] = losses;
  if (random >= bottom && random <= top) {
    const { left, right } = frame.box;
    const d = `M${String(left)} ${round(frame.y(random))}H${String(right)}`;
    curves.append(svg('path', { d, ...styles.random, fill: 'none' }));
  }
  curves.append(svg('path', { d: frame.dots(raw), fill: 'none', ...styles.scattered }));
  for (const { points, dots, stroke, attributes, dashed } of styles.others) {
    curves.append(frame.line(points, attributes));
    const d = frame.dots(dots);
    const wide = { 'stroke-width': 2 * HELD_OUT_DOT, 'stroke-linecap': 'round' };
    if (d !== '') curves.append(svg('path', { d, fill: 'none', stroke, ...wide }));
    if (d !== '' && paired) curves.append(frame.line(dots, dashed));
  }
  curves.append(frame.line(smooth, styles.main));
  curves.append(...drawHeldOut(frame, validation, styles));
  return curves;
}

/** Draws the validation curve, with a dot per value if no two dots would touch. */
function drawHeldOut(
  frame: PictureFrame,
  validation: readonly Point[],
  { heldOut, heldOutColour: fill }: CurveStyles,
): SVGElement[] {
  const [first, last] = [validation[0], validation.at(-1)];
  if (first === undefined || last === undefined) return [];
  const width = frame.x(last[0]) - frame.x(first[0]);
  const dots = dotsApart(width, validation.length) ? validation : [];
  return [
    frame.line(validation, heldOut),
    ...dots.map(([step, value]) =>
      svg('circle', { cx: round(frame.x(step)), cy: round(frame.y(value)), r: 2.5, fill }),
    ),
  ];
}
