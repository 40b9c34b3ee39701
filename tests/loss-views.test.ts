/** The arithmetic behind the loss views: what is kept of each step, its CSV, and round ticks. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readLossChoice } from '../web/app/loss-choice.ts';
import { KEPT_STEPS, KeptSteps } from '../web/base/kept-steps.ts';
import { lossCsv } from '../web/views/loss-csv.ts';
import {
  PLAIN_CHOICE,
  PLAIN_LOOK,
  heldOutKey,
  lineStyle,
  lossRange,
  readableTop,
  stepRange,
  unitFactor,
  zoomPlace,
} from '../web/views/loss-data.ts';
import type { LossData } from '../web/views/loss-data.ts';
import { LossHistory } from '../web/views/loss-history.ts';
import { placeKeys, textWidth } from '../web/views/picture-key.ts';
import { fewTicks, linearTicks, logTicks, tickDigits } from '../web/views/ticks.ts';

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
  const rest = { randomLoss: 3.3, training: false, hasValidation: false, lines: [] };
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

  test('are held against each other at the last validation that all of them have', () => {
    const [one, two] = [history(Array(130).fill(2)), history(Array(125).fill(2))];
    for (const step of [1, 20, 40, 60, 80, 100, 120]) one.addValidation(step, step);
    for (const step of [1, 50, 100]) two.addValidation(step, step);
    const common = LossHistory.commonValidation([one, two], 125);
    expect(common).toBe(100);
    expect(one.validationUntil(common ?? NaN)).toEqual({ step: 100, loss: 100 });
    expect(one.validationUntil(125)).toEqual({ step: 120, loss: 120 });
    expect(LossHistory.commonValidation([one, history([1])], 125)).toBeUndefined();
    expect(LossHistory.commonValidation([], 125)).toBeUndefined();
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

  test('keep their first steps on a logarithmic axis, which spreads them out', () => {
    const one = history(Array.from({ length: 50_000 }, () => 1));
    const { steps } = one.columns(1500, { logSteps: true });
    expect(steps.slice(0, 60)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
    expect(steps.length).toBeLessThan(1500);
    expect(steps.at(-1)).toBe(50_000);
    const gaps = steps.slice(1).map((step, at) => step / (steps[at] ?? NaN));
    expect(Math.max(...gaps.slice(200))).toBeLessThan(1.02);
  });

  test('tell the validation loss nearest to a step, with its own', () => {
    const one = history(Array.from({ length: 100 }, () => 1));
    for (const step of [1, 50, 100]) one.addValidation(step, step / 10);
    expect(one.validationNear(62)).toEqual({ step: 50, loss: 5 });
    expect(one.validationNear(75)).toEqual({ step: 50, loss: 5 });
    expect(one.validationNear(76)).toEqual({ step: 100, loss: 10 });
    expect(history([1, 1]).validationNear(2)).toBeUndefined();
  });
});

describe('the steps that are kept', () => {
  test('are every one until there are too many, then every second, in all columns alike', () => {
    const kept = new KeptSteps(['a', 'b']);
    for (let step = 1; step <= KEPT_STEPS; step++) kept.add({ a: step, b: -step });
    expect([kept.stride, kept.columns.a.length]).toEqual([1, KEPT_STEPS]);
    kept.add({ a: KEPT_STEPS + 1, b: -KEPT_STEPS - 1 });
    kept.add({ a: NaN, b: NaN });
    expect([kept.stride, kept.length]).toEqual([2, KEPT_STEPS + 2]);
    expect(kept.columns.a.slice(0, 3)).toEqual([1, 3, 5]);
    expect(kept.columns.a.at(-1)).toBe(KEPT_STEPS + 1);
    expect(kept.columns.b).toEqual(kept.columns.a.map((step) => -step));
  });

  test('are chosen in one place, for worker and page', () => {
    const files = ['web/engine/run.ts', 'web/views/loss-history.ts'];
    for (const file of files) {
      const source = readFileSync(join(import.meta.dirname, '..', file), 'utf8');
      expect(source, file).toContain("from '../base/kept-steps.ts'");
      expect(source, file).not.toMatch(/% 2 === 0/);
    }
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

describe('how a reader looks at losses', () => {
  test('is read back as it was kept, and what is not understood is as it comes', () => {
    const chosen = {
      ...{ unit: 'bits', smoothing: 2.5, logSteps: true, logLoss: true, beneath: true },
    } as const;
    expect(readLossChoice(JSON.stringify(chosen))).toEqual(chosen);
    for (const text of [null, '', '{', '7', 'null', '{"unit":"x","smoothing":3,"logLoss":1}']) {
      expect(readLossChoice(text)).toEqual(PLAIN_CHOICE);
    }
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

  test('are zoomed around what one is likely to look at', () => {
    const curve = data(history(Array.from({ length: 700 }, () => 1)), 5000);
    // All is in view, of an axis that reaches ahead: the fall at the beginning, or what is coming in.
    expect(zoomPlace(curve, PLAIN_LOOK, null)).toEqual({ step: 0, range: [0, 700] });
    const training = { ...curve, training: true };
    expect(zoomPlace(training, PLAIN_LOOK, null)).toEqual({ step: 700, range: [0, 700] });
    const at = (from: number, to: number, chosen: number | null = null): number =>
      zoomPlace(curve, { ...PLAIN_LOOK, window: [from, to] }, chosen).step;
    // A part stays where it is; one that reaches an end keeps that.
    expect([at(200, 400), at(0, 300), at(400, 700)]).toEqual([300, 0, 700]);
    // A step that is pointed at goes before all, as long as it is in view.
    expect([at(200, 400, 210), at(200, 400, 100)]).toEqual([210, 300]);
    const logarithmic = { ...PLAIN_LOOK, logSteps: true };
    expect(zoomPlace(curve, logarithmic, null).step).toBe(1);
    expect(zoomPlace(curve, { ...logarithmic, window: [10, 100] }, null).step).toBeCloseTo(
      Math.sqrt(1000),
      6,
    );
  });

  test('have round ticks, told apart by as many decimals as they need', () => {
    expect(linearTicks(1.9, 3.4, 4)).toEqual([2, 2.5, 3]);
    expect(logTicks(1, 1000, 8)).toEqual([1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]);
    expect(tickDigits([0.25, 0.5])).toBe(2);
    expect(linearTicks(3, 3, 4)).toEqual([]);
    // A scale with one number is none.
    for (let top = 0.1; top < 100; top *= 1.07) {
      const count = fewTicks(0, top).length;
      expect([2, 3, 4]).toContain(count);
    }
    expect(fewTicks(0, 0.47)).toEqual([0, 0.2, 0.4]);
  });

  test('leave room for their labels where they are logarithmic', () => {
    expect(logTicks(1, 10_000, 4)).toEqual([1, 10, 100, 1000, 10_000]);
    expect(logTicks(1, 1e9, 4)).toEqual([1, 100, 1e4, 1e6, 1e8]);
    expect(logTicks(20, 90, 4)).toEqual([20, 40, 60, 80]);
    for (const [low, high] of [
      [1, 60],
      [1, 10_000],
      [1, 2500],
      [150, 1100],
      [3000, 9000],
      [1, 2],
    ] as const) {
      // prettier-ignore
      for (const most of [3, 4.1, 6, 11]) {
        const ticks = logTicks(low, high, most);
        expect(ticks.length).toBeGreaterThan(0);
        const places = ticks.map((tick) => Math.log(tick / low) / Math.log(high / low));
        const gaps = places.slice(1).map((place, at) => place - (places[at] ?? NaN));
        for (const gap of gaps) expect(gap * most).toBeGreaterThan(0.5);
      }
    }
  });

  test('stay positive where they are logarithmic', () => {
    const [low, high] = lossRange([0.5, 4, 0, NaN], { ...PLAIN_LOOK, logLoss: true });
    expect(low).toBeGreaterThan(0.3);
    expect(high).toBeGreaterThan(4);
  });

  test('measure bits per character with the tokens that a character takes', () => {
    expect(Math.LN2 * unitFactor({ ...PLAIN_LOOK, unit: 'bits' }, 0.5)).toBeCloseTo(0.5, 12);
    expect(unitFactor(PLAIN_LOOK, NaN)).toBe(1);
    // What is held out may take more of them, and begins higher then.
    expect(heldOutKey({ train: 1.12, validation: 1.21 })).toBe('loss.bits.higher');
    expect(heldOutKey({ train: 1.12, validation: 1.06 })).toBe('loss.bits.lower');
    expect(heldOutKey({ train: 1.12, validation: 1.13 })).toBeNull();
    expect(heldOutKey({ train: 1, validation: NaN })).toBeNull();
  });

  test('end above what is usual where a few values stand far above it', () => {
    expect(readableTop([1, 2, null, 3])).toBeCloseTo(3.3);
    expect(readableTop([])).toBe(1);
    expect(readableTop([0, 0])).toBe(1);
    // One spike among many, and one among few.
    const many = Array.from({ length: 400 }, (_, index) => 1 + (index % 5) / 10);
    for (const values of [many, many.slice(0, 12)]) {
      const top = readableTop([...values, 80, null, Infinity]);
      expect(top).toBeGreaterThan(1.4);
      expect(top).toBeLessThan(3);
    }
    // A fall from a high beginning is no spike, nor is one of two values.
    expect(readableTop(Array.from({ length: 50 }, (_, index) => 50 - index))).toBeCloseTo(55);
    expect(readableTop([1, 80])).toBeCloseTo(88);
  });

  test('know every step whose gradient norm lies above a height, and from where on they know any', () => {
    const one = new LossHistory();
    one.append(0, [3, 3, 3]);
    expect(one.measuredFrom).toBeUndefined();
    one.append(3, [2, 2, 2], [0.1, 0.1, 0.1], [1, 90, Infinity]);
    expect(one.measuredFrom).toBe(4);
    expect(one.normsAbove(2)).toEqual([{ step: 5, norm: 90 }]);
    expect(one.normsAbove(2, { from: 6 })).toEqual([]);
    expect(one.normsAbove(2, { to: 4 })).toEqual([]);
  });

  test('tell earlier runs apart by dash as well as by colour', () => {
    const dashes = [0, 1, 2, 3, 4, 5].map((id) => lineStyle(id).dash.join());
    expect(new Set(dashes).size).toBe(6);
  });
});

describe('the key of a picture', () => {
  test('names everything whole, in as many lines as that takes', () => {
    const long = 'Run 2: Own text, Held-out share 0.1, Learning rate 0.003 and 2 more';
    const names = ['smoothed', long, 'validation', '第 3 次：唐诗（中文）、激活函数 平方 ReLU'];
    for (const right of [318, 936]) {
      const placed = placeKeys(names, 52, right);
      expect(placed.map(({ parts }) => parts.join(' ').replaceAll(' ', ''))).toEqual(
        names.map((name) => name.replaceAll(' ', '')),
      );
      const ends = placed.flatMap(({ left, parts }) => parts.map((part) => left + 30 + textWidth(part))); // prettier-ignore
      expect(Math.max(...ends)).toBeLessThanOrEqual(right);
      // Nothing stands on another.
      const taken = placed.flatMap(({ line, left, parts }) =>
        parts.map((_, at) => `${String(line + at)} ${String(left)}`),
      );
      expect(new Set(taken).size).toBe(taken.length);
    }
    expect(placeKeys(names, 52, 318)[1]?.parts).toEqual([
      'Run 2: Own text, Held-out share',
      '0.1, Learning rate 0.003 and 2',
      'more',
    ]);
  });
});
