/**
 * Faults that a text may have whatever the settings are. A new one is an entry here, its cure in
 * `CURES` (advice.ts), and its words: `text-check.ID` and `text-check.fix.ID`.
 */
import { BrokenLines, BrokenWords } from './broken-words.ts';
import type { Found } from './change.ts';
import { StampReader } from './chat-log.ts';
import { hiddenCharacters, hiddenIn, lettersInPieces, ligaturesIn } from './letters.ts';
import { PageNumbers } from './page-numbers.ts';
import { WebPage } from './web-page.ts';

/** Reads a text in parts; each fault reads the parts that it needs. */
export interface FaultReader {
  /** A part that ends between characters, and after a line or a word if possible. */
  slice?(slice: string): void;
  line?(line: string): void;
  /** After the last part; yields now and then. */
  settle?(): Generator<undefined, void>;
  /** Null if the text does not have this fault. */
  readonly found: Found | null;
}

/** Begins to read a text for each fault, in the order in which they are shown. */
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

/** Adds up what is found in each slice. */
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
