/**
 * Pictures to save: a drawing as PNG of twice its size, for slides and papers, and where asked also
 * as SVG; a canvas as PNG, as it stands on the page.
 */
import type { Words } from '../i18n/index.ts';
import { CanvasNoise, returnsNoise } from './canvas-noise.ts';
import { el, setText } from './dom.ts';
import { download, saidSaved } from './download.ts';
import { idle } from './idle.ts';

/** A PNG file of `canvas`; rejects with CanvasNoise if the browser hides its pixels. */
export function canvasFile(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    if (returnsNoise()) throw new CanvasNoise();
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error('the browser made no PNG'));
      else resolve(blob);
    }, 'image/png');
  });
}

/** The error message for a picture that could not be saved. */
export function pictureProblem(thrown: unknown, { t }: Words): string {
  return t(thrown instanceof CanvasNoise ? 'error.canvas-noise' : 'export.failed');
}

export interface ExportOptions {
  readonly words: Words;
  /** Description of the picture, for accessible names: a page has many such rows. */
  readonly what: string;
  /** File name without extension; called right after drawing, so that both show the same step. */
  readonly name: () => string;
  /** Draws the current picture, or returns null. May load code first. */
  readonly draw?: () => SVGSVGElement | null | Promise<SVGSVGElement | null>;
  /** Also offers the drawing as an SVG file. */
  readonly asSvg?: boolean;
  /** In place of `draw`: the canvas that the page shows, which is saved as PNG only. */
  readonly canvas?: () => HTMLCanvasElement | null;
  /** The numbers behind the picture, if available. */
  readonly csv?: () => string | Promise<string>;
}

/** A row of buttons that save a picture and its numbers. */
export function createExport(options: ExportOptions): HTMLElement {
  const { words, what, name, draw, asSvg = false, canvas, csv } = options;
  const { t } = words;
  const status = el('span', { class: 'note', role: 'status' });
  /** A button that saves the picture of `show` as a file made by `file`. */
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
      // Named now, because the run continues while the file is made.
      const called = `${name()}.${ending}`;
      download(await file(shown), called);
      setText(status, saidSaved(t('export.saved', { name: called }), words));
    };
    made.addEventListener('click', () => {
      setText(status, '');
      save().catch((thrown: unknown) => {
        setText(status, pictureProblem(thrown, words));
      });
    });
    return made;
  }
  const files = () => import('./picture-files.ts');
  const svgFile = async (picture: SVGSVGElement): Promise<Blob> => (await files()).svgFile(picture);
  const pngFile = async (picture: SVGSVGElement): Promise<Blob> => (await files()).pngFile(picture);
  // Once the page rests, so that it is there without a network.
  if (draw !== undefined)
    idle()
      .then(files)
      .catch(() => undefined);
  const csvFile = (text: string): Blob => new Blob([text], { type: 'text/csv;charset=utf-8' });
  const buttons = [
    ...(draw === undefined || !asSvg ? [] : [button('svg', draw, svgFile)]),
    ...(draw === undefined ? [] : [button('png', draw, pngFile)]),
    ...(canvas === undefined ? [] : [button('png', canvas, canvasFile)]),
    ...(csv === undefined ? [] : [button('csv', csv, csvFile)]),
  ];
  const row = el('div', { class: 'export', role: 'group' }, t('export.title'), ...buttons, status);
  row.setAttribute('aria-label', `${t('export.title')} ${what}`);
  return row;
}
