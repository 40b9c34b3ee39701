/**
 * Words broken by a hyphen at the end of a line, as in text copied from a PDF. A word is joined
 * only if the text contains it whole elsewhere, and more often than with a hyphen. Pure functions
 * of strings.
 */
import type { Change, Found } from './change.ts';

const LETTERS = '[\\p{L}\\p{M}]';
const HYPHEN = '[-\\u2010\\u00ad]';
/**
 * A soft hyphen belongs to no word: a program has broken the word there, which counts as one
 * occurrence of the whole word.
 */
const SOFT_HYPHEN = /\u00ad[ \t]*$/;
const FIRST_HALF = new RegExp(`(?<!${LETTERS})(\\p{L}${LETTERS}*)${HYPHEN}[ \\t]*$`, 'u');
// A second half with a capital, as in "Nord-Süd", is a separate word.
const SECOND_HALF = new RegExp(`^[ \\t]*(\\p{Ll}${LETTERS}*)`, 'u');
/** A word, including its hyphens and further parts. */
const WORD = new RegExp(`${LETTERS}+(?:${HYPHEN}${LETTERS}+)*`, 'gu');
const ALL_HYPHENS = new RegExp(HYPHEN, 'gu');
const FINAL_HYPHEN = new RegExp(`${HYPHEN}[ \\t]*$`, 'u');
/** The second half at the beginning of a line, with punctuation and white space after it. */
const FIRST_TOKEN = /^\s*(\S+)\s*/u;
/** Up to three words shown on each side of a line break. */
const WORDS_BEFORE = /(?:\S+\s+){0,2}\S+\s*$/u;
const WORDS_BEHIND = /^\s*\S+(?:\s+\S+){0,2}/u;
/** Maximum code units of a half, and of the words shown before or after it. */
const LONGEST = 48;
/** Minimum share of broken lines in a typeset text. */
const TYPESET = 0.02;
/** Code units between two yields. */
const SLICE = 16_384;

/** The word broken between two lines, without hyphen and in lower case; null if none. */
function brokenWord(line: string, next: string): string | null {
  // Excludes most lines quickly.
  if (!'-\u2010\u00ad \t'.includes(line.slice(-1))) return null;
  const first = FIRST_HALF.exec(line.slice(-LONGEST))?.[1];
  if (first === undefined) return null;
  const second = SECOND_HALF.exec(next.slice(0, LONGEST))?.[1];
  return second === undefined ? null : `${first}${second}`.toLowerCase();
}

/**
 * Moves the second half of a broken word, with its punctuation, from `next` to the end of `line`.
 * Returns a single line if nothing of `next` is left.
 */
function joined(line: string, next: string): string[] {
  const [all, token] = FIRST_TOKEN.exec(next)!;
  const first = `${line.replace(FINAL_HYPHEN, '')}${token!}`;
  return all.length === next.length ? [first] : [first, next.slice(all.length)];
}

function changeAt(line: string, next: string): Change {
  const [before] = WORDS_BEFORE.exec(line.slice(-LONGEST))!;
  const [behind] = WORDS_BEHIND.exec(next.slice(0, LONGEST))!;
  return { before: `${before}\n${behind}`, after: joined(before, behind).join('\n') };
}

/** Counts lines that end with a hyphen within a word, even a hyphen that belongs to the word. */
export class BrokenLines {
  #before = '';
  #lines = 0;
  #broken = 0;
  #first: Change | null = null;

  line(line: string): void {
    if (line.trim() !== '') this.#lines++;
    if (brokenWord(this.#before, line) !== null) {
      this.#broken++;
      this.#first ??= changeAt(this.#before, line);
    }
    this.#before = line;
  }

  /** The broken lines; null if they are fewer than in a typeset text. */
  get found(): Found | null {
    const isTypeset = this.#broken >= this.#lines * TYPESET;
    return this.#first !== null && isTypeset ? { count: this.#broken, change: this.#first } : null;
  }
}

/** Counts of a broken word: how often it is broken, whole and hyphenated in the text. */
interface Evidence {
  breaks: number;
  whole: number;
  hyphenated: number;
  readonly change: Change;
}

/** Finds broken words that the text also contains whole. */
export class BrokenWords {
  readonly #text: string;
  readonly #evidence = new Map<string, Evidence>();
  #before = '';

  constructor(text: string) {
    this.#text = text;
  }

  line(line: string): void {
    const word = brokenWord(this.#before, line);
    if (word !== null) {
      const change = changeAt(this.#before, line);
      const evidence = this.#evidence.get(word) ?? { breaks: 0, whole: 0, hyphenated: 0, change };
      evidence.breaks++;
      if (SOFT_HYPHEN.test(this.#before)) evidence.whole++;
      this.#evidence.set(word, evidence);
    }
    this.#before = line;
  }

  /** Counts all occurrences of the broken words; yields between slices. */
  *settle(): Generator<undefined, void> {
    if (this.#evidence.size === 0) return;
    let stop = SLICE;
    for (const { 0: found, index } of this.#text.matchAll(WORD)) {
      const word = found.replace(ALL_HYPHENS, '');
      const evidence = this.#evidence.get(word.toLowerCase());
      if (evidence !== undefined) evidence[word === found ? 'whole' : 'hyphenated']++;
      if (index < stop) continue;
      stop = index + SLICE;
      yield undefined;
    }
  }

  /** Whether the hyphen at this line end breaks a word and is not part of it. */
  isBroken(line: string, next: string): boolean {
    const word = brokenWord(line, next);
    const evidence = word === null ? undefined : this.#evidence.get(word);
    return evidence !== undefined && isCertain(evidence);
  }

  get found(): Found | null {
    const all = [...this.#evidence.values()].filter(isCertain);
    const count = all.reduce((sum, { breaks }) => sum + breaks, 0);
    return count === 0 ? null : { count, change: all[0]!.change };
  }
}

function isCertain({ whole, hyphenated }: Evidence): boolean {
  return whole > hyphenated;
}

/** Joins broken words that the text contains whole elsewhere; all other hyphens stay. */
export function joinWords(text: string): string {
  const lines = text.split('\n');
  const words = new BrokenWords(text);
  for (const line of lines) words.line(line);
  const counting = words.settle();
  while (counting.next().done !== true);
  const out: string[] = [];
  for (const line of lines) {
    const before = out.at(-1) ?? '';
    if (words.isBroken(before, line)) out.splice(-1, 1, ...joined(before, line));
    else out.push(line);
  }
  return out.join('\n');
}
