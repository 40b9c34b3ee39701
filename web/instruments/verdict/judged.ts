/** How much of the texts of a step is new, measured against the training text and chance. */
import type { BaseRate, CopiedRun, TracedText } from '../../engine/trainer.ts';
import { chanceOf } from '../../store/training/chance.ts';

/** Minimum copied share of a stream that counts as copied word for word. */
const WHOLE = 0.9;
/** Range of `fresh` that counts as half new. */
const HALF = [0.25, 0.75] as const;

export interface Judged {
  /** Number of texts that are not blank. */
  readonly count: number;
  /** Matches to name: one training line per copied document, or the longest match of a stream. */
  readonly copied: readonly { readonly text: string; readonly run: CopiedRun }[];
  /** New share of the texts: of documents by number, of streams by UTF-16 code units. */
  readonly fresh: number;
  /** Whether all documents are copied, or one match is at least WHOLE of a stream. */
  readonly isWhole: boolean;
  /** Whether chance alone explains all copied lines; false for a stream, or if none is copied. */
  readonly isChance: boolean;
}

/**
 * Judges texts by their matches. A document is copied if it is a line of the training text, or at
 * least WHOLE of it matches. In a stream, matches longer than chance are copied. Null if all texts
 * are blank, or if chance cannot be measured.
 */
export function judge(
  texts: readonly string[],
  traced: readonly TracedText[],
  documents: boolean,
): Judged | null {
  const base = traced[0]?.base ?? null;
  const said = texts.flatMap((text, at) =>
    text.trim() === '' ? [] : [{ text, runs: traced[at]?.runs ?? [] }],
  );
  if (base === null || said.length === 0) return null;
  return documents ? judgeLines(said, base) : judgeStream(said);
}

interface Said {
  readonly text: string;
  /** Matches with the training text, by their start. */
  readonly runs: readonly CopiedRun[];
}

function judgeLines(said: readonly Said[], base: BaseRate): Judged {
  const copied = said.flatMap(({ text, runs }) => {
    // Most of a line counts too: a cut text is the beginning of one.
    const run =
      runs.find(({ isLine }) => isLine) ??
      (covered(runs) >= WHOLE * text.length ? longestOf(runs) : undefined);
    return run === undefined ? [] : [{ text, run }];
  });
  return {
    count: said.length,
    copied,
    fresh: 1 - copied.length / said.length,
    isWhole: copied.length === said.length,
    isChance: copied.length > 0 && copied.every(({ run }) => chanceOf(run, base) !== null),
  };
}

function judgeStream(said: readonly Said[]): Judged {
  const all = said.flatMap(({ text, runs }) => {
    const run = longestOf(runs);
    return run === undefined ? [] : [{ text, run }];
  });
  all.sort((a, b) => b.run.characters - a.run.characters);
  const longest = all[0];
  const length = said.reduce((sum, { text }) => sum + text.length, 0);
  const copied = said.reduce((sum, { runs }) => sum + covered(runs), 0);
  const fresh = 1 - copied / length;
  return {
    count: said.length,
    copied: all.slice(0, 1),
    fresh,
    isWhole: longest !== undefined && longest.run.end - longest.run.start >= WHOLE * length,
    isChance: false,
  };
}

const longestOf = (runs: readonly CopiedRun[]): CopiedRun | undefined =>
  [...runs].sort((a, b) => b.characters - a.characters)[0];

/** Code units within any match; matches may overlap. */
function covered(runs: readonly CopiedRun[]): number {
  let sum = 0;
  let until = 0;
  for (const { start, end } of runs) {
    sum += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return sum;
}

/** Whether about half of the texts is new. */
export const isHalf = ({ fresh }: Judged): boolean => fresh >= HALF[0] && fresh <= HALF[1];
