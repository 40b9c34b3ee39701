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

export interface FoundParts {
  /** Whether sequences are lines. */
  readonly documents: boolean;
  readonly base: ShownBase | null;
  /** The newest texts with their parts; null until there are any. */
  readonly newest: {
    readonly step: number;
    readonly texts: readonly string[];
    readonly runs: readonly (readonly ShownRun[])[];
  } | null;
}

/** How much of the newest texts was copied. */
export function saidOf({ newest, documents }: FoundParts, words: AllWords): string {
  if (newest === null) return '';
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
export function baseText({ documents }: FoundParts, base: ShownBase, words: AllWords): string {
  const { t, number } = words;
  const share = number(base.lines * 100, base.lines < 0.1 && base.lines > 0 ? 1 : 0);
  const lines = documents ? t(`copied.lines.${base.of}`, { share }) : '';
  const rate = t(`copied.base.${base.of}`, { characters: base.characters });
  return sentences([lines, rate], words);
}
