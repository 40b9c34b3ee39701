/** Which of the runs that are held against each other did best, and by how much. */
import { sentences } from '../../i18n/index.ts';
import type { AllWords, AnyKey } from '../../i18n/index.ts';
import { unitFactor, unitKey } from '../../data/loss-data.ts';
import type { LossUnit } from '../../data/loss-data.ts';

/** One of the runs to compare. */
export interface TwinRun {
  readonly name: string;
  /**
   * What tells it from the one that it is judged against, which is enough where only these two are
   * named.
   */
  readonly apart: string;
  /** Tells the texts apart that runs have learned. */
  readonly text: string;
  /** Smoothed, at the common step, in nats per token. */
  readonly loss: number;
  readonly bits: number;
  /**
   * In nats per token, with its step, which may be before the common one; null where nothing is
   * held out.
   */
  readonly validation: { readonly step: number; readonly loss: number } | null;
  /** Tokens of the text that is held out over its characters; NaN where nobody knows. */
  readonly heldOut: number;
  readonly sample: string;
}

/**
 * What the runs are compared by: the loss of what none of them learned where all of them measured
 * it, and, where their tokens differ, know it by character; otherwise that of what they learned, by
 * character where their tokens differ.
 */
export type Measure = 'validation' | 'loss' | 'bits';

export interface Verdict {
  readonly measure: Measure;
  /** The step at which they are compared. */
  readonly step: number;
  readonly best: string;
  readonly other: string;
  /** By how much the best is below the next best, in `unit`. */
  readonly gap: number;
  /** Of the best, in `unit`. */
  readonly value: number;
  readonly unit: LossUnit;
  /** Whether a context holds as much text for each of them: other tokens are of another length. */
  readonly sameTokens: boolean;
}

/** Tokens of two tokenizers differ in how much text they hold by more than this part of it. */
const SAME_TOKENS = 1e-6;

/**
 * Whether they learned different texts: then one has the easier task, and neither is the better.
 */
export function haveOtherTexts(runs: readonly TwinRun[]): boolean {
  return new Set(runs.map(({ text }) => text)).size > 1;
}

/**
 * Compares `runs` at `step`, the last that all of them have; null where there is nothing to
 * compare. The gap is in `wanted` where that unit is known of all of them and fair: tokens that
 * differ leave bits per character only.
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

/**
 * A gap below this part of the better loss is small: another seed alone may make as much of a
 * difference.
 */
const SMALL = 0.05;

/** Whether only a second seed could tell that the better run is better. */
export function isSmall({ gap, value }: Pick<Verdict, 'gap' | 'value'>): boolean {
  return gap < SMALL * value;
}

/** What `run` is compared by, in `unit`. */
export function measuredOf(
  { loss, bits, validation, heldOut }: Omit<TwinRun, 'name' | 'apart' | 'text'>,
  measure: Measure,
  unit: LossUnit,
): number {
  if (measure === 'validation') return (validation?.loss ?? NaN) * unitFactor({ unit }, heldOut);
  return unit === 'nats' ? loss : bits;
}

/**
 * Whether one and the same training was done twice: what differs in the settings changed nothing.
 */
function areSame([one, other]: readonly TwinRun[], { gap, sameTokens }: Verdict): boolean {
  return sameTokens && gap === 0 && one?.loss === other?.loss && one?.sample === other?.sample;
}

/** Losses that differ by less are as good as alike: other dice would make more of a difference. */
const ALIKE = 0.005;

/** Says in words what a table says in figures: which run did best, and how much that is worth. */
export function verdictSentence(
  runs: readonly TwinRun[],
  step: number,
  unit: LossUnit,
  words: AllWords,
): string {
  const { t } = words;
  // Of more runs the table has all: what was tried last is judged against what was tried before it.
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

/**
 * The unit of all validation losses: that of the verdict, or the chosen one where it is known of
 * each run.
 */
export function validationUnit(runs: readonly TwinRun[], step: number, wanted: LossUnit): LossUnit {
  const found = verdictOf(runs, step, wanted);
  if (found?.measure === 'validation') return found.unit;
  const known = runs.every(({ heldOut, validation }) => !validation || heldOut > 0);
  return known ? wanted : 'nats';
}

/** Says of which step it is, unless that is the one of the whole table. */
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
