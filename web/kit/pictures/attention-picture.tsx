/** Heads in the report of a run, as tiny images. */
import type { Words } from '../../i18n/index.ts';
import type { AttentionData, HeadPlace } from '../../data/attention-data.ts';
import { el } from '../dom.ts';
import { drawHead } from '../head-canvas.ts';

/** The name of a head with its step. */
export function pictureTitle(
  data: AttentionData,
  { layer, head }: HeadPlace,
  words: Words,
): string {
  const step = words.number(data.step);
  return words.t('picture.attention', { layer: layer + 1, head: head + 1, step });
}

/** An image in the reader's colour scheme; `source` returns a `data:` URL for each scheme. */
export function ThemedImage(props: {
  readonly source: (isDark: boolean) => string;
  readonly alt: string;
}) {
  return (
    <picture>
      <source media="(prefers-color-scheme: dark)" srcset={props.source(true)} />
      <img src={props.source(false)} alt={props.alt} />
    </picture>
  );
}

/** One head as a `data:` URL of an image with one pixel per weight, for light or dark paper. */
export function headImage(data: AttentionData, place: HeadPlace, dark: boolean): string {
  const size = data.tokens.length;
  const canvas = el('canvas', { width: size, height: size });
  drawHead(canvas, data, place, dark);
  return canvas.toDataURL('image/png');
}
