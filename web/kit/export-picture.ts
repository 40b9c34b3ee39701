/**
 * Pictures to save: a drawing as PNG of twice its size, for slides and papers, and where asked also
 * as SVG; a canvas as PNG, as it stands on the page.
 */
import type { Words } from '../i18n/index.ts';
import { CanvasNoise, returnsNoise } from './canvas-noise.ts';
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

/** Saves a picture or its numbers as a file with this ending. */
export interface Saver {
  readonly ending: string;
  /** Returns what to say of it. */
  readonly save: () => Promise<string>;
}

export function saversOf({ words, name, draw, asSvg, canvas, csv }: ExportOptions): Saver[] {
  const { t } = words;
  /** A saver of the picture of `show`, as a file made by `file`. */
  function saver<Shown>(
    ending: string,
    show: () => Shown | null | Promise<Shown | null>,
    file: (shown: Shown) => Blob | Promise<Blob>,
  ): Saver {
    const save = async (): Promise<string> => {
      try {
        const shown = await show();
        if (shown === null) return t('export.nothing');
        // Named now, because the run continues while the file is made.
        const called = `${name()}.${ending}`;
        download(await file(shown), called);
        return saidSaved(t('export.saved', { name: called }), words);
      } catch (thrown) {
        return pictureProblem(thrown, words);
      }
    };
    return { ending, save };
  }
  const files = () => import('./picture-files.ts');
  const svgFile = async (picture: SVGSVGElement): Promise<Blob> => (await files()).svgFile(picture);
  const pngFile = async (picture: SVGSVGElement): Promise<Blob> => (await files()).pngFile(picture);
  const csvFile = (text: string): Blob => new Blob([text], { type: 'text/csv;charset=utf-8' });
  return [
    ...(draw === undefined || asSvg !== true ? [] : [saver('svg', draw, svgFile)]),
    ...(draw === undefined ? [] : [saver('png', draw, pngFile)]),
    ...(canvas === undefined ? [] : [saver('png', canvas, canvasFile)]),
    ...(csv === undefined ? [] : [saver('csv', csv, csvFile)]),
  ];
}

/** Fetches the code that makes files of drawings once the page rests, to be there offline. */
export function fetchSavers(): void {
  idle()
    .then(() => import('./picture-files.ts'))
    .catch(() => undefined);
}
