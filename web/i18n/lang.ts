/** The languages of the page, and the choice of the first one. */
import { LANGUAGES } from './languages.ts';
import type { Language } from './languages.ts';

export type Lang = keyof typeof LANGUAGES;
export const LANGS = Object.keys(LANGUAGES) as readonly Lang[];

export function languageOf(lang: Lang): Language {
  return LANGUAGES[lang];
}

/** The languages of the documentation and of model cards, a part of those of the page. */
export const DOCS_LANGS = ['en', 'zh'] as const satisfies readonly Lang[];
export type DocsLang = (typeof DOCS_LANGS)[number];

/** The language of the documentation for readers of `lang`: English if it lacks theirs. */
export function docsLang(lang: Lang): DocsLang {
  return DOCS_LANGS.find((one) => one === lang) ?? 'en';
}

/** The language that a tag such as `en-GB` names; undefined if the page does not have it. */
export function findLang(tag: string): Lang | undefined {
  const base = /^\w*/.exec(tag.toLowerCase())?.[0];
  return LANGS.find((lang) => lang === base);
}

/** The language asked for, else the browser's first known one, else English. */
export function chooseLang(asked: string | null, preferred: readonly string[]): Lang {
  for (const tag of asked === null ? preferred : [asked, ...preferred]) {
    const found = findLang(tag);
    if (found !== undefined) return found;
  }
  return 'en';
}
