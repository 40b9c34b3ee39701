/**
 * What every picture that leaves the page has around it: white paper, a title and a line below it.
 */
import { svg } from './dom.ts';
import { LIGHT, PICTURE_FONT } from './palette.ts';

export const PICTURE_WIDTH = 720;
export const PICTURE_MARGIN = 16;
/** The fonts of tokens in pictures. */
export const PICTURE_MONO = 'ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace';

export interface PictureFrameOptions {
  readonly title: string;
  /** How to read it. */
  readonly note: string;
  readonly height: number;
}

/** An SVG of its own around `children`, which begin below the title. */
export function pictureFrame(
  { title, note, height }: PictureFrameOptions,
  ...children: readonly SVGElement[]
): SVGSVGElement {
  const tall = pictureNumber(height);
  return svg(
    'svg',
    {
      viewBox: `0 0 ${String(PICTURE_WIDTH)} ${tall}`,
      width: PICTURE_WIDTH,
      height: Math.ceil(height),
      role: 'img',
      'font-family': PICTURE_FONT,
    },
    svg('title', {}, title),
    svg('rect', { width: PICTURE_WIDTH, height: tall, fill: LIGHT.paper }),
    svg(
      'text',
      { x: PICTURE_MARGIN, y: 30, 'font-size': 19, 'font-weight': 600, fill: LIGHT.ink },
      title,
    ),
    svg('text', { x: PICTURE_MARGIN, y: 49, 'font-size': 13, fill: LIGHT.muted }, note),
    ...children,
  );
}

/** A length with two decimals at most: more only make files longer. */
export function pictureNumber(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** A line of text in the colour of what is said aside. */
export function pictureText(
  text: string,
  attributes: Readonly<Record<string, string | number>>,
): SVGTextElement {
  return svg('text', { 'font-size': 12, fill: LIGHT.muted, ...attributes }, text);
}
