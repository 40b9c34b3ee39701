/**
 * Faults of a text that do not depend on settings. A new fault needs an entry here, its cure in
 * `CURES` (advice.ts), and its words `text-check.ID` and `text-check.fix.ID`.
 */
import { BrokenLines, BrokenWords } from './broken-words.ts';
import type { Found } from './change.ts';
import { StampReader } from './chat-log.ts';
import { hiddenCharacters, hiddenIn, lettersInPieces, ligaturesIn } from './letters.ts';
import { PageNumbers } from './page-numbers.ts';
import { WebPage } from './web-page.ts';

/** Reads a text in parts; each fault implements the methods for the parts that it needs. */
export interface FaultReader {
  /** Reads a slice that ends between characters, and after a line or a word if possible. */
  slice?(slice: string): void;
  line?(line: string): void;
  /** Called after the last part; yields between slices. */
  settle?(): Generator<undefined, void>;
  /** The fault; null if the text does not have it. */
  readonly found: Found | null;
}

/** Creates a reader of a text for each fault, in display order. */
export const FAULTS = {
  html: (text) => new WebPage(text),
  hidden: (text) => {
    const pattern = hiddenIn(text);
    return new SliceReader((slice) => hiddenCharacters(slice, pattern));
  },
  pieces: () => new SliceReader(lettersInPieces),
  ligatures: () => new SliceReader(ligaturesIn),
  stamps: () => new StampReader(),
  pages: () => new PageNumbers(),
  hyphens: (text) => new BrokenWords(text),
  breaks: () => new BrokenLines(),
} as const satisfies Record<string, (text: string) => FaultReader>;

export type FaultId = keyof typeof FAULTS;
export const FAULT_IDS = Object.keys(FAULTS) as FaultId[];

/** Adds up the findings of all slices. */
class SliceReader implements FaultReader {
  readonly #find: (slice: string) => Found | null;
  found: Found | null = null;

  constructor(find: (slice: string) => Found | null) {
    this.#find = find;
  }

  slice(slice: string): void {
    const next = this.#find(slice);
    if (next === null) return;
    const { count, change } = this.found ?? { ...next, count: 0 };
    this.found = { count: count + next.count, change };
  }
}
