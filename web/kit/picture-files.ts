/** Makes files from drawings. */
import { withControlSigns } from '../data/attention-data.ts';
import { el } from './dom.ts';
import { canvasFile } from './export-picture.ts';

/** Scale of a PNG relative to the drawing. */
const PNG_SCALE = 2;

/** An SVG file of `picture`. */
export function svgFile(picture: SVGSVGElement): Blob {
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n${svgText(picture)}\n`;
  return new Blob([text], { type: 'image/svg+xml' });
}

/** Characters that XML cannot contain, not even escaped (XML 1.0, section 2.2). */
const NOT_IN_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
/** Serializes `picture`; the browser escapes its texts. */
export function svgText(picture: SVGSVGElement): string {
  const text = new XMLSerializer().serializeToString(picture);
  return withControlSigns(text).replaceAll(NOT_IN_XML, '\uFFFD');
}

/** A PNG file of `picture` at PNG_SCALE. */
export async function pngFile(picture: SVGSVGElement): Promise<Blob> {
  const image = new Image();
  const url = URL.createObjectURL(svgFile(picture));
  try {
    image.src = url;
    await image.decode();
    const canvas = el('canvas', {
      width: Number(picture.getAttribute('width')) * PNG_SCALE,
      height: Number(picture.getAttribute('height')) * PNG_SCALE,
    });
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await canvasFile(canvas);
  } finally {
    URL.revokeObjectURL(url);
  }
}
