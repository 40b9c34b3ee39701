/**
 * Examines a text before it is learned: pure functions of strings. The examination is a generator
 * that stops after every few thousand characters, so that its caller decides when the page may
 * draw.
 */

import { ending } from './change.ts';
import type { Change } from './change.ts';
import { StampReader } from './chat-log.ts';
import { findHidden, isAttached, lettersInPieces, removable } from './letters.ts';
import { rareTwins } from './twins.ts';
import type { Twin } from './twins.ts';

/** A character with how often it occurs. */
export interface Counted {
  readonly character: string;
  readonly count: number;
}

/** A long line that repeats an earlier one: the characters before each of them. */
export interface Repeat {
  readonly first: number;
  readonly at: number;
}

export interface Findings {
  /** Code points. */
  readonly characters: number;
  readonly distinct: number;
  /** Characters that occur at most RARE times, the rarest first. */
  readonly rare: readonly Counted[];
  /** Characters that occur more often. */
  readonly common: ReadonlySet<string>;
  /** Of the rare ones, those that can be replaced. */
  readonly twins: readonly Twin[];
  readonly lineFeeds: number;
  /** Lines that are not empty. */
  readonly lines: number;
  /** Of these, how many repeat an earlier line. */
  readonly duplicates: number;
  /** The first of these, cut off; empty if absent. */
  readonly firstDuplicate: string;
  /** How many different lines occur twice, three times, .. */
  readonly copies: ReadonlyMap<number, number>;
  /** Those repeats that are no chance in running text either. */
  readonly repeats: readonly Repeat[];
  /** Whether the lines are names or words: none of these needs the lines beside it. */
  readonly isList: boolean;
  /** Lengths of lines in code points at evenly spaced ranks, the shortest first. */
  readonly lengths: readonly number[];
  /** Signs that stand for characters which were lost. */
  readonly lost: number;
  /** Dates and times beside messages; null if the text is no chat. */
  readonly stamps: { readonly count: number; readonly change: Change } | null;
  /** Characters that nobody sees and that no letter needs; null if absent. */
  readonly hidden: {
    readonly count: number;
    readonly example: string;
    readonly change: Change;
  } | null;
  /** Letters in more pieces than necessary; null if absent. */
  readonly pieces: {
    readonly count: number;
    /** One of them as it stands there, and put together. */
    readonly change: Change;
    /** Whether the text has some of them in one piece, too. */
    readonly both: boolean;
  } | null;
}

/** A character that occurs no more often can hardly be learned. */
export const RARE = 2;
/**
 * UTF-8 bytes from which on a line that stands twice in running text is no speaker's name or
 * refrain.
 */
const TELLING_LINE = 20;
/** What decoders write in place of what they cannot read. */
const REPLACEMENT = 0xfffd;
/** Lengths of lines that are told, so that they need not all be kept. */
const RANKS = 64;
/** A name or a word, or a few. */
const ENTRY = /^\p{L}[\p{L}\p{M}\p{Nd}.'’-]*(?: [\p{L}\p{M}\p{Nd}.'’-]+){0,2}$/u;
const LONGEST_ENTRY = 30;
/** The share of lines that are such, in a list of them. */
const ENTRIES = 0.9;
/** Code units between two stops. */
const SLICE = 16_384;
/** The most code units that belong to a character before the text is cut there all the same. */
const MOST_ATTACHED = 64;

/** Examines `text`; yields now and then, and returns what it found. */
export function* examine(text: string): Generator<undefined, Findings> {
  const counts = new Map<number, number>();
  const lines = new LineReader();
  const hidden = { any: noneHidden(), direction: noneHidden() };
  const pieces = new Map<string, Pieces>();
  let characters = 0;
  let worked = 0;
  let at = 0;
  while (at < text.length) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(at, end);
    let length = 0;
    let bytes = 0;
    // One line may be a whole book: it is read in pieces.
    for (let from = 0; from < line.length;) {
      const until = pieceEnd(line, from);
      const piece = line.slice(from, until);
      const counted = countCharacters(piece, counts);
      length += counted.characters;
      bytes += counted.bytes;
      findHidden(piece, hidden);
      notePieces(piece, pieces);
      worked += until - from;
      from = until;
      if (worked >= SLICE) {
        worked = 0;
        yield undefined;
      }
    }
    lines.read(line, { length, bytes, at: characters });
    worked += 16;
    characters += length + (newline < 0 ? 0 : 1);
    at = end + 1;
  }
  yield undefined;
  const lineFeeds = characters - [...counts.values()].reduce((sum, count) => sum + count, 0);
  return {
    characters,
    distinct: counts.size + (lineFeeds > 0 ? 1 : 0),
    ...byFrequency(counts),
    twins: rareTwins(text, RARE),
    lineFeeds,
    ...lines.findings(),
    lost: counts.get(REPLACEMENT) ?? 0,
    hidden: removable(hidden, counts.keys()),
    pieces: amongWhole(pieces, (letter) => counts.has(letter.codePointAt(0)!)),
  };
}

function noneHidden() {
  return { count: 0, first: '', around: '' };
}

/** Collects what is known of whole lines. */
class LineReader {
  readonly #lengths: number[] = [];
  /** The characters before each line, where it stands first. */
  readonly #seen = new Map<string, number>();
  readonly #times = new Map<string, number>();
  readonly #repeats: Repeat[] = [];
  readonly #stamps = new StampReader();
  #duplicates = 0;
  #firstDuplicate = '';
  #entries = 0;

  /** Takes the next line, with its code points, UTF-8 bytes and the characters before it. */
  read(line: string, { length, bytes, at }: { length: number; bytes: number; at: number }): void {
    this.#stamps.read(line);
    if (length === 0) return;
    this.#lengths.push(length);
    if (length <= LONGEST_ENTRY && ENTRY.test(line)) this.#entries++;
    const first = this.#seen.get(line);
    if (first === undefined) {
      this.#seen.set(line, at);
      return;
    }
    if (this.#duplicates++ === 0) this.#firstDuplicate = ending(line);
    this.#times.set(line, (this.#times.get(line) ?? 1) + 1);
    if (bytes >= TELLING_LINE) this.#repeats.push({ first, at });
  }

  findings() {
    const lines = this.#lengths.length;
    const copies = new Map<number, number>();
    for (const count of this.#times.values()) copies.set(count, (copies.get(count) ?? 0) + 1);
    return {
      lines,
      duplicates: this.#duplicates,
      firstDuplicate: this.#firstDuplicate,
      copies,
      repeats: this.#repeats,
      isList: this.#entries >= lines * ENTRIES,
      lengths: atRanks(Float64Array.from(this.#lengths).sort()),
      stamps: this.#stamps.found,
    };
  }
}

/** A letter in pieces: how often it occurs, and how it is written. */
interface Pieces {
  count: number;
  readonly pieces: string;
}

/** Adds the letters of `text` that are in pieces to `found`, by what they are in one. */
function notePieces(text: string, found: Map<string, Pieces>): void {
  for (const { pieces, whole } of lettersInPieces(text)) {
    const known = found.get(whole);
    if (known === undefined) found.set(whole, { count: 1, pieces });
    else known.count++;
  }
}

/** What is said of letters in pieces; first of all of one that the text has in one piece, too. */
function amongWhole(
  found: ReadonlyMap<string, Pieces>,
  has: (letter: string) => boolean,
): Findings['pieces'] {
  const letters = [...found.keys()];
  const twin = letters.find((letter) => Array.from(letter).length === 1 && has(letter));
  const example = twin ?? letters[0];
  if (example === undefined) return null;
  const count = [...found.values()].reduce((sum, one) => sum + one.count, 0);
  const change = { before: found.get(example)!.pieces, after: example };
  return { count, change, both: twin !== undefined };
}

/** The values in the middle of RANKS equal parts of a sorted list; all of a shorter one. */
function atRanks(sorted: Float64Array): number[] {
  const parts = Math.min(RANKS, sorted.length);
  return Array.from(
    { length: parts },
    (_, part) => sorted[Math.floor(((part + 0.5) / parts) * sorted.length)]!,
  );
}

/**
 * Adds the code points of `text` to `counts`; returns how many there are, and their UTF-8 bytes.
 */
function countCharacters(
  text: string,
  counts: Map<number, number>,
): { characters: number; bytes: number } {
  let characters = 0;
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0)!;
    counts.set(point, (counts.get(point) ?? 0) + 1);
    characters++;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return { characters, bytes };
}

/**
 * Lines of the part held out for validation that stand in the part that is learned, too. Line by
 * line, chance says which lines are held out: then it is as many as there are on average.
 */
export function leakedLines(findings: Findings, heldOut: number, byLine: boolean): number {
  if (!byLine) {
    const cut = findings.characters * (1 - heldOut);
    return findings.repeats.filter(({ first, at }) => first < cut && at >= cut).length;
  }
  let expected = 0;
  for (const [copies, lines] of findings.copies) {
    // A copy is held out, and not all of the others with it.
    expected += lines * copies * heldOut * (1 - heldOut ** (copies - 1));
  }
  return Math.round(expected);
}

/** What is rare, the rarest first, and what is not. */
function byFrequency(counts: ReadonlyMap<number, number>): Pick<Findings, 'rare' | 'common'> {
  const rare: Counted[] = [];
  const common = new Set<string>();
  for (const [point, count] of [...counts].sort(([a, m], [b, n]) => m - n || a - b)) {
    const character = String.fromCodePoint(point);
    if (count <= RARE) rare.push({ character, count });
    else common.add(character);
  }
  return { rare, common };
}

/** Where a piece of a line ends: not within a character, and after a word if there is one. */
function pieceEnd(line: string, from: number): number {
  if (line.length - from <= SLICE) return line.length;
  const space = line.lastIndexOf(' ', from + SLICE);
  if (space > from) return space + 1;
  let end = from + SLICE;
  while (end < from + SLICE + MOST_ATTACHED && isAttached(line, end)) end++;
  return end;
}

/** Keeps the first of equal lines, and all empty ones. */
export function removeDuplicates(text: string): string {
  const seen = new Set<string>();
  return text
    .split('\n')
    .filter((line) => {
      const isRepeat = line !== '' && seen.has(line);
      seen.add(line);
      return !isRepeat;
    })
    .join('\n');
}
