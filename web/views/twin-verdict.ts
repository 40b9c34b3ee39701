/** Which of the runs that are held against each other did best, and by how much. */
import { unitFactor } from './loss-data.ts';
import type { LossUnit } from './loss-data.ts';
import type { TwinRun } from './twin-panel.ts';

/**
 * What the runs are compared by: the loss of what none of them learned where all of them measured it,
 * and, where their tokens differ, know it by character; otherwise that of what they learned, by
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

/** Whether they learned different texts: then one has the easier task, and neither is the better. */
export function haveOtherTexts(runs: readonly TwinRun[]): boolean {
  return new Set(runs.map(({ text }) => text)).size > 1;
}

/**
 * Compares `runs` at `step`, the last that all of them have; null where there is nothing to compare.
 * The gap is in `wanted` where that unit is known of all of them and fair: tokens that differ leave
 * bits per character only.
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
    .map((run) => ({ name: run.name, value: valueOf(run, measure, unit) }))
    .sort((a, b) => a.value - b.value);
  const [best, other] = ranked;
  if (!best || !other || !ranked.every(({ value }) => Number.isFinite(value))) return null;
  const gap = other.value - best.value;
  const of = measure === 'validation' ? at! : step;
  const { name, value } = best;
  return { measure, step: of, best: name, other: other.name, gap, value, unit, sameTokens };
}

/** A gap below this part of the better loss is small: another seed alone may make as much of a difference. */
const SMALL = 0.05;

/** Whether only a second seed could tell that the better run is better. */
export function isSmall({ gap, value }: Pick<Verdict, 'gap' | 'value'>): boolean {
  return gap < SMALL * value;
}

function valueOf(
  { loss, bits, validation, heldOut }: TwinRun,
  measure: Measure,
  unit: LossUnit,
): number {
  if (measure === 'validation') return (validation?.loss ?? NaN) * unitFactor({ unit }, heldOut);
  return unit === 'nats' ? loss : bits;
}
