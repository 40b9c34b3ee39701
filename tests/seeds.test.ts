/** Significance of the difference of two runs: a paired t-test over three seeds. */
import { describe, expect, it } from 'vitest';
import { judge } from '../web/instruments/twin/seeds.ts';

const rows = (...gaps: number[]) =>
  gaps.map((gap, seed) => ({ seed, values: [2, 2 + gap] as const }));

describe('two runs with three seeds', () => {
  it('have the mean and the standard deviation of their differences', () => {
    const { mean, deviation } = judge(rows(0.1, 0.2, 0.3));
    expect(mean).toBeCloseTo(0.2, 12);
    expect(deviation).toBeCloseTo(0.1, 12);
  });

  it('differ by more than chance where t with two degrees of freedom is beyond its 95% quantile', () => {
    // t = mean / (deviation / √3): 4.33 and 4.24; the 95% quantile is 4.303.
    expect(judge(rows(0.25 - 0.1, 0.25, 0.25 + 0.1)).isReal).toBe(true);
    expect(judge(rows(0.245 - 0.1, 0.245, 0.245 + 0.1)).isReal).toBe(false);
    expect(judge(rows(-0.15, -0.25, -0.35)).isReal).toBe(true);
    expect(judge(rows(0, 0, 0)).isReal).toBe(false);
    expect(judge(rows(0.1, NaN, 0.1)).isReal).toBe(false);
  });
});
