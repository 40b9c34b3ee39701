/**
 * A word of the page's, explained. `import('virtual:glossary/en')` gives all of them in one language;
 * the build makes that module from glossary.md (build/plugin.ts).
 */
export interface ShownTerm {
  readonly id: string;
  readonly name: string;
  /** HTML: a paragraph in plain words. */
  readonly words: string;
  /** MathML, or null for a word that has none. */
  readonly formula: string | null;
  /** HTML: the title of the entry that maps it to code. */
  readonly entry: string;
  /** Address of that entry, from the root of the site. */
  readonly href: string;
}
