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

/** Values for a logarithmic axis: 1, 2 and 5 of each power of ten, or plain ones where it is short. */
export function logTicks(low: number, high: number, most: number): number[] {
  if (!(low > 0)) return [];
  if (high / low < 8) return linearTicks(low, high, most);
  const ticks: number[] = [];
  const wide = high / low > 1e4;
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++) {
    for (const rung of wide ? [1] : [1, 2, 5]) {
      const value = Number((rung * 10 ** power).toPrecision(12));
      if (value >= low && value <= high) ticks.push(value);
    }
  }
  return ticks;
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
