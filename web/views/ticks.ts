/** Round numbers along an axis. */

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

/** As few round values as tell a scale: two, or as many more as the next finer step brings. */
export function fewTicks(low: number, high: number): number[] {
  for (let most = 2; most < 12; most++) {
    const ticks = linearTicks(low, high, most);
    if (ticks.length > 1) return ticks;
  }
  return linearTicks(low, high, 2);
}

/** The share of one of `most` equal parts of an axis that two values must at least be apart. */
const APART = 0.6;

/**
 * Values for a logarithmic axis with room for `most` evenly spread ones: 1, 2 and 5 of each power of
 * ten, or only the powers, or some of them; plain ones where it is short. None are too close together.
 */
export function logTicks(low: number, high: number, most: number): number[] {
  if (!(low > 0) || !(high > low)) return [];
  const least = (APART * Math.log(high / low)) / Math.max(1, most);
  const fit = (ticks: readonly number[]): boolean =>
    ticks.every((tick, at) => at === 0 || Math.log(tick / (ticks[at - 1] ?? tick)) >= least);
  if (high / low < 8) {
    for (let count = most; count > 1; count--) {
      const ticks = linearTicks(low, high, count);
      if (fit(ticks)) return ticks;
    }
    return linearTicks(low, high, 1);
  }
  const inside = (powers: number, rungs: readonly number[]): number[] => {
    const ticks: number[] = [];
    const first = Math.floor(Math.log10(low) / powers) * powers;
    for (let power = first; power <= Math.log10(high); power += powers) {
      for (const rung of rungs) {
        const value = Number((rung * 10 ** power).toPrecision(12));
        if (value >= low && value <= high) ticks.push(value);
      }
    }
    return ticks;
  };
  const fine = inside(1, [1, 2, 5]);
  if (fit(fine)) return fine;
  for (let powers = 1; ; powers++) {
    const ticks = inside(powers, [1]);
    if (fit(ticks)) return ticks;
  }
}

/** Decimals that tell neighbouring ticks apart. */
export function tickDigits(ticks: readonly number[]): number {
  for (let digits = 0; digits < 6; digits++) {
    const exact = ticks.every(
      (tick) => Math.abs(tick * 10 ** digits - Math.round(tick * 10 ** digits)) < 1e-6,
    );
    if (exact) return digits;
  }
  return 6;
}
