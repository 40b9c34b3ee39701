/**
 * Pictures as files: a drawing as real SVG, or as PNG of twice its size, for slides and papers; a
 * canvas as PNG, as it stands on the page.
 */
import type { Words } from '../i18n/index.ts';
import { withControlSigns } from '../data/attention-data.ts';
import { el, setText } from './dom.ts';
import { download } from './download.ts';

/** How much larger a PNG is than the drawing. */
const PNG_SCALE = 2;

/** An SVG file of `picture`. */
export function svgFile(picture: SVGSVGElement): Blob {
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n${svgText(picture)}\n`;
  return new Blob([text], { type: 'image/svg+xml' });
}

/**
 * Characters that XML cannot hold, not even escaped (XML 1.0, section 2.2): texts may have them.
 */
const NOT_IN_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
/** `picture` as markup; everything in it is escaped by the browser's own serializer. */
export function svgText(picture: SVGSVGElement): string {
  const text = new XMLSerializer().serializeToString(picture);
  return withControlSigns(text).replaceAll(NOT_IN_XML, '\uFFFD');
}

/** A PNG file of `picture`, drawn at twice its size. */
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

/** A PNG file of `canvas`. */
export function canvasFile(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error('the browser made no PNG'));
      else resolve(blob);
    }, 'image/png');
  });
}

export interface ExportOptions {
  readonly words: Words;
  /** What is saved, in words: a page has many such rows. */
  readonly what: string;
  /**
   * The name of the files, without their ending; asked for right after drawing, of the same step.
   */
  readonly name: () => string;
  /** Draws the current picture once its code is loaded; null without a picture. */
  readonly draw?: () => SVGSVGElement | null | Promise<SVGSVGElement | null>;
  /** In place of `draw`: the canvas that the page shows, which is saved as PNG only. */
  readonly canvas?: () => HTMLCanvasElement | null;
  /** The numbers behind the picture, if they can be had. */
  readonly csv?: () => string;
}

/** A row of buttons that save a picture, and perhaps its numbers. */
export function createExport(options: ExportOptions): HTMLElement {
  const { words, what, name, draw, canvas, csv } = options;
  const { t } = words;
  const status = el('span', { class: 'note', role: 'status' });
  /** A button that saves what `show` gives, as the file that `file` makes of it. */
  function button<Shown>(
    ending: string,
    show: () => Shown | null | Promise<Shown | null>,
    file: (shown: Shown) => Blob | Promise<Blob>,
  ): HTMLButtonElement {
    const form = ending.toUpperCase();
    const made = el('button', { type: 'button', class: 'link' }, form);
    made.setAttribute('aria-label', t('export.save', { form, what }));
    const save = async (): Promise<void> => {
      const shown = await show();
      if (shown === null) {
        setText(status, t('export.nothing'));
        return;
      }
      // While the file is made, the run goes on.
      const called = `${name()}.${ending}`;
      download(await file(shown), called);
      setText(status, t('export.saved', { name: called }));
    };
    made.addEventListener('click', () => {
      setText(status, '');
      save().catch(() => {
        setText(status, t('export.failed'));
      });
    });
    return made;
  }
  const csvFile = (text: string): Blob => new Blob([text], { type: 'text/csv;charset=utf-8' });
  const buttons = [
    ...(draw === undefined ? [] : [button('svg', draw, svgFile), button('png', draw, pngFile)]),
    ...(canvas === undefined ? [] : [button('png', canvas, canvasFile)]),
    ...(csv === undefined ? [] : [button('csv', csv, csvFile)]),
  ];
  const row = el('div', { class: 'export', role: 'group' }, t('export.title'), ...buttons, status);
  row.setAttribute('aria-label', `${t('export.title')} ${what}`);
  return row;
}
