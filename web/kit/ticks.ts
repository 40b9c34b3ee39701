/** Round numbers for the ticks of an axis. */

/** About `most` labelled values of an axis, at least two, because one shows no scale. */
export function axisTicks(low: number, high: number, most: number, logarithmic: boolean): number[] {
  if (logarithmic) return logTicks(low, high, most);
  const ticks = linearTicks(low, high, most);
  return ticks.length > 1 ? ticks : fewTicks(low, high);
}

/** About `most` round values from `low` to `high`, 1, 2 or 5 times a power of ten apart. */
export function linearTicks(low: number, high: number, most: number): number[] {
  const rough = (high - low) / Math.max(1, most);
  if (!(rough > 0) || !Number.isFinite(rough)) return [];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((rung) => rung * power).find((rung) => rung >= rough) ?? rough;
  const ticks: number[] = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + step * 1e-9; at++) {
    ticks.push(Number((at * step).toPrecision(12)));
  }
  return ticks;
}

/** The fewest round values that show a scale: two, or a few more if no step gives two. */
export function fewTicks(low: number, high: number): number[] {
  for (let most = 2; most < 12; most++) {
    const ticks = linearTicks(low, high, most);
    if (ticks.length > 1) return ticks;
  }
  return linearTicks(low, high, 2);
}

/** Minimum distance between two labels of a logarithmic axis, as a share of its length / `most`. */
const APART = 0.6;

/** Multiples of a power of ten for a logarithmic axis, densest first. */
const RUNGS = [[1, 2, 5], [1, 3], [1]] as const;

/**
 * Ticks of a logarithmic axis with room for `most` labels: the densest of RUNGS whose ticks are far
 * enough apart (APART), or else every n-th power of ten. Linear ticks if `high` / `low` is below 8.
 */
export function logTicks(low: number, high: number, most: number): number[] {
  if (!(low > 0) || !(high > low)) return [];
  const least = (APART * Math.log(high / low)) / Math.max(1, most);
  const fit = (ticks: readonly number[]): boolean =>
    ticks.every((tick, at) => at === 0 || Math.log(tick / (ticks[at - 1] ?? tick)) >= least);
  if (high / low < 8) {
    for (let count = most; count > 1; count--) {
      const ticks = linearTicks(low, high, count);
      if (ticks.length > 1 && fit(ticks)) return ticks;
    }
    return fewTicks(low, high);
  }
  for (const rungs of RUNGS) {
    const ticks = rungsInside(low, high, rungs);
    if (ticks.length > 1 && fit(ticks)) return ticks;
  }
  for (let powers = 2; ; powers++) {
    const ticks = rungsInside(low, high, [1], powers);
    if (fit(ticks)) return ticks;
  }
}

/** Every `powers`-th power of ten from `low` to `high`, times each of `rungs`. */
function rungsInside(low: number, high: number, rungs: readonly number[], powers = 1): number[] {
  const ticks: number[] = [];
  const first = Math.floor(Math.log10(low) / powers) * powers;
  for (let power = first; power <= Math.log10(high); power += powers) {
    for (const rung of rungs) {
      const value = Number((rung * 10 ** power).toPrecision(12));
      if (value >= low && value <= high) ticks.push(value);
    }
  }
  return ticks;
}

/** A logarithmic axis over more powers of ten has no minor ticks. */
const MOST_POWERS = 6;

/** The values 1 to 9 of each power of ten: minor ticks that show that an axis is logarithmic. */
export function minorTicks(low: number, high: number): number[] {
  if (!(low > 0) || !(high > low) || high / low > 10 ** MOST_POWERS) return [];
  return rungsInside(low, high, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
}

/** Number of decimals that shows all ticks exactly; at most 6. */
export function tickDigits(ticks: readonly number[]): number {
  for (let digits = 0; digits < 6; digits++) {
    const exact = ticks.every(
      (tick) => Math.abs(tick * 10 ** digits - Math.round(tick * 10 ** digits)) < 1e-6,
    );
    if (exact) return digits;
  }
  return 6;
}
