/** Attention in the report of a run: heads as tiny images, with token labels and colour scale. */
import type { Words } from '../../i18n/index.ts';
import type { AttentionData, HeadPlace } from '../../data/attention-data.ts';
import { el, svg } from '../dom.ts';
import { drawHead } from '../head-canvas.ts';
import { textWidth } from '../picture-key.ts';
import { axisMarks, marksThatFit } from '../row-labels.ts';
import { colourScale } from '../weight-colour.ts';

/** Rounds a length to two decimals, to keep files short. */
function decimals(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** A column label; rotated if longer than `room`. */
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

/** The name of a head with its step. */
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
  drawHead(canvas, data, place, dark);
  return canvas.toDataURL('image/png');
}
