/** How much of the texts of a step is new, measured against the training text and chance. */
import type { CopiedRun, TracedText } from '../../engine/trainer.ts';
import { chanceOf } from '../../store/training/chance.ts';

/** Share of a stream from which on it counts as copied word for word. */
const WHOLE = 0.9;
/** Shares of new text between which a step counts as half new. */
const HALF = [0.25, 0.75] as const;

export interface Judged {
  /** Number of texts that are not blank. */
  readonly count: number;
  /** Matches to name: whole lines of documents, or the longest match of a stream. */
  readonly copied: readonly { readonly text: string; readonly run: CopiedRun }[];
  /** Share of the texts that is new, from 0 to 1: of documents by number, of streams by letters. */
  readonly fresh: number;
  /** Whether nothing is new. */
  readonly isWhole: boolean;
  /** Whether chance alone explains all copied lines. */
  readonly isChance: boolean;
}

/**
 * Judges texts by their matches. A document is copied if it is a line of the training text; of a
 * stream, the matches longer than chance are. Null without texts, or if chance cannot be measured.
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
  if (!documents) {
    const all = said.flatMap(({ text, runs }) => runs.map((run) => ({ text, run })));
    const longest = all.reduce<(typeof all)[number] | null>(
      (best, one) => (one.run.characters > (best?.run.characters ?? 0) ? one : best),
      null,
    );
    const length = said.reduce((sum, { text }) => sum + text.length, 0);
    const copied = all.reduce((sum, { run }) => sum + run.end - run.start, 0);
    const fresh = 1 - copied / length;
    return {
      count: said.length,
      copied: longest === null ? [] : [longest],
      fresh,
      isWhole: 1 - fresh >= WHOLE,
      isChance: false,
    };
  }
  const copied = said.flatMap(({ text, runs }) => {
    const run = runs.find(({ isLine }) => isLine);
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

/** Whether about half of the texts is new. */
export const isHalf = ({ fresh }: Judged): boolean => fresh >= HALF[0] && fresh <= HALF[1];
