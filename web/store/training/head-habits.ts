/**
 * The habit of an attention head, named from plain statistics of its weights. Four of them say
 * where it looks; a habit is named when the head gives that place clearly more than even attention
 * would.
 */

import type { HeadPlace } from '../../data/attention-data.ts';

export const HABITS = ['previous', 'itself', 'first', 'same'] as const;
export type Habit = (typeof HABITS)[number];

/**
 * A statistic between 0 and 1 (NaN when the text says nothing of it), and that of even attention.
 */
export interface Measure {
  readonly value: number;
  readonly uniform: number;
  /** How many tokens count for it. */
  readonly rows: number;
}

/** What a head does on one text. */
export interface HeadMeasures extends Readonly<Record<Habit, Measure>> {
  /** 1 when attention is spread evenly, 0 when each token looks at one other only. */
  readonly entropy: Measure;
}

/** Every head before training, layer by layer; or that it is asked for, or that nobody knows. */
export type UntrainedHeads = readonly HeadMeasures[] | 'awaited' | 'unknown';

/** How far above even attention a statistic must lie, as a share of the way to 1, to be named. */
export const CLEAR = 0.25;
/** Normalised entropy from which on a head without habit is called spread out. */
export const SPREAD = 0.9;
/** From which on down a head looks at hardly more than one token at a time. */
export const PEAKED = 0.3;
/** Few tokens have an earlier copy: what happens once is no habit. */
const FEWEST = 2;

/** The strongest habit of a head; `spread` when it looks everywhere; null when nothing is clear. */
export function habitOf(measures: HeadMeasures): Habit | 'spread' | null {
  const { habit, lift } = strongest(measures);
  if (habit !== null && lift >= CLEAR) return habit;
  return measures.entropy.value >= SPREAD ? 'spread' : null;
}

/** The habit that lies farthest above even attention, as a share of the way to 1. */
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

/** By so much another head must be clearer to take the place of the one that is shown. */
const CLEARER = 0.1;

/** How clear what a head does is: a named habit counts more than any weights without one. */
function clarityOf(measures: HeadMeasures): number {
  const { lift } = strongest(measures);
  return lift >= CLEAR ? 1 + lift : 1 - (measures.entropy.value || 0);
}

/**
 * The head to show where nobody has chosen one: the one with the clearest habit, or where none has
 * one, that which looks at the fewest tokens at a time. It changes only for one that is clearer by
 * far, so that nothing flickers while a run goes on.
 */
export class ClearestHead {
  /** Where it was found last. */
  place: HeadPlace = { layer: 0, head: 0 };
  #run = -1;

  /** Finds it among the heads of `run`, which are told layer by layer. */
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

/** The figure that stands for a habit. */
export function strengthOf(measures: HeadMeasures, habit: Habit | 'spread'): number {
  return habit === 'spread' ? measures.entropy.value : measures[habit].value;
}
