/**
 * A word of the page's, explained. `import('virtual:glossary/en')` gives all of them in one language,
 * `import('virtual:glossary/formulas')` what is the same in all; the build makes these modules from
 * glossary.md (build/plugin.ts).
 */
export interface ShownTerm {
  readonly id: string;
  readonly name: string;
  /** HTML: a paragraph in plain words, and an example. */
  readonly words: string;
  /** HTML: the letters of its formula; empty where they need no words. */
  readonly symbols: string;
  /** HTML: the title of the entry that maps it to code. */
  readonly entry: string;
  /** Address of that entry, from the root of the site. */
  readonly href: string;
}

/** MathML of the terms that have a formula, by their ids. */
export type TermFormulas = Readonly<Record<string, string>>;
