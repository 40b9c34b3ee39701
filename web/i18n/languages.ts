/**
 * The languages of the page: one entry each. The build collects the words of every entry
 * (embed/build/instruments.ts); everything else that depends on the language is in the entry.
 */

export interface Language {
  /** Value of the attribute `lang`, and locale of dates. */
  readonly tag: string;
  /** The language's own name, for menus. */
  readonly name: string;
  readonly dir: 'ltr' | 'rtl';
  /**
   * Index (0 or more) of the form in `{count|one|other}` that agrees with `count`. A function,
   * because the first use of `Intl` takes Chromium 20 ms of the page's start.
   */
  readonly form: (count: number) => number;
  /**
   * Space between sentences, and after a colon. Empty for Chinese, whose punctuation includes the
   * space; values in sentences are then spaced by the script of their neighbours.
   */
  readonly gap: '' | ' ';
  /** Two characters: between groups of three digits, and before decimals. */
  readonly marks: string;
  /** Whether texts may be missing: English stands in for them. */
  readonly isPartial: boolean;
}

export const LANGUAGES = {
  en: {
    tag: 'en',
    name: 'English',
    dir: 'ltr',
    form: (count) => (count === 1 ? 0 : 1),
    gap: ' ',
    marks: ',.',
    isPartial: false,
  },
  zh: {
    tag: 'zh-Hans',
    name: '中文',
    dir: 'ltr',
    form: () => 0,
    gap: '',
    marks: ',.',
    isPartial: false,
  },
} as const satisfies Readonly<Record<string, Language>>;
