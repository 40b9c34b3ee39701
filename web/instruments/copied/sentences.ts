/** Sentences on matches of a text with the training text, for the tab and the report. */
import type { BaseRate, CopiedRun } from '../../engine/trainer.ts';
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';

export interface FoundParts {
  /** Whether sequences are lines. */
  readonly documents: boolean;
  /** The base rate; null if unknown. */
  readonly base: BaseRate | null;
  /** The newest texts with their matches; null before the first lookup. */
  readonly newest: {
    readonly step: number;
    readonly texts: readonly string[];
    readonly runs: readonly (readonly CopiedRun[])[];
  } | null;
}

/** Copied lines and the longest match of the newest texts; empty if the base rate is unknown. */
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

/** The base rate in a sentence. Without the base rate, the other figures are meaningless. */
export function baseText({ newest, documents, base }: FoundParts, words: AllWords): string {
  const { t, number } = words;
  if (newest === null) return '';
  if (base === null) return t('copied.base.none');
  const share = number(base.lines * 100, base.lines < 0.1 && base.lines > 0 ? 1 : 0);
  const lines = documents ? t(`copied.lines.${base.of}`, { share }) : '';
  const rate = t(`copied.base.${base.of}`, { characters: base.characters });
  return sentences([lines, rate], words);
}
