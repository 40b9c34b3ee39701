/** What was found of a text in the training text, in sentences: for the tab and the report. */
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';

/** A part of a text that stands in the training text. */
export interface ShownRun {
  readonly start: number;
  readonly end: number;
  readonly characters: number;
  readonly isLine: boolean;
  readonly count: number;
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

export interface ShownBase {
  readonly characters: number;
  readonly lines: number;
  readonly of: 'held-out' | 'left-out';
}

/** The share of lines that stand in the rest of the text from which on one more says nothing. */
const COMMON_LINES = 0.05;

export interface FoundParts {
  /** Whether sequences are lines. */
  readonly documents: boolean;
  /** Null until it is known, and where nothing tells it. */
  readonly base: ShownBase | null;
  /** The newest texts with their parts; null until there are any. */
  readonly newest: {
    readonly step: number;
    readonly texts: readonly string[];
    readonly runs: readonly (readonly ShownRun[])[];
  } | null;
}

/** Why a part that was found may be chance all the same; null for other parts. */
export function chanceOf(
  { isLine, characters }: Pick<ShownRun, 'isLine' | 'characters'>,
  base: ShownBase,
): 'short' | 'repeats' | null {
  if (!isLine) return null;
  if (characters <= base.characters) return 'short';
  return base.lines > COMMON_LINES ? 'repeats' : null;
}

/** How much of the newest texts was copied; empty where nothing tells what chance alone gives. */
export function saidOf({ newest, documents, base }: FoundParts, words: AllWords): string {
  if (newest === null || base === null) return '';
  const { t, number } = words;
  const step = number(newest.step);
  const copied = newest.runs.filter((runs) => runs.some(({ isLine }) => isLine)).length;
  const lines = documents ? t('copied.lines', { step, count: newest.runs.length, copied }) : '';
  const lengths = newest.runs.flat().flatMap((run) => (run.isLine ? [] : run.characters));
  const most = Math.max(0, ...lengths);
  const longest = most > 0 ? t('copied.longest', { step, characters: most }) : '';
  const none = documents || most > 0 ? '' : t('copied.longest.none', { step });
  return sentences([lines, longest, none], words);
}

/** How much any text has of it: without that, the other figures say nothing. */
export function baseText({ newest, documents, base }: FoundParts, words: AllWords): string {
  const { t, number } = words;
  if (newest === null) return '';
  if (base === null) return t('copied.base.none');
  const share = number(base.lines * 100, base.lines < 0.1 && base.lines > 0 ? 1 : 0);
  const lines = documents ? t(`copied.lines.${base.of}`, { share }) : '';
  const rate = t(`copied.base.${base.of}`, { characters: base.characters });
  return sentences([lines, rate], words);
}
