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

/** A long line that repeats an earlier one: the code units before each of them. */
export interface Repeat {
  readonly first: number;
  readonly at: number;
}

export interface Findings extends Readonly<Record<FaultId, Found | null>> {
  /** Code units. */
  readonly size: number;
  /** Lines that are not empty and repeat an earlier one; null if absent. */
  readonly duplicates: Found | null;
  /** How many different lines occur twice, three times, .. */
  readonly copies: ReadonlyMap<number, number>;
  /** Those repeats that are no chance in running text either. */
  readonly repeats: readonly Repeat[];
  /** Whether the lines are names or words: none of these needs the lines beside it. */
  readonly isList: boolean;
  /** Signs that stand for characters which were lost. */
  readonly lost: number;
}

/**
 * UTF-8 bytes from which on a line that stands twice in running text is no speaker's name or
 * refrain.
 */
const TELLING_LINE = 20;
/** What decoders write in place of what they cannot read. */
const REPLACEMENT = '\ufffd';
/** A name or a word, or a few. */
const ENTRY = /^\p{L}[\p{L}\p{M}\p{Nd}.'’-]*(?: [\p{L}\p{M}\p{Nd}.'’-]+){0,2}$/u;
const LONGEST_ENTRY = 30;
/** The share of lines that are such, in a list of them. */
const ENTRIES = 0.9;
/** Code units between two stops. */
const SLICE = 16_384;
/** What a line costs beside its characters, in code units. */
const LINE_COST = 16;
/** The most code units that belong to a character before the text is cut there all the same. */
const MOST_ATTACHED = 64;

/** Examines `text`; yields now and then, and returns what it found. */
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

/** Collects what is known of whole lines. */
class LineReader {
  /** Where each line stands first. */
  readonly #firstLines = new Map<string, number>();
  readonly #times = new Map<string, number>();
  readonly #repeats: Repeat[] = [];
  #lines = 0;
  #duplicates = 0;
  #firstDuplicate = '';
  #entries = 0;

  /** Takes the next line, with the code units before it. */
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
 * Lines of the part held out for validation that stand in the part that is learned, too. Line by
 * line, chance says which lines are held out: then it is as many as there are on average.
 */
export function leakedLines(findings: Findings, heldOut: number, byLine: boolean): number {
  if (!byLine) {
    const cut = findings.size * (1 - heldOut);
    return findings.repeats.filter(({ first, at }) => first < cut && at >= cut).length;
  }
  let expected = 0;
  for (const [copies, lines] of findings.copies) {
    // A copy is held out, and not all of the others with it.
    expected += lines * copies * heldOut * (1 - heldOut ** (copies - 1));
  }
  return Math.round(expected);
}

/** Where a slice of a text ends: after a line or a word if there is one, not within a character. */
function sliceEnd(text: string, from: number): number {
  if (text.length - from <= SLICE) return text.length;
  const slice = text.slice(from, from + SLICE);
  const gap = Math.max(slice.lastIndexOf('\n'), slice.lastIndexOf(' '));
  if (gap >= 0) return from + gap + 1;
  let end = from + SLICE;
  while (end < from + SLICE + MOST_ATTACHED && isAttached(text, end)) end++;
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
