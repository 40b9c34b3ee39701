/** The loss chart as an SVG of its own: what is on screen, with title, axes and key. */
import type { Words } from '../../i18n/index.ts';
import { svg } from '../dom.ts';
import { lossesAbove, MOST_POINTS, randomKey, unitKey } from '../../data/loss-data.ts';
import type { LossData, LossLook } from '../../data/loss-data.ts';
import { isNarrow, PictureAxes } from './loss-picture-axes.ts';
import { beneathHeight, beneathPanels, topMarks } from './loss-picture-beneath.ts';
import { drawCurves, pictureCurves, strokes } from './loss-picture-curves.ts';
import type { PictureCurves } from './loss-picture-curves.ts';
import { LIGHT, PICTURE_FONT } from '../palette.ts';
import type { Palette } from '../palette.ts';
import { keyLines, nameLeft, placeKeys } from '../picture-key.ts';
import type { PlacedKey } from '../picture-key.ts';
import { PicturePlane, pictureText, round } from './picture-plane.ts';

/** The size of a picture that is saved. */
const SIZE = { width: 960, height: 540 };
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
}

/**
 * A line of the key: what stands before the name, as a path from its left end, is a line unless
 * said.
 */
interface KeyEntry {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly swatch?: string;
}

const LINE = 'h24';
const DOTS = 'm2 0h0m10 -3h0m10 6h0';

/** Draws `data` as `look` says. */
export function lossPicture(
  data: LossData,
  look: LossLook,
  options: LossPictureOptions,
): SVGSVGElement {
  const { words, title, palette = LIGHT, size = SIZE, heading = true } = options;
  const { width } = size;
  const curves = pictureCurves(data, look, options.most ?? MOST_POINTS);
  const axes = new PictureAxes(words, size, curves.steps, curves.losses);
  const { sides } = axes;
  const entries = keyEntries(data, look, curves, { ...options, palette });
  const names = entries.map((entry) => entry.name);
  // Words need the room beside the axis more than they need to stand above the curves.
  const keys = placeKeys(names, isNarrow(width) ? width - sides.right : sides.left, sides.right);
  const firstKey = heading ? 64 : 18;
  const lines = keyLines(keys);
  const above = size.height + Math.max(0, lines - KEY_LINES) * KEY_HEIGHT;
  const height = above + (look.beneath ? beneathHeight(data.history) : 0);
  const box = { ...sides, top: firstKey + lines * KEY_HEIGHT, bottom: above - 56 };
  const plane = new PicturePlane(curves.steps, curves.losses, box);
  const drawn = drawCurves(curves, plane, palette);
  const cut = lossesAbove(data, look, curves.losses.to).map(({ step }) => plane.x(step));
  if (cut.length > 0) drawn.append(topMarks(cut, box.top, palette));
  if (height > above) {
    drawn.append(beneathPanels(data.history, curves, plane, above, { words, palette }));
  }
  const head = { fill: palette.ink, 'font-size': 20, 'font-weight': 600 };
  return svg(
    'svg',
    {
      viewBox: `0 0 ${String(width)} ${String(height)}`,
      ...{ width, height, role: 'img', 'font-family': PICTURE_FONT },
    },
    svg('title', {}, title),
    svg('rect', { width, height, fill: palette.paper }),
    ...(heading ? [pictureText(title, box.left, 32, head)] : []),
    drawKey(keys, entries, firstKey, palette),
    ...axes.draw(plane, words.t(unitKey(look.unit)), palette),
    drawn,
  );
}

function keyEntries(
  data: LossData,
  { smoothing, unit }: LossLook,
  { raw, validation, others }: PictureCurves,
  { words: { t }, palette, name }: LossPictureOptions & { readonly palette: Palette },
): KeyEntry[] {
  const style = strokes(palette);
  // Without smoothing the curve itself goes through them.
  const scattered = smoothing > 0 && raw.length > 0;
  const curve = t(smoothing === 0 ? 'loss.train' : 'loss.smoothed');
  const run = data.name();
  const called = name ?? (run === '' ? curve : t('loss.key', { name: run, curve }));
  return [
    { name: called, attributes: style.smooth },
    ...(scattered ? [{ name: t('loss.train'), attributes: style.raw, swatch: DOTS }] : []),
    ...(validation.length > 0 ? [{ name: t('loss.validation'), attributes: style.validation }] : []), // prettier-ignore
    ...others.map((other) => ({ name: other.name, attributes: style.other(other.id) })),
    { name: t(randomKey(unit)), attributes: style.random },
  ];
}

function drawKey(
  keys: readonly PlacedKey[],
  entries: readonly KeyEntry[],
  top: number,
  { muted: fill }: Palette,
): SVGGElement {
  const group = svg('g', { 'font-size': 13 });
  for (const placed of keys) {
    const at = (row: number): number => top + row * KEY_HEIGHT;
    const { left, line, parts } = placed;
    const { swatch = LINE, attributes = {} } = entries[placed.index] ?? {};
    const d = `M${round(left)} ${String(at(line) - 4)}${swatch}`;
    const lines = parts.map((part, index) =>
      pictureText(part, nameLeft(placed), at(line + index), { fill }),
    );
    group.append(svg('path', { d, fill: 'none', ...attributes }), ...lines);
  }
  return group;
}
