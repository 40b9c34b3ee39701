/** The languages of the page, and the choice of the first one. */

export const LANGS = ['en', 'zh'] as const;
export type Lang = (typeof LANGS)[number];

/** Values of the attribute `lang` of a document. */
export const LANG_TAGS: Readonly<Record<Lang, string>> = { en: 'en', zh: 'zh-Hans' };

/** The language asked for, else the browser's first known one, else English. */
export function chooseLang(asked: string | null, preferred: readonly string[]): Lang {
  for (const tag of asked === null ? preferred : [asked, ...preferred]) {
    const base = tag.toLowerCase().split('-')[0];
    const found = LANGS.find((lang) => lang === base);
    if (found !== undefined) return found;
  }
  return 'en';
}
