/**
 * A rendered entry of the documentation, which the app shows beside a selected node, for instance.
 * `import('virtual:docs-entries/en')` loads all of them in one language; the build makes that
 * module (build/plugin.ts).
 */
export interface ShownEntry {
  readonly id: string;
  /** Name of the op in probe passes; null for a stage. */
  readonly op: string | null;
  readonly title: string;
  /** HTML: paragraphs in plain words. */
  readonly words: string;
  /** HTML, one note each. */
  readonly notes: readonly string[];
  /** MathML. */
  readonly formula: string;
  readonly backward: string | null;
  /** HTML in every cell. */
  readonly symbols: readonly {
    readonly symbol: string;
    readonly shape: string;
    readonly meaning: string;
  }[];
  readonly functions: readonly Excerpt[];
  /** HTML: the paper; null if there is no paper. */
  readonly source: string | null;
  /** URL of the entry, relative to the root of the site. */
  readonly href: string;
}

/** A function or type of the engine, quoted from its file. */
export interface Excerpt {
  readonly name: string;
  /** Path under c/, such as "tape/tape.c". */
  readonly file: string;
  /** Line of the definition (not of the comment above it), from 1. */
  readonly line: number;
  readonly text: string;
}
