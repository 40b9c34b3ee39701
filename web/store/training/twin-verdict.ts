/** Decides which of the compared runs is best, and by how much. */
import { sentences } from '../../i18n/index.ts';
import type { AllWords, AnyKey } from '../../i18n/index.ts';
import { unitFactor, unitKey } from '../../data/loss-data.ts';
import type { LossUnit } from '../../data/loss-data.ts';

/** One of the runs to compare. */
export interface TwinRun {
  readonly name: string;
  /** Differences from the run it is judged against, for sentences that name only these two. */
  readonly apart: string;
  /** Key of the training text. */
  readonly text: string;
  /** Smoothed loss at the common step, in nats per token. */
  readonly loss: number;
  readonly bits: number;
  /**
   * Validation loss in nats per token, and its step, which may precede the common step; null
   * without validation.
   */
  readonly validation: { readonly step: number; readonly loss: number } | null;
  /** Validation tokens per character; NaN if unknown. */
  readonly heldOut: number;
  readonly sample: string;
}

/**
 * The loss to compare: validation loss if all runs measured it at the same step and, where their
 * tokens differ, validation tokens per character are known; otherwise training loss, in bits per
 * character where tokens differ.
 */
export type Measure = 'validation' | 'loss' | 'bits';

export interface Verdict {
  readonly measure: Measure;
  /** Step of the compared losses. */
  readonly step: number;
  readonly best: string;
  readonly other: string;
  /** Difference between the lowest and the next loss, in `unit`. */
  readonly gap: number;
  /** The lowest loss, in `unit`. */
  readonly value: number;
  readonly unit: LossUnit;
  /** Whether a context holds equally much text in all runs, as their tokens are equally long. */
  readonly sameTokens: boolean;
}

/** Relative difference in text per token below which tokenizers count as the same. */
const SAME_TOKENS = 1e-6;

/** Whether the runs learned different texts, whose losses are not comparable. */
export function haveOtherTexts(runs: readonly TwinRun[]): boolean {
  return new Set(runs.map(({ text }) => text)).size > 1;
}

/**
 * Compares `runs` at `step`, the last that all have reached; null if they are not comparable. The
 * gap is in `wanted` if that unit is known and fair; with different tokens it is in bits per
 * character.
 */
export function verdictOf(
  runs: readonly TwinRun[],
  step: number,
  wanted: LossUnit = 'nats',
): Verdict | null {
  if (haveOtherTexts(runs)) return null;
  const scales = runs.map(({ bits, loss }) => bits / loss);
  const sameTokens = Math.max(...scales) - Math.min(...scales) <= SAME_TOKENS * Math.max(...scales);
  const validated = new Set(runs.map(({ validation }) => validation?.step));
  const [at] = validated;
  const byCharacter = runs.every(({ heldOut }) => heldOut > 0);
  const isValidated = validated.size === 1 && at !== undefined && (sameTokens || byCharacter);
  const measure: Measure = isValidated ? 'validation' : sameTokens ? 'loss' : 'bits';
  const fair = sameTokens ? wanted : 'bits';
  const unit: LossUnit = isValidated && !byCharacter ? 'nats' : fair;
  const ranked = runs
    .map((run) => ({ name: run.apart, value: measuredOf(run, measure, unit) }))
    .sort((a, b) => a.value - b.value);
  const [best, other] = ranked;
  if (!best || !other || !ranked.every(({ value }) => Number.isFinite(value))) return null;
  const gap = other.value - best.value;
  const of = measure === 'validation' ? at! : step;
  const { name, value } = best;
  return { measure, step: of, best: name, other: other.name, gap, value, unit, sameTokens };
}

/** Share of the lower loss below which a gap is small, so that another seed alone may cause it. */
const SMALL = 0.05;

/** Whether a second seed is needed to confirm the better run. */
export function isSmall({ gap, value }: Pick<Verdict, 'gap' | 'value'>): boolean {
  return gap < SMALL * value;
}

/** The compared loss of `run`, in `unit`. */
export function measuredOf(
  { loss, bits, validation, heldOut }: Omit<TwinRun, 'name' | 'apart' | 'text'>,
  measure: Measure,
  unit: LossUnit,
): number {
  if (measure === 'validation') return (validation?.loss ?? NaN) * unitFactor({ unit }, heldOut);
  return unit === 'nats' ? loss : bits;
}

/** Whether differing settings had no effect, so that the same training was repeated. */
function areSame([one, other]: readonly TwinRun[], { gap, sameTokens }: Verdict): boolean {
  return sameTokens && gap === 0 && one?.loss === other?.loss && one?.sample === other?.sample;
}

/** Losses closer than this count as equal, because another seed would differ more. */
const ALIKE = 0.005;

/** Describes in words which run is best, and how reliable the difference is. */
export function verdictSentence(
  runs: readonly TwinRun[],
  step: number,
  unit: LossUnit,
  words: AllWords,
): string {
  const { t } = words;
  // Compares, among more than two runs, the current one with the latest earlier one; the table has
  // all.
  const isPair = runs.length > 2;
  const judged = isPair ? [runs[0]!, runs.at(-1)!] : runs;
  const found = verdictOf(judged, step, unit);
  if (found === null) return haveOtherTexts(judged) ? t('twin.verdict.texts') : '';
  const { measure, best, other, gap } = found;
  const at = words.number(found.step);
  const of = isPair ? [t('twin.verdict.pair')] : [];
  const but = found.sameTokens ? [] : [t('twin.verdict.context')];
  if (areSame(judged, found)) {
    return sentences([...of, t('twin.verdict.same', { step: at, best, other })], words);
  }
  if (gap < ALIKE) {
    const alike = t(`twin.verdict.${measure}.alike` satisfies AnyKey, { step: at, best, other });
    return sentences([...of, alike, ...but], words);
  }
  const named = { gap: words.number(gap, 3), unit: t(unitKey(found.unit)) };
  const said = t(`twin.verdict.${measure}` satisfies AnyKey, { step: at, best, other, ...named });
  const chance = isSmall(found) ? [t('twin.verdict.chance')] : [];
  return sentences([...of, said, ...but, ...chance], words);
}

/** Unit of all validation losses: that of the verdict, or `wanted` if known for each run. */
export function validationUnit(runs: readonly TwinRun[], step: number, wanted: LossUnit): LossUnit {
  const found = verdictOf(runs, step, wanted);
  if (found?.measure === 'validation') return found.unit;
  const known = runs.every(({ heldOut, validation }) => !validation || heldOut > 0);
  return known ? wanted : 'nats';
}

/** A validation loss, with its step if that differs from `step`. */
export function validationText(
  { validation, heldOut }: TwinRun,
  unit: LossUnit,
  step: number,
  words: AllWords,
): string {
  if (validation === null) return words.number(NaN);
  const loss = words.number(validation.loss * unitFactor({ unit }, heldOut), 3);
  const at = words.number(validation.step);
  return validation.step === step ? loss : words.t('twin.validation.at', { loss, step: at });
}
