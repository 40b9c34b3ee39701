/** When a run is saved: often enough to lose little, seldom enough to cost nothing. */

/** Milliseconds from the start of training to its first save, and between two later ones. */
const FIRST = 1_000;
const LEAST = 3_000;
/** Saving may take this share of the time at most. */
const SHARE = 0.01;

/** Larger checkpoints are not written by themselves: each would hold training up for a second. */
export const LARGEST_FILE = 256 * 2 ** 20;

/** Milliseconds between the end of one save and the next, when one costs `cost` milliseconds. */
export function saveInterval(saves: number, cost: number): number {
  const floor = saves === 0 ? FIRST : LEAST;
  return Math.max(floor, cost / SHARE);
}

/** About how many bytes a checkpoint has: weights and their two running means, and the losses. */
export function checkpointBytes(parameters: number, step: number): number {
  return 12 * parameters + 4 * Math.min(step, 2 ** 18);
}
