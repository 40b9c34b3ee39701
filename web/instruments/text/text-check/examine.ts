/**
 * Examines a text before it is learned: pure functions of strings. The examination is a generator
 * that stops after every few thousand characters, so that its caller decides when the page may
 * draw.
 */
import { ending } from './change.ts';
import type { Found } from './change.ts';
import { FAULT_IDS, FAULTS } from './faults.ts';
import type { FaultId, FaultReader } from './faults.ts';
import { isAttached } from './letters.ts';

/** A long line that repeats an earlier one: offsets of both, in code units. */
export interface Repeat {
  readonly first: number;
  readonly at: number;
}

export interface Findings extends Readonly<Record<FaultId, Found | null>> {
  /** Length of the text in code units. */
  readonly size: number;
  /** Nonempty lines that repeat an earlier one; null if absent. */
  readonly duplicates: Found | null;
  /** Number of different lines by their number of occurrences, from 2. */
  readonly copies: ReadonlyMap<number, number>;
  /** Repeated lines long enough not to be chance in running text. */
  readonly repeats: readonly Repeat[];
  /** Whether the lines are single names or words, which do not depend on neighbouring lines. */
  readonly isList: boolean;
  /** Number of replacement characters, which decoders write for undecodable bytes. */
  readonly lost: number;
}

/**
 * Minimum UTF-8 bytes of a repeated line in running text that is neither a speaker's name nor a
 * refrain.
 */
const TELLING_LINE = 20;
const REPLACEMENT = '\ufffd';
/** An entry of a list: up to three words. */
const ENTRY = /^\p{L}[\p{L}\p{M}\p{Nd}.'’-]*(?: [\p{L}\p{M}\p{Nd}.'’-]+){0,2}$/u;
const LONGEST_ENTRY = 30;
/** Minimum share of entries among the lines of a list. */
const ENTRIES = 0.9;
/** Code units between two yields. */
const SLICE = 16_384;
/** Cost of reading a line in addition to its characters, in code units. */
const LINE_COST = 16;
/** Maximum code units by which a slice is extended to avoid cutting a character. */
const MOST_ATTACHED = 64;

/** Examines `text`; yields between slices, and returns the findings. */
export function* examine(text: string): Generator<undefined, Findings> {
  let lost = 0;
  const faults = FAULT_IDS.map((id): [FaultId, FaultReader] => [id, FAULTS[id](text)]);
  for (let from = 0; from < text.length;) {
    const slice = text.slice(from, sliceEnd(text, from));
    from += slice.length;
    lost += slice.split(REPLACEMENT).length - 1;
    for (const [, reader] of faults) reader.slice?.(slice);
    yield undefined;
  }
  const lines = new LineReader();
  let work = 0;
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at);
    const line = text.slice(at, newline < 0 ? text.length : newline);
    lines.read(line, at);
    for (const [, reader] of faults) reader.line?.(line);
    at += line.length + 1;
    work += line.length + LINE_COST;
    if (work < SLICE) continue;
    work = 0;
    yield undefined;
  }
  for (const [, reader] of faults) yield* reader.settle?.() ?? [];
  const found = Object.fromEntries(faults.map(([id, reader]) => [id, reader.found]));
  return {
    size: text.length,
    lost,
    ...(found as Record<FaultId, Found | null>),
    ...lines.findings(),
  };
}

/** Finds repeated lines, and whether the lines are a list. */
class LineReader {
  /** Offset of the first occurrence of each line. */
  readonly #firstLines = new Map<string, number>();
  readonly #times = new Map<string, number>();
  readonly #repeats: Repeat[] = [];
  #lines = 0;
  #duplicates = 0;
  #firstDuplicate = '';
  #entries = 0;

  /** Reads the next line; `at` is its offset in code units. */
  read(line: string, at: number): void {
    if (line === '') return;
    this.#lines++;
    if (line.length <= LONGEST_ENTRY && ENTRY.test(line)) this.#entries++;
    const first = this.#firstLines.get(line);
    if (first === undefined) {
      this.#firstLines.set(line, at);
      return;
    }
    if (this.#duplicates++ === 0) this.#firstDuplicate = ending(line);
    this.#times.set(line, (this.#times.get(line) ?? 1) + 1);
    const isTelling = new TextEncoder().encode(line).length >= TELLING_LINE;
    if (isTelling) this.#repeats.push({ first, at });
  }

  findings() {
    const copies = new Map<number, number>();
    for (const count of this.#times.values()) copies.set(count, (copies.get(count) ?? 0) + 1);
    const [count, before] = [this.#duplicates, this.#firstDuplicate];
    return {
      duplicates: count === 0 ? null : { count, change: { before, after: '' } },
      copies,
      repeats: this.#repeats,
      isList: this.#entries >= this.#lines * ENTRIES,
    };
  }
}

/**
 * Number of held-out lines that also occur in the training part. `byLine`: lines are held out at
 * random, so the result is the expected number. Otherwise the end of the text is held out.
 */
export function leakedLines(findings: Findings, heldOut: number, byLine: boolean): number {
  if (!byLine) {
    const cut = findings.size * (1 - heldOut);
    return findings.repeats.filter(({ first, at }) => first < cut && at >= cut).length;
  }
  let expected = 0;
  for (const [copies, lines] of findings.copies) {
    // Counts held-out copies, unless all other copies are held out, too.
    expected += lines * copies * heldOut * (1 - heldOut ** (copies - 1));
  }
  return Math.round(expected);
}

/** The end of a slice: after a line or a word if possible, never within a character. */
function sliceEnd(text: string, from: number): number {
  if (text.length - from <= SLICE) return text.length;
  const slice = text.slice(from, from + SLICE);
  const gap = Math.max(slice.lastIndexOf('\n'), slice.lastIndexOf(' '));
  if (gap >= 0) return from + gap + 1;
  let end = from + SLICE;
  while (end < from + SLICE + MOST_ATTACHED && isAttached(text, end)) end++;
  return end;
}

/** Removes repeated lines; keeps the first of each, and all empty lines. */
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
