/**
 * An entry of the documentation, ready to be shown anywhere: beside a node that was clicked in the
 * app, for instance. `import('virtual:docs-entries/en')` gives all of them in one language; the
 * build makes that module (build/plugin.ts).
 */
export interface ShownEntry {
  readonly id: string;
  /** Name of the op as the probe gives it, or null for a stage. */
  readonly op: string | null;
  readonly title: string;
  /** HTML: paragraphs in plain words. */
  readonly words: string;
  /** HTML, one each. */
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
  /** HTML: the paper, if there is one. */
  readonly source: string | null;
  /** Address of the entry, from the root of the site. */
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
