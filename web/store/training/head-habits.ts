/**
 * Names the habit of an attention head from statistics of its weights. Four statistics measure
 * where the head attends; a habit is named if its statistic clearly exceeds that of uniform
 * attention.
 */

import type { HeadPlace } from '../../data/attention-data.ts';

export const HABITS = ['previous', 'itself', 'first', 'same'] as const;
export type Habit = (typeof HABITS)[number];

/**
 * A statistic from 0 to 1, and its value for uniform attention; NaN if no token of the text counts.
 */
export interface Measure {
  readonly value: number;
  readonly uniform: number;
  /** Number of tokens that count. */
  readonly rows: number;
}

/** Statistics of a head on one text. */
export interface HeadMeasures extends Readonly<Record<Habit, Measure>> {
  /** Normalised entropy: 1 for uniform attention, 0 if each token attends to a single token. */
  readonly entropy: Measure;
}

/** Minimum excess over uniform attention to name a habit, as a share of the largest possible. */
export const CLEAR = 0.25;
/** Normalised entropy from which a head without habit is called spread out. */
export const SPREAD = 0.9;
/** Minimum number of tokens with an earlier copy: a single one does not show a habit. */
const FEWEST = 2;

/**
 * The strongest habit of a head; `spread` for nearly uniform attention; null if no habit is clear.
 */
export function habitOf(measures: HeadMeasures): Habit | 'spread' | null {
  const { habit, lift } = strongest(measures);
  if (habit !== null && lift >= CLEAR) return habit;
  return measures.entropy.value >= SPREAD ? 'spread' : null;
}

/** The habit with the largest excess over uniform attention, as a share of the largest possible. */
function strongest(measures: HeadMeasures): {
  readonly habit: Habit | null;
  readonly lift: number;
} {
  let best: { habit: Habit | null; lift: number } = { habit: null, lift: -Infinity };
  for (const habit of HABITS) {
    const { value, uniform, rows } = measures[habit];
    if (habit === 'same' && rows < FEWEST) continue;
    const lift = (value - uniform) / (1 - uniform);
    if (lift >= best.lift) best = { habit, lift };
  }
  return best;
}

/** Minimum lead in clarity before another head replaces the shown one. */
const CLEARER = 0.1;

/** Clarity of a head: a named habit counts more than any entropy. */
function clarityOf(measures: HeadMeasures): number {
  const { lift } = strongest(measures);
  return lift >= CLEAR ? 1 + lift : 1 - (measures.entropy.value || 0);
}

/**
 * Chooses the head to show by default: the clearest habit, or if no head has a habit, the lowest
 * entropy. Changes only to a much clearer head, to avoid flicker during training.
 */
export class ClearestHead {
  /** The head chosen last. */
  place: HeadPlace = { layer: 0, head: 0 };
  #run = -1;

  /** Chooses among the heads of `run`, listed layer by layer. */
  find(
    run: number,
    { heads }: { readonly heads: number },
    all: readonly HeadMeasures[],
  ): HeadPlace {
    let shown = this.place.layer * heads + this.place.head;
    if (run !== this.#run || shown >= all.length) shown = 0;
    this.#run = run;
    const clarity = all.map(clarityOf);
    const best = clarity.indexOf(Math.max(...clarity));
    if ((clarity[best] ?? 0) > (clarity[shown] ?? 0) + CLEARER) shown = best;
    this.place = { layer: Math.floor(shown / heads), head: shown % heads };
    return this.place;
  }
}

/** The statistic that measures a habit. */
export function strengthOf(measures: HeadMeasures, habit: Habit | 'spread'): number {
  return habit === 'spread' ? measures.entropy.value : measures[habit].value;
}
