/**
 * Figures: one drawing each, whose words are English in its file. web/docs/figures/words.json gives them
 * in the other languages, and lists those that are the same in all, such as names in the code.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { escapeHtml } from './c-source.ts';
import type { Lang } from './words.ts';

export interface FigureWords {
  readonly zh: Readonly<Record<string, string>>;
  readonly same: readonly string[];
}

const TEXT = /(<text\b[^>]*>)([^<]*)(?=<\/text>)/g;

/** The words of the drawings beside the figure at `path`. */
export function readFigureWords(path: string): FigureWords {
  return JSON.parse(readFileSync(join(dirname(path), 'words.json'), 'utf8')) as FigureWords;
}

/** Everything that a drawing says, in its order. */
export function figureTexts(svg: string): string[] {
  return [...svg.matchAll(TEXT)].map(([, , text]) => text!);
}

/** Numbers, symbols and single letters need no words. */
export const isSymbol = (text: string): boolean => !/[A-Za-z]{2}/.test(text);

/** The drawing in `lang`; throws at a text that words.json does not have. */
export function translateFigure(svg: string, lang: Lang, words: FigureWords): string {
  return svg.replace(TEXT, (whole, tag: string, text: string) => {
    if (isSymbol(text) || words.same.includes(text)) return whole;
    const translated = words.zh[text];
    if (translated === undefined) throw new Error(`figures/words.json lacks "${text}"`);
    return lang === 'en' ? whole : tag + escapeHtml(translated);
  });
}

/** A drawing as part of the page, so that its colours follow the page's. */
export function inlineSvg(svg: string, alternative: string): string {
  if (/\sstyle=|<style|<script/.test(svg)) throw new Error('a figure holds a style or a script');
  const label = escapeHtml(alternative);
  return svg
    .replace(/^[\s\S]*?(?=<svg)/, '')
    .trim()
    .replace('<svg', `<svg role="img" aria-label="${label}"`);
}
