/** The arithmetic behind the loss views: what is kept of each step, its CSV, and round ticks. */
import { describe, expect, test } from 'vitest';
import { lossCsv } from '../web/views/loss-csv.ts';
import { PLAIN_LOOK, lineStyle, lossRange, stepRange, unitFactor } from '../web/views/loss-data.ts';
import type { LossData } from '../web/views/loss-data.ts';
import { KEPT_STEPS, LossHistory } from '../web/views/loss-history.ts';
import { linearTicks, logTicks, tickDigits } from '../web/views/ticks.ts';

function history(losses: readonly number[]): LossHistory {
  const made = new LossHistory();
  made.append(
    0,
    losses,
    losses.map(() => 0.001),
    losses.map((loss) => loss * 2),
  );
  return made;
}

function data(one: LossHistory, steps: number): LossData {
  const tokensPerCharacter = { train: 1, validation: 1 };
  const rest = { randomLoss: 3.3, hasValidation: false, lines: [] };
  return { history: one, steps, tokensPerCharacter, ...rest };
}

describe('the losses of a run', () => {
  test('come out as CSV with every digit, and empty where nothing is known', () => {
    const one = history([0.1 + 0.2, NaN]);
    one.addValidation(1, 1 / 3);
    const lines = lossCsv(one).split('\r\n');
    expect(lines[0]).toBe('step,loss,smoothed,validation,learning_rate,gradient_norm');
    const first = (lines[1] ?? '').split(',');
    expect(Number(first[1])).toBe(0.1 + 0.2);
    expect(Number(first[3])).toBe(1 / 3);
    expect(Number(first[5])).toBe((0.1 + 0.2) * 2);
    // The mean goes on from what is known; the loss itself is not made up.
    expect(lines[2]).toBe(`2,,${String(first[2])},,0.001,`);
    expect(lines[3]).toBe('');
  });

  test('are not smoothed at strength 0, and more evenly at greater strength', () => {
    const one = history(Array.from({ length: 400 }, (_, index) => 2 + (index % 2)));
    const swing = (smoothing: number): number => {
      const { smoothed } = one.columns(1000, { from: 300, to: 399, smoothing });
      const known = smoothed.filter((value) => value !== null);
      return Math.max(...known) - Math.min(...known);
    };
    expect(swing(0)).toBe(1);
    expect(swing(1)).toBeLessThan(0.1);
    expect(swing(6)).toBeLessThan(swing(1));
  });

  test('show every step of a part that is in view, and one beyond on either side', () => {
    const one = history(Array.from({ length: 5000 }, () => 1));
    expect(one.columns(100).steps.length).toBeLessThan(110);
    const { steps } = one.columns(100, { from: 2001, to: 2050 });
    expect(steps[0]).toBe(2000);
    expect(steps.at(-1)).toBe(2051);
    expect(steps).toHaveLength(52);
  });
});

describe('the losses of a run of more steps than are kept', () => {
  const steps = 4 * KEPT_STEPS + 3;
  const lossOf = (step: number): number => 3 + 1 / step;
  const one = new LossHistory();
  // As they come from the worker: a few at a time, some of them twice.
  for (let from = 0; from < steps; from += 1000) {
    const count = Math.min(1000, steps - from);
    const losses = Array.from({ length: count }, (_, index) => lossOf(from + index + 1));
    one.append(from, losses, losses, losses);
    one.append(from, losses.slice(0, 5), losses, losses);
  }

  test('take no more room, cover all of it, and belong to their steps', () => {
    expect(one.length).toBe(steps);
    expect(one.all.length).toBeLessThanOrEqual(KEPT_STEPS);
    expect(one.all.length).toBeGreaterThan(KEPT_STEPS / 2);
    for (const step of [1, 100_000, steps - 1, steps]) {
      const point = one.at(step);
      expect(point?.loss).toBe(lossOf(point?.step ?? NaN));
      expect(step - (point?.step ?? NaN)).toBeLessThan(one.stride);
      expect(point?.smoothed).toBeCloseTo(lossOf(step), 3);
    }
    expect(one.at(steps + 1)).toBeUndefined();
    expect(one.last).toBe(lossOf(steps));
    const resumed = new LossHistory();
    resumed.append(0, [3, NaN, 2, NaN]);
    expect([resumed.last, resumed.length]).toEqual([2, 4]);
    const rows = lossCsv(one).trim().split('\r\n').slice(1);
    expect(rows).toHaveLength(one.all.length);
    for (const row of [rows[0], rows[777], rows.at(-1)]) {
      const [step, loss] = (row ?? '').split(',').map(Number);
      expect(loss).toBe(lossOf(step ?? NaN));
    }
  });

  test('are drawn from a few points, and make a table of few rows', () => {
    const all = one.columns(1000);
    expect(all.steps.length).toBeLessThan(1100);
    expect(all.steps[0]).toBe(1);
    expect(steps - (all.steps.at(-1) ?? 0)).toBeLessThan(one.stride);
    const part = one.columns(1000, { from: 90_000, to: 90_100 });
    expect(part.steps[0]).toBeLessThan(90_000);
    expect(part.steps.at(-1)).toBeGreaterThan(90_100);
    const blocks = one.blocks(one.blockSize());
    expect(blocks.length).toBeLessThanOrEqual(61);
    expect(blocks.at(-1)?.to).toBe(steps);
  });
});

describe('the axes', () => {
  test('reach a round step ahead of the longest line, or what is in view', () => {
    const one = history(Array.from({ length: 130 }, () => 1));
    expect(stepRange(data(one, 5000), PLAIN_LOOK)).toEqual([0, 200]);
    expect(stepRange(data(one, 5000), { ...PLAIN_LOOK, window: [20, 40] })).toEqual([20, 40]);
    const longer = history(Array.from({ length: 400 }, () => 1));
    const tokensPerCharacter = { train: 1, validation: 1 };
    const line = { id: 0, name: '', history: longer, tokensPerCharacter, shown: true };
    expect(stepRange({ ...data(one, 130), lines: [line] }, PLAIN_LOOK)[1]).toBeGreaterThan(399);
  });

  test('have round ticks, told apart by as many decimals as they need', () => {
    expect(linearTicks(1.9, 3.4, 4)).toEqual([2, 2.5, 3]);
    expect(logTicks(1, 1000, 5)).toEqual([1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]);
    expect(tickDigits([0.25, 0.5])).toBe(2);
    expect(linearTicks(3, 3, 4)).toEqual([]);
  });

  test('stay positive where they are logarithmic', () => {
    const [low, high] = lossRange([0.5, 4, 0, NaN], { ...PLAIN_LOOK, logLoss: true });
    expect(low).toBeGreaterThan(0.3);
    expect(high).toBeGreaterThan(4);
  });

  test('measure bits per character with the tokens that a character takes', () => {
    expect(Math.LN2 * unitFactor({ ...PLAIN_LOOK, unit: 'bits' }, 0.5)).toBeCloseTo(0.5, 12);
    expect(unitFactor(PLAIN_LOOK, NaN)).toBe(1);
  });

  test('tell earlier runs apart by dash as well as by colour', () => {
    const dashes = [0, 1, 2, 3, 4, 5].map((id) => lineStyle(id).dash.join());
    expect(new Set(dashes).size).toBe(6);
  });
});
