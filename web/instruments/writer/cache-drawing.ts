/** The KV cache as a picture that leaves the page. */
import type { AllWords } from '../../i18n/index.ts';
import { columnLabel } from '../../kit/pictures/attention-picture.ts';
import type { CachePictureData } from './cache-picture.ts';
import { svg } from '../../kit/dom.ts';
import { LIGHT } from '../../kit/palette.ts';
import {
  PICTURE_MARGIN,
  PICTURE_MONO,
  PICTURE_WIDTH,
  pictureFrame,
  pictureNumber,
  pictureText,
} from '../../kit/picture-frame.ts';
import { textWidth } from '../../kit/picture-key.ts';
import { axisMarks } from '../../kit/row-labels.ts';

/** Layers that are drawn; deeper models say how many more there are in the sentence with them. */
export const LAYERS = 8;
/** Contexts up to this length have a line between positions, and their tokens above them. */
export const SEPARATE = 64;

const TOP = 68;
const TOKENS = 20;
const LEFT = 84;
const TRACK = { height: 14, gap: 4 };
const LAYER = 20 + 2 * (TRACK.height + TRACK.gap) + 8;
const OLD = '#8b9084';

/** The tracks of all layers, with the tokens above them and the key below. */
export function cacheDrawing(
  data: CachePictureData,
  filled: string,
  words: AllWords,
): SVGSVGElement {
  const { t } = words;
  const { context, capacity, computed } = data;
  const cell = (PICTURE_WIDTH - LEFT - PICTURE_MARGIN) / capacity;
  const kept = context.length - computed;
  const layers = Math.min(data.layers, LAYERS);
  const x = (position: number): string => pictureNumber(LEFT + position * cell);
  const shapes: SVGElement[] = [];
  const font = Math.max(6, Math.min(13, cell * 0.9));
  const names = capacity <= SEPARATE ? axisMarks(context, true) : [];
  const longest = Math.max(0, ...names.map(({ label }) => (textWidth(label) * font) / 13));
  // Room for names that stand on end.
  const top = TOP + Math.max(TOKENS, Math.ceil(longest) + 8);
  const letters = svg('g', {
    ...{ 'font-family': PICTURE_MONO, 'font-size': pictureNumber(font), fill: LIGHT.ink },
  });
  for (const { label, start, end } of names) {
    const place = { x: LEFT + ((start + end) / 2) * cell, y: top - 6, font };
    letters.append(columnLabel(label, { ...place, room: (end - start) * cell }));
  }
  shapes.push(letters);
  /** Positions side by side, or one bar where they would be too narrow. */
  const bar = (from: number, to: number, y: number, fill: string): void => {
    const step = capacity <= SEPARATE ? 1 : Math.max(1, to - from);
    for (let at = from; at < to; at += step) {
      const width = pictureNumber(Math.max(0.5, step * cell - (step === 1 ? 1 : 0)));
      shapes.push(svg('rect', { x: x(at), y, width, height: TRACK.height, fill }));
    }
  };
  for (let layer = 0; layer < layers; layer++) {
    const y = top + layer * LAYER;
    const name = t('write.cache.layer', { layer: layer + 1 });
    shapes.push(pictureText(name, { x: PICTURE_MARGIN, y: y + 12, fill: LIGHT.ink }));
    for (const [index, key] of (['keys', 'values'] as const).entries()) {
      const at = y + 18 + index * (TRACK.height + TRACK.gap);
      shapes.push(pictureText(t(`write.cache.${key}`), { x: PICTURE_MARGIN, y: at + 11 }));
      bar(0, kept, at, OLD);
      bar(kept, context.length, at, LIGHT.accent);
      bar(context.length, capacity, at, LIGHT.grid);
    }
  }
  const below = top + layers * LAYER + 8;
  const more = data.layers > layers ? [pictureText('…', { x: PICTURE_MARGIN, y: below + 10 })] : [];
  const key = [
    { fill: LIGHT.accent, text: t('write.cache.new', { count: words.number(computed) }) },
    { fill: OLD, text: t('write.cache.old') },
    { fill: LIGHT.grid, text: t('write.cache.free') },
  ].flatMap(({ fill, text }, index) => [
    svg('rect', { x: LEFT + index * 210, y: below, width: 12, height: 12, rx: 2, fill }),
    pictureText(text, { x: LEFT + index * 210 + 18, y: below + 11 }),
  ]);
  const frame = { title: t('write.cache'), note: filled, height: below + 12 + PICTURE_MARGIN };
  return pictureFrame(frame, ...shapes, ...more, ...key);
}
