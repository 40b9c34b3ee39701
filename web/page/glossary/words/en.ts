/** Labels of the note of a term; the explanations of terms are in docs/glossary.md. */
export const glossary = {
  'glossary.close': 'Close',
  'glossary.formula': 'Formula',
  'glossary.entry': 'See the code:',
  'glossary.all': 'All words',
  'glossary.more': 'More about it',
} as const;

declare module '../../../i18n/areas.ts' {
  interface FirstWords {
    readonly glossary: typeof glossary;
  }
}
