/** The next round value up or down, for the buttons and arrow keys of number fields. */
import type { Ladder } from '../base/ladder.ts';

export interface Nudgeable {
  readonly name: string;
  readonly type: 'int' | 'real' | 'bool' | 'choice';
  readonly min: number;
  readonly max: number;
  /** Steps of the option; empty for choices. */
  readonly ladder: Ladder | '';
}

/** Whether an option may have this value together with the present values of the others. */
export type Fits = (option: string, value: number) => boolean;

/**
 * The next value of `option` above (1) or below (-1) `value` within its range: the first that fits
 * the other options, or simply the next if none fits.
 */
export function nudge(
  option: Nudgeable,
  value: number,
  direction: 1 | -1,
  fits: Fits = () => true,
): number {
  const { name, min, max } = option;
  if (!Number.isFinite(value)) return min;
  const inRange = (one: number): number => Math.min(max, Math.max(min, one));
  const next = inRange(onwards(option, value, direction));
  for (let one = next, last = value; one !== last;) {
    if (fits(name, one)) return one;
    last = one;
    one = inRange(onwards(option, one, direction));
  }
  return next;
}

function onwards({ ladder, type }: Nudgeable, value: number, direction: 1 | -1): number {
  switch (ladder) {
    case 'ones':
      return value + direction;
    case 'halves':
      return onLadder(value, direction, [1, 1.5], 2, true);
    case 'twentieths':
      return Number((value + direction * 0.05).toFixed(4));
    default:
      return onLadder(value, direction, [1, 2, 5], 10, type === 'int');
  }
}

/** The neighbour of `value` among `rungs` times powers of `base`. */
function onLadder(
  value: number,
  direction: 1 | -1,
  rungs: readonly number[],
  base: number,
  whole: boolean,
): number {
  if (value <= 0) return direction === 1 ? (whole ? 1 : 0.0001) : 0;
  const low = Math.floor(Math.log(value) / Math.log(base)) - 1;
  const candidates: number[] = [];
  for (let power = low; power <= low + 3; power++) {
    for (const rung of rungs) candidates.push(Number((rung * base ** power).toPrecision(6)));
  }
  const usable = whole ? candidates.filter((candidate) => Number.isInteger(candidate)) : candidates;
  const tiny = value * 1e-9;
  if (direction === 1) return usable.find((candidate) => candidate > value + tiny) ?? value;
  return usable.filter((candidate) => candidate < value - tiny).at(-1) ?? 0;
}
