/** Attention as pictures that leave the page: a head as an SVG with its tokens, and as a tiny image. */
import { fileName } from './download.ts';
import type { Words } from '../i18n/index.ts';
import { axisLabel, headWeights } from './attention-data.ts';
import type { AttentionData, HeadPlace } from './attention-data.ts';
import { colourScale, cssColour, shade } from './colour-scale.ts';
import { el, svg } from './dom.ts';
import { LIGHT } from './palette.ts';
import { PICTURE_WIDTH, pictureFrame, pictureNumber } from './picture-frame.ts';

const TITLE = 56;
const MARGIN = 64;

/** The map of one head: each row looks at its columns. */
export function attentionPicture(
  data: AttentionData,
  place: HeadPlace,
  words: Words,
): SVGSVGElement {
  const { t } = words;
  const weights = headWeights(data, place);
  const size = data.tokens.length;
  const cell = (PICTURE_WIDTH - MARGIN - 12) / size;
  const scale = colourScale(false);
  const font = Math.max(6, Math.min(15, cell * 0.72));
  const round = pictureNumber;
  const where = (index: number): number => index * cell;
  const cells = svg('g', { transform: `translate(${String(MARGIN)} ${String(TITLE + MARGIN)})` });
  const labels = svg('g', { 'font-size': round(font), fill: LIGHT.muted });
  for (const [row, token] of data.tokens.entries()) {
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
    const centre = where(row) + cell / 2;
    const label = axisLabel(token);
    const across = MARGIN + centre;
    const above = TITLE + MARGIN - 6;
    labels.append(
      svg(
        'text',
        {
          x: MARGIN - 6,
          y: round(TITLE + MARGIN + centre + font * 0.35),
          'text-anchor': 'end',
        },
        label,
      ),
      svg(
        'text',
        { transform: `translate(${round(across + font * 0.35)} ${String(above)}) rotate(-90)` },
        label,
      ),
    );
  }
  const title = pictureTitle(data, place, words);
  const height = TITLE + MARGIN + cell * size + 12;
  return pictureFrame({ title, note: t('picture.attention.axes'), height }, labels, cells);
}

/** The name of a file that shows a head, without its ending. */
export function headFileName(
  what: string,
  { layer, head }: HeadPlace,
  attention: AttentionData | null,
): string {
  const place = `layer-${String(layer + 1)}-head-${String(head + 1)}`;
  return fileName(`${what}-${place}`, attention?.step ?? 0);
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

/** The tokens at the rows and columns of a small map: the same for all heads. */
export function headLetters({ tokens }: AttentionData): SVGElement {
  const { side, margin } = HEAD_FRAME;
  const cell = (side - margin) / tokens.length;
  const font = Math.max(8, Math.min(14, cell * 0.8));
  // Where cells are smaller than letters, every second or third must do.
  const every = Math.max(1, Math.ceil(9 / cell));
  const letters = svg('g', { 'font-size': pictureNumber(font) });
  for (const [index, token] of tokens.entries()) {
    if (index % every !== 0) continue;
    const centre = margin + (index + 0.5) * cell;
    const label = axisLabel(token);
    const across = pictureNumber(centre + font * 0.35);
    letters.append(
      svg('text', { x: margin - 4, y: across, 'text-anchor': 'end' }, label),
      svg(
        'text',
        Array.from(label).length > 1
          ? { transform: `translate(${across} ${String(margin - 4)}) rotate(-90)` }
          : { x: pictureNumber(centre), y: margin - 5, 'text-anchor': 'middle' },
        label,
      ),
    );
  }
  return letters;
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
