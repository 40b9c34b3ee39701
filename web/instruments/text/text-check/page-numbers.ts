/**
 * Page numbers on lines of their own, as in text copied from a PDF. Numbers of chapters, poems,
 * rows and subtitles are distinguished by their context: a page ends within a sentence, and many
 * lines after the previous page. Pure functions of strings.
 */
import { BrokenLines } from './broken-words.ts';
import type { Found } from './change.ts';
import { hasLigatures } from './letters.ts';

const NUMBER = /^\s*(\d{1,4})\s*$/;
const LONGEST_NUMBER = 32;
/** Maximum difference of successive page numbers, because some pages lack a number. */
const LARGEST_STEP = 3;
/** Minimum number of lines per page, on average. */
const FEWEST_LINES = 10;
/** Minimum number of page numbers in a text without other signs of typesetting. */
const FEWEST = 3;
/**
 * Minimum share of page numbers that interrupt a sentence, in a text without other signs of
 * typesetting.
 */
const WITHIN = 0.5;
/** Ends and beginnings of lines that are within a sentence. */
const OPEN_END = /[\p{L}\p{M},;–—-]\s*$/u;
const OPEN_BEGIN = /^\s*\p{Ll}/u;
/** Number of code units inspected at either end of a line. */
const LOOKED_AT = 16;

interface PageNumber {
  readonly line: string;
  /** Index of the line. */
  readonly at: number;
  /**
   * The previous page number of its series, null for the first; and the length of the series so
   * far.
   */
  readonly before: PageNumber | null;
  readonly length: number;
  isWithin: boolean;
}

/** Reads a text line by line, then decides which lines are page numbers. */
export class PageNumbers {
  readonly #broken = new BrokenLines();
  /** For each number, its entry in the longest rising series that ends with it. */
  readonly #series = new Map<number, PageNumber>();
  #longest: PageNumber | null = null;
  /** The last number, if only blank lines follow it; else null. */
  #last: PageNumber | null = null;
  #hasLigatures = false;
  #isOpen = false;
  #at = 0;
  #lines = 0;

  line(line: string): void {
    this.#broken.line(line);
    const at = this.#at++;
    if (line.trim() === '') return;
    this.#lines++;
    const number = line.length > LONGEST_NUMBER ? null : NUMBER.exec(line);
    if (number !== null) {
      this.#read(Number(number[1]), line, at);
      return;
    }
    this.#hasLigatures ||= hasLigatures(line);
    if (this.#last !== null && OPEN_BEGIN.test(line.slice(0, LOOKED_AT)))
      this.#last.isWithin = true;
    this.#last = null;
    this.#isOpen = OPEN_END.test(line.slice(-LOOKED_AT));
  }

  #read(number: number, line: string, at: number): void {
    let before: PageNumber | null = null;
    for (let step = 1; step <= LARGEST_STEP; step++) {
      const one = this.#series.get(number - step);
      if (one !== undefined && one.length > (before?.length ?? 0)) before = one;
    }
    const length = (before?.length ?? 0) + 1;
    const found = { line, at, before, length, isWithin: this.#isOpen };
    this.#last = found;
    if (length >= (this.#series.get(number)?.length ?? 0)) this.#series.set(number, found);
    if (length > (this.#longest?.length ?? 0)) this.#longest = found;
  }

  /** Page numbers in order; empty for a text without page numbers. */
  get numbers(): readonly PageNumber[] {
    const all: PageNumber[] = [];
    for (let one = this.#longest; one !== null; one = one.before) all.unshift(one);
    if ((all.length - 1) * FEWEST_LINES >= this.#lines) return [];
    const isTypeset = this.#hasLigatures || this.#broken.found !== null;
    const within = all.filter(({ isWithin }) => isWithin).length;
    return isTypeset || (all.length >= FEWEST && within >= all.length * WITHIN) ? all : [];
  }

  get found(): Found | null {
    const { numbers } = this;
    const [first] = numbers;
    if (first === undefined) return null;
    return { count: numbers.length, change: { before: first.line.trim(), after: '' } };
  }
}

/** Removes lines that consist of a page number. */
export function removePageNumbers(text: string): string {
  const lines = text.split('\n');
  const reader = new PageNumbers();
  for (const line of lines) reader.line(line);
  const places = new Set(reader.numbers.map(({ at }) => at));
  return places.size === 0 ? text : lines.filter((_, at) => !places.has(at)).join('\n');
}
