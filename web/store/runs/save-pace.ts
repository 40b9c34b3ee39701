/**
 * Interval between saves of a run: short enough to lose little, long enough to cost little time.
 */

/** Milliseconds before the first save, and minimum between later ones. */
const FIRST = 1_000;
const LEAST = 3_000;
/** Maximum share of the time for saving. */
const SHARE = 0.01;

/** Maximum bytes of a checkpoint to save: a larger one would pause training for a second. */
export const LARGEST_FILE = 256 * 2 ** 20;

/** Milliseconds from the end of a save to the next, if one costs `cost` milliseconds. */
export function saveInterval(saves: number, cost: number): number {
  const floor = saves === 0 ? FIRST : LEAST;
  return Math.max(floor, cost / SHARE);
}

/** Approximate size of a checkpoint: weights, their two moments, and losses. */
export function checkpointBytes(parameters: number, step: number): number {
  return 12 * parameters + 4 * Math.min(step, 2 ** 18);
}
