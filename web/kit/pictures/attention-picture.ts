/**
 * Attention as pictures that leave the page: a head as an SVG with its tokens, and as a tiny image.
 */
import { fileName } from '../../base/file-name.ts';
import type { Words } from '../../i18n/index.ts';
import { headWeights } from '../../data/attention-data.ts';
import type { AttentionData, HeadPlace } from '../../data/attention-data.ts';
import { textOf } from '../../data/byte-groups.ts';
import {
  colourScale,
  cssColour,
  placeOfWeight,
  shade,
  WEIGHT_TICKS,
  weightAt,
} from '../weight-colour.ts';
import { el, svg } from '../dom.ts';
import { LIGHT } from '../palette.ts';
import { textWidth } from '../picture-key.ts';
import {
  PICTURE_MARGIN,
  PICTURE_WIDTH,
  pictureFrame,
  pictureNumber,
  pictureText,
} from '../picture-frame.ts';
import { axisMarks, characterMarks, marksWithRoom } from '../row-labels.ts';
import type { AxisMark } from '../row-labels.ts';

/** Where the map's own room begins: below title, note and text. */
const TITLE = 76;
const MARGIN = 64;
/** The bar of the scale: its room, its height, its width and how many shades it is drawn with. */
const SCALE = { room: 48, height: 10, width: 320, shades: 64 };
/** Letters of the text that fit into a line. */
const LINE = 60;

/** The map of one head: each row looks at its columns. */
export function attentionPicture(
  data: AttentionData,
  place: HeadPlace,
  words: Words,
): SVGSVGElement {
  const { t } = words;
  const weights = headWeights(data, place);
  const size = data.tokens.length;
  const scale = colourScale(false);
  const font = Math.max(6, Math.min(15, ((PICTURE_WIDTH - 2 * MARGIN) / size) * 0.72));
  // As on the page: what the tokens are nearest the cells, and beyond that the characters of bytes.
  const [near, far] = [axisMarks(data.tokens, false), characterMarks(data.tokens)];
  const widest = (marks: readonly AxisMark[]): number =>
    Math.max(0, ...marks.map(({ label }) => textWidth(label))) * (font / 13);
  const beyond = widest(near) + 18;
  const margin = Math.max(MARGIN, Math.ceil(beyond + widest(far)));
  const cell = (PICTURE_WIDTH - margin - 12) / size;
  const round = pictureNumber;
  const where = (index: number): number => index * cell;
  const cells = svg('g', { transform: `translate(${String(margin)} ${String(TITLE + margin)})` });
  const labels = svg('g', { 'font-size': round(font), fill: LIGHT.muted });
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      cells.append(
        svg('rect', {
          x: round(where(column)),
          y: round(where(row)),
          width: round(cell * 0.95),
          height: round(cell * 0.95),
          fill: cssColour(scale, weights[row * size + column] ?? 0),
        }),
      );
    }
  }
  const name = ({ label, start, end }: AxisMark, gap: number): void => {
    const centre = margin + where((start + end) / 2);
    const y = TITLE + centre + font * 0.35;
    const room = (end - start) * cell;
    labels.append(
      svg('text', { x: round(margin - gap), y: round(y), 'text-anchor': 'end' }, label),
      columnLabel(label, { x: centre, y: TITLE + margin - gap, font, room }),
    );
  };
  for (const mark of near) name(mark, 6);
  const bracket = margin - beyond + 4;
  for (const mark of far) {
    name(mark, beyond);
    const from = margin + where(mark.start) + 1;
    const length = round((mark.end - mark.start) * cell - 2.5);
    const line = { fill: LIGHT.muted, opacity: 0.6 };
    labels.append(
      svg('rect', { x: bracket, y: round(TITLE + from), width: 0.75, height: length, ...line }),
      svg('rect', { x: round(from), y: TITLE + bracket, width: length, height: 0.75, ...line }),
    );
  }
  const title = pictureTitle(data, place, words);
  const below = TITLE + margin + cell * size + 12;
  const text = Array.from(textOf(data.tokens).replace(/\s+/g, ' '));
  const line = text.length > LINE ? `${text.slice(0, LINE).join('')}…` : text.join('');
  return pictureFrame(
    { title, note: t('picture.attention.axes'), height: below + SCALE.room },
    pictureText(t('token.text', { text: line }), { x: PICTURE_MARGIN, y: 69, 'font-size': 13 }),
    labels,
    cells,
    weightScale(words, below + 4),
  );
}

/** The name of a column `room` wide: only what is longer than that stands on end. */
export function columnLabel(
  label: string,
  { x, y, font, room }: { x: number; y: number; font: number; room: number },
): SVGElement {
  const isShort = Array.from(label).length === 1 || (textWidth(label) * font) / 13 < room * 0.8;
  return svg(
    'text',
    isShort
      ? { x: pictureNumber(x), y: pictureNumber(y), 'text-anchor': 'middle' }
      : {
          transform: `translate(${pictureNumber(x + font * 0.35)} ${pictureNumber(y)}) rotate(-90)`,
        },
    label,
  );
}

/** What the colours mean, at `y`. */
function weightScale(words: Words, y: number): SVGElement {
  const { width, height, shades } = SCALE;
  const colours = colourScale(false);
  const bar = Array.from({ length: shades }, (_, index) =>
    svg('rect', {
      x: pictureNumber(MARGIN + (index * width) / shades),
      y: pictureNumber(y),
      // A hair more, so that no paper shows between two of them.
      width: pictureNumber(width / shades + 0.3),
      height,
      fill: cssColour(colours, weightAt((index + 0.5) / shades)),
    }),
  );
  const ticks = WEIGHT_TICKS.map((weight) =>
    pictureText(words.short(weight), {
      x: pictureNumber(MARGIN + placeOfWeight(weight) * width),
      y: pictureNumber(y + height + 14),
      'text-anchor': 'middle',
    }),
  );
  const name = pictureText(words.t('attention.scale'), {
    x: MARGIN + width + 16,
    y: pictureNumber(y + height),
  });
  return svg('g', {}, ...bar, ...ticks, name);
}

/** The name of a file that shows a head, without its ending. */
export function headFileName(
  what: string,
  { layer, head }: HeadPlace,
  attention: AttentionData | null,
  run: string,
): string {
  const place = `layer-${String(layer + 1)}-head-${String(head + 1)}`;
  return fileName(`${what}-${place}`, run, attention?.step ?? 0);
}

/** The name of a head with its step. */
export function pictureTitle(
  data: AttentionData,
  { layer, head }: HeadPlace,
  words: Words,
): string {
  const step = words.number(data.step);
  return words.t('picture.attention', { layer: layer + 1, head: head + 1, step });
}

/** The frame around a small map, in units of its drawing: the map fills what the letters leave. */
export const HEAD_FRAME = { side: 256, margin: 32 };

/**
 * The tokens at the rows and columns of a small map: the same for all heads. Where cells are
 * smaller than letters, bytes are named by the character that they are together, and else every
 * second or third must do.
 */
export function headLetters({ tokens }: AttentionData): SVGElement {
  const { side, margin } = HEAD_FRAME;
  const cell = (side - margin) / tokens.length;
  const font = Math.max(8, Math.min(14, cell * 0.8));
  const every = Math.max(1, Math.ceil(9 / cell));
  const letters = svg('g', { 'font-size': pictureNumber(font) });
  const marks = axisMarks(tokens, every > 1);
  for (const { label, start, end } of marksWithRoom(marks, every)) {
    const centre = margin + ((start + end) / 2) * cell;
    const across = pictureNumber(centre + font * 0.35);
    letters.append(
      svg('text', { x: margin - 4, y: across, 'text-anchor': 'end' }, label),
      columnLabel(label, { x: centre, y: margin - 5, font, room: every * cell }),
    );
  }
  return letters;
}

/** The scale of weights as an image, as a `data:` address, for light paper or dark. */
export function scaleImage(dark: boolean): string {
  const scale = colourScale(dark);
  const canvas = el('canvas', { width: scale.length / 4, height: 1 });
  const context = canvas.getContext('2d');
  if (context === null) return '';
  const image = context.createImageData(scale.length / 4, 1);
  image.data.set(scale);
  context.putImageData(image, 0, 0);
  return canvas.toDataURL('image/png');
}

/** One head as an image of one pixel a weight, as a `data:` address, for light paper or dark. */
export function headImage(data: AttentionData, place: HeadPlace, dark: boolean): string {
  const size = data.tokens.length;
  const canvas = el('canvas', { width: size, height: size });
  const context = canvas.getContext('2d');
  if (context === null) return '';
  const weights = headWeights(data, place);
  const scale = colourScale(dark);
  const image = context.createImageData(size, size);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      const at = row * size + column;
      const from = shade(weights[at] ?? 0) * 4;
      image.data.set(scale.subarray(from, from + 4), at * 4);
    }
  }
  context.putImageData(image, 0, 0);
  return canvas.toDataURL('image/png');
}
