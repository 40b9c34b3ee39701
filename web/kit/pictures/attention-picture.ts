/** Attention as pictures outside the page: one head as SVG with its tokens, and as a tiny image. */
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
import { LIGHT, PICTURE_FONT } from '../palette.ts';
import { textWidth } from '../picture-key.ts';
import { axisMarks, characterMarks, marksThatFit } from '../row-labels.ts';
import type { AxisMark } from '../row-labels.ts';

/** Width of the picture, and left edge of its text. */
const WIDTH = 720;
const PAPER_MARGIN = 16;
/** Top and left edge of the map, below title, note and text. */
const TITLE = 76;
const MARGIN = 64;
/** The colour scale: its space, bar height and width, and number of shades. */
const SCALE = { room: 48, height: 10, width: 320, shades: 64 };
/** Characters of the text shown. */
const LINE = 60;

/** The map of one head: row = query token, column = key token. */
export function attentionPicture(
  data: AttentionData,
  place: HeadPlace,
  words: Words,
): SVGSVGElement {
  const { t } = words;
  const weights = headWeights(data, place);
  const size = data.tokens.length;
  const scale = colourScale(false);
  const font = Math.max(6, Math.min(15, ((WIDTH - 2 * MARGIN) / size) * 0.72));
  // Like the page: tokens next to the cells, outside of them the characters of bytes.
  const [near, far] = [axisMarks(data.tokens, false), characterMarks(data.tokens)];
  const widest = (marks: readonly AxisMark[]): number =>
    Math.max(0, ...marks.map(({ label }) => textWidth(label))) * (font / 13);
  const beyond = widest(near) + 18;
  const margin = Math.max(MARGIN, Math.ceil(beyond + widest(far)));
  const cell = (WIDTH - margin - 12) / size;
  const where = (index: number): number => index * cell;
  const cells = svg('g', { transform: `translate(${String(margin)} ${String(TITLE + margin)})` });
  const labels = svg('g', { 'font-size': decimals(font), fill: LIGHT.muted });
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      cells.append(
        svg('rect', {
          x: decimals(where(column)),
          y: decimals(where(row)),
          width: decimals(cell * 0.95),
          height: decimals(cell * 0.95),
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
      svg('text', { x: decimals(margin - gap), y: decimals(y), 'text-anchor': 'end' }, label),
      columnLabel(label, { x: centre, y: TITLE + margin - gap, font, room }),
    );
  };
  for (const mark of near) name(mark, 6);
  const bracket = margin - beyond + 4;
  for (const mark of far) {
    name(mark, beyond);
    const from = margin + where(mark.start) + 1;
    const length = decimals((mark.end - mark.start) * cell - 2.5);
    const line = { fill: LIGHT.muted, opacity: 0.6 };
    labels.append(
      svg('rect', { x: bracket, y: decimals(TITLE + from), width: 0.75, height: length, ...line }),
      svg('rect', { x: decimals(from), y: TITLE + bracket, width: length, height: 0.75, ...line }),
    );
  }
  const title = pictureTitle(data, place, words);
  const below = TITLE + margin + cell * size + 12;
  const text = Array.from(textOf(data.tokens).replace(/\s+/g, ' '));
  const line = text.length > LINE ? `${text.slice(0, LINE).join('')}…` : text.join('');
  return onPaper(
    { title, note: t('picture.attention.axes'), height: below + SCALE.room },
    mutedText(t('token.text', { text: line }), { x: PAPER_MARGIN, y: 69, 'font-size': 13 }),
    labels,
    cells,
    weightScale(words, below + 4),
  );
}

/** An SVG on white paper with a title, a note on how to read it, and `children`. */
function onPaper(
  {
    title,
    note,
    height,
  }: { readonly title: string; readonly note: string; readonly height: number },
  ...children: readonly SVGElement[]
): SVGSVGElement {
  const tall = decimals(height);
  return svg(
    'svg',
    {
      viewBox: `0 0 ${String(WIDTH)} ${tall}`,
      width: WIDTH,
      height: Math.ceil(height),
      role: 'img',
      'font-family': PICTURE_FONT,
    },
    svg('title', {}, title),
    svg('rect', { width: WIDTH, height: tall, fill: LIGHT.paper }),
    svg(
      'text',
      { x: PAPER_MARGIN, y: 30, 'font-size': 19, 'font-weight': 600, fill: LIGHT.ink },
      title,
    ),
    svg('text', { x: PAPER_MARGIN, y: 49, 'font-size': 13, fill: LIGHT.muted }, note),
    ...children,
  );
}

/** Rounds a length to two decimals, to keep files short. */
function decimals(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** A line of secondary text. */
function mutedText(
  text: string,
  attributes: Readonly<Record<string, string | number>>,
): SVGTextElement {
  return svg('text', { 'font-size': 12, fill: LIGHT.muted, ...attributes }, text);
}

/** Label of a column `room` pixels wide; vertical only if it is too long. */
function columnLabel(
  label: string,
  { x, y, font, room }: { x: number; y: number; font: number; room: number },
): SVGElement {
  const isShort = Array.from(label).length === 1 || (textWidth(label) * font) / 13 < room * 0.8;
  return svg(
    'text',
    isShort
      ? { x: decimals(x), y: decimals(y), 'text-anchor': 'middle' }
      : {
          transform: `translate(${decimals(x + font * 0.35)} ${decimals(y)}) rotate(-90)`,
        },
    label,
  );
}

/** The colour key, at `y`. */
function weightScale(words: Words, y: number): SVGElement {
  const { width, height, shades } = SCALE;
  const colours = colourScale(false);
  const bar = Array.from({ length: shades }, (_, index) =>
    svg('rect', {
      x: decimals(MARGIN + (index * width) / shades),
      y: decimals(y),
      // A little wider, so that no paper shows between two shades.
      width: decimals(width / shades + 0.3),
      height,
      fill: cssColour(colours, weightAt((index + 0.5) / shades)),
    }),
  );
  const ticks = WEIGHT_TICKS.map((weight) =>
    mutedText(words.short(weight), {
      x: decimals(MARGIN + placeOfWeight(weight) * width),
      y: decimals(y + height + 14),
      'text-anchor': 'middle',
    }),
  );
  const name = mutedText(words.t('attention.scale'), {
    x: MARGIN + width + 16,
    y: decimals(y + height),
  });
  return svg('g', {}, ...bar, ...ticks, name);
}

/** File name of a picture of a head, without extension. */
export function headFileName(
  what: string,
  { layer, head }: HeadPlace,
  attention: AttentionData | null,
  run: string,
): string {
  const place = `layer-${String(layer + 1)}-head-${String(head + 1)}`;
  return fileName(`${what}-${place}`, run, attention?.step ?? 0);
}

/** Title of a picture: the head and its step. */
export function pictureTitle(
  data: AttentionData,
  { layer, head }: HeadPlace,
  words: Words,
): string {
  const step = words.number(data.step);
  return words.t('picture.attention', { layer: layer + 1, head: head + 1, step });
}

/** Size of a small map, and its margin for labels, in drawing units. */
export const HEAD_FRAME = { side: 256, margin: 32 };

/**
 * Token labels of a small map, the same for all heads. If cells are smaller than letters, bytes are
 * labelled by their character, and otherwise only every n-th token.
 */
export function headLetters({ tokens }: AttentionData): SVGElement {
  const { side, margin } = HEAD_FRAME;
  const cell = (side - margin) / tokens.length;
  const font = Math.max(8, Math.min(14, cell * 0.8));
  const every = Math.max(1, Math.ceil(9 / cell));
  const letters = svg('g', { 'font-size': decimals(font) });
  const marks = axisMarks(tokens, every > 1);
  for (const { label, start, end } of marksThatFit(marks, every)) {
    const centre = margin + ((start + end) / 2) * cell;
    const across = decimals(centre + font * 0.35);
    letters.append(
      svg('text', { x: margin - 4, y: across, 'text-anchor': 'end' }, label),
      columnLabel(label, { x: centre, y: margin - 5, font, room: every * cell }),
    );
  }
  return letters;
}

/** The scale of weights as a `data:` URL of an image, for light or dark paper. */
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

/** One head as a `data:` URL of an image with one pixel per weight, for light or dark paper. */
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
