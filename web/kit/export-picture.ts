/**
 * Saves pictures: a drawing as PNG at twice its size, on request also as SVG; a canvas as PNG at
 * the size shown.
 */
import type { Words } from '../i18n/index.ts';
import { CanvasNoise, returnsNoise } from './canvas-noise.ts';
import { download, saidSaved } from './download.ts';
import { idle } from './idle.ts';

/** Makes a PNG file of `canvas`; rejects with CanvasNoise if the browser returns false pixels. */
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
  /** Draws the current picture; null if there is nothing to save. May load code first. */
  readonly draw?: () => SVGSVGElement | null | Promise<SVGSVGElement | null>;
  /** Also offers the drawing as an SVG file. */
  readonly asSvg?: boolean;
  /**
   * Replaces `draw`: returns the canvas shown on the page, which is saved as PNG only; null if
   * missing.
   */
  readonly canvas?: () => HTMLCanvasElement | null;
  /** The numbers behind the picture, if available. */
  readonly csv?: () => string | Promise<string>;
}

/** Saves a picture or its numbers as a file with this extension. */
export interface Saver {
  readonly ending: string;
  /** Returns the message to show. */
  readonly save: () => Promise<string>;
}

export function saversOf({ words, name, draw, asSvg, canvas, csv }: ExportOptions): Saver[] {
  const { t } = words;
  /**
   * Returns a saver; `show` returns the picture or its numbers, and `file` converts them to a file.
   */
  function saver<Shown>(
    ending: string,
    show: () => Shown | null | Promise<Shown | null>,
    file: (shown: Shown) => Blob | Promise<Blob>,
  ): Saver {
    const save = async (): Promise<string> => {
      try {
        const shown = await show();
        if (shown === null) return t('export.nothing');
        // Read before the file is made, because the run continues meanwhile.
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

/** Preloads the code that converts drawings once the page is idle, for use without a network. */
export function fetchSavers(): void {
  idle()
    .then(() => import('./picture-files.ts'))
    .catch(() => undefined);
}
