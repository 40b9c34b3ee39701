/**
 * A rendered term of the glossary. `import('virtual:glossary/en')` loads all terms in one language,
 * `import('virtual:glossary/formulas')` their formulas; the build makes these modules from
 * glossary.md (build/plugin.ts).
 */
export interface ShownTerm {
  readonly id: string;
  readonly name: string;
  /** HTML: a paragraph in plain words, and an example. */
  readonly words: string;
  /** HTML: the symbols of its formula; empty if they need no explanation. */
  readonly symbols: string;
  /** HTML: the title of the entry that links it to code. */
  readonly entry: string;
  /** URL of the entry, relative to the root of the site. */
  readonly href: string;
}

/** MathML by term id, for terms with a formula. */
export type TermFormulas = Readonly<Record<string, string>>;
