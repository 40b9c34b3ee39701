/** The languages of the page, and which of them its reader gets. */

export const LANGS = ['en', 'zh'] as const;
export type Lang = (typeof LANGS)[number];

/** What a document in each of them says of itself, in its attribute `lang`. */
export const LANG_TAGS: Readonly<Record<Lang, string>> = { en: 'en', zh: 'zh-Hans' };

/** The language to begin with: the one asked for, else the first of the browser's that we have. */
export function chooseLang(asked: string | null, preferred: readonly string[]): Lang {
  for (const tag of asked === null ? preferred : [asked, ...preferred]) {
    const base = tag.toLowerCase().split('-')[0];
    const found = LANGS.find((lang) => lang === base);
    if (found !== undefined) return found;
  }
  return 'en';
}
