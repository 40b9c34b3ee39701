/**
 * Words that a hyphen breaks at the end of a line, as in text copied from a PDF. A word is joined
 * only if the text itself has it whole elsewhere, and more often than with a hyphen. Pure functions
 * of strings.
 */
import type { Change, Found } from './change.ts';

const LETTERS = '[\\p{L}\\p{M}]';
const HYPHEN = '[-\\u2010\\u00ad]';
/** Belongs to no word: it stands where a program has broken one. */
const SOFT_HYPHEN = /\u00ad[ \t]*$/;
const FIRST_HALF = new RegExp(`(?<!${LETTERS})(\\p{L}${LETTERS}*)${HYPHEN}[ \\t]*$`, 'u');
// A second half with a capital, as in "Nord-Süd", is a word of its own.
const SECOND_HALF = new RegExp(`^[ \\t]*(\\p{Ll}${LETTERS}*)`, 'u');
/** A word, with its parts if it has hyphens. */
const WORD = new RegExp(`${LETTERS}+(?:${HYPHEN}${LETTERS}+)*`, 'gu');
const ALL_HYPHENS = new RegExp(HYPHEN, 'gu');
const FINAL_HYPHEN = new RegExp(`${HYPHEN}[ \\t]*$`, 'u');
/** A half, the punctuation behind it, and blanks. */
const FIRST_TOKEN = /^\s*(\S+)\s*/u;
/** The words that are shown on either side of a break. */
const WORDS_BEFORE = /(?:\S+\s+){0,2}\S+\s*$/u;
const WORDS_BEHIND = /^\s*\S+(?:\s+\S+){0,2}/u;
/** The most code units of a half, and of what is shown on either side. */
const LONGEST = 48;
/** The least share of broken lines in a text that was typeset. */
const TYPESET = 0.02;
/** Code units between two stops. */
const SLICE = 16_384;

/** The word that two lines break, without its hyphen, in small letters; null if none. */
function brokenWord(line: string, next: string): string | null {
  // Most lines end otherwise, and are done with here.
  if (!'-\u2010\u00ad \t'.includes(line.slice(-1))) return null;
  const first = FIRST_HALF.exec(line.slice(-LONGEST))?.[1];
  if (first === undefined) return null;
  const second = SECOND_HALF.exec(next.slice(0, LONGEST))?.[1];
  return second === undefined ? null : `${first}${second}`.toLowerCase();
}

/** Joins the word at the end of the first line; one line if nothing of the second is left. */
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

/** Counts lines that end within a word, whether its hyphen belongs to it or not. */
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

  /** Null if the text has fewer than one that was typeset. */
  get found(): Found | null {
    const isTypeset = this.#broken >= this.#lines * TYPESET;
    return this.#first !== null && isTypeset ? { count: this.#broken, change: this.#first } : null;
  }
}

/** How often a broken word stands in the text otherwise. */
interface Evidence {
  breaks: number;
  whole: number;
  hyphenated: number;
  readonly change: Change;
}

/** Finds the broken words that a text has whole elsewhere. */
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

  /** Counts the words of the text that are broken somewhere; yields now and then. */
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

  /** Whether the hyphen at this line end breaks a word and does not belong to it. */
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

/** Joins broken words that the text has whole elsewhere; all other hyphens stay. */
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
