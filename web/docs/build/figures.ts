/**
 * Figures: drawings with English texts. web/docs/figures/words.json translates the texts, and lists
 * those that are the same in all languages, such as names in the code.
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

/** Reads words.json beside the figure at `path`. */
export function readFigureWords(path: string): FigureWords {
  return JSON.parse(readFileSync(join(dirname(path), 'words.json'), 'utf8')) as FigureWords;
}

/** All texts of a drawing, in order. */
export function figureTexts(svg: string): string[] {
  return [...svg.matchAll(TEXT)].map(([, , text]) => text!);
}

/** Whether a text is a number, a symbol or a single letter, which needs no translation. */
export const isSymbol = (text: string): boolean => !/[A-Za-z]{2}/.test(text);

/** The drawing in `lang`; throws if words.json lacks a text. */
export function translateFigure(svg: string, lang: Lang, words: FigureWords): string {
  return svg.replace(TEXT, (whole, tag: string, text: string) => {
    if (isSymbol(text) || words.same.includes(text)) return whole;
    const translated = words.zh[text];
    if (translated === undefined) throw new Error(`figures/words.json lacks "${text}"`);
    return lang === 'en' ? whole : tag + escapeHtml(translated);
  });
}

/** A drawing as inline SVG, so that it takes the colours of the page. */
export function inlineSvg(svg: string, alternative: string): string {
  if (/\sstyle=|<style|<script/.test(svg)) throw new Error('a figure holds a style or a script');
  const label = escapeHtml(alternative);
  return svg
    .replace(/^[\s\S]*?(?=<svg)/, '')
    .trim()
    .replace('<svg', `<svg role="img" aria-label="${label}"`);
}
