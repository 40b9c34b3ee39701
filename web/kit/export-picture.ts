/**
 * Pictures to save: a drawing as real SVG, or as PNG of twice its size, for slides and papers; a
 * canvas as PNG, as it stands on the page.
 */
import type { Words } from '../i18n/index.ts';
import { CanvasNoise, returnsNoise } from './canvas-noise.ts';
import { el, setText } from './dom.ts';
import { download, saidSaved } from './download.ts';
import { idle } from './idle.ts';

/** A PNG file of `canvas`; fails with CanvasNoise where the browser gives none of its pixels. */
export function canvasFile(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    if (returnsNoise()) throw new CanvasNoise();
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error('the browser made no PNG'));
      else resolve(blob);
    }, 'image/png');
  });
}

/** Why a picture could not be saved, in words. */
export function pictureProblem(thrown: unknown, { t }: Words): string {
  return t(thrown instanceof CanvasNoise ? 'error.canvas-noise' : 'export.failed');
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
  readonly csv?: () => string | Promise<string>;
}

/** Saves a picture, or its numbers, as a file with this ending. */
export interface Saver {
  readonly ending: string;
  /** Returns what to say of it. */
  readonly save: () => Promise<string>;
}

export function saversOf({ words, name, draw, canvas, csv }: ExportOptions): Saver[] {
  const { t } = words;
  /** Saves what `show` gives, as the file that `file` makes of it. */
  function saver<Shown>(
    ending: string,
    show: () => Shown | null | Promise<Shown | null>,
    file: (shown: Shown) => Blob | Promise<Blob>,
  ): Saver {
    const save = async (): Promise<string> => {
      try {
        const shown = await show();
        if (shown === null) return t('export.nothing');
        // While the file is made, the run goes on.
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
  const asSvg = async (picture: SVGSVGElement): Promise<Blob> => (await files()).svgFile(picture);
  const asPng = async (picture: SVGSVGElement): Promise<Blob> => (await files()).pngFile(picture);
  const csvFile = (text: string): Blob => new Blob([text], { type: 'text/csv;charset=utf-8' });
  return [
    ...(draw === undefined ? [] : [saver('svg', draw, asSvg), saver('png', draw, asPng)]),
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

/** A row of buttons that save a picture, and perhaps its numbers. */
export function createExport(options: ExportOptions): HTMLElement {
  const { words, what, draw } = options;
  const { t } = words;
  const status = el('span', { class: 'note', role: 'status' });
  if (draw !== undefined) fetchSavers();
  const buttons = saversOf(options).map(({ ending, save }) => {
    const form = ending.toUpperCase();
    const label = t('export.save', { form, what });
    const button = el('button', { type: 'button', class: 'link', 'aria-label': label }, form);
    button.addEventListener('click', () => {
      setText(status, '');
      void save().then((said) => setText(status, said));
    });
    return button;
  });
  const row = el('div', { class: 'export', role: 'group' }, t('export.title'), ...buttons, status);
  row.setAttribute('aria-label', `${t('export.title')} ${what}`);
  return row;
}
