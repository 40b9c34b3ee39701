/** The arithmetic of the loss views: kept values per step, CSV, smoothing, notes and verdicts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readLossChoice } from '../web/store/training/loss-choice.ts';
import { everyStep } from '../web/engine/every-step.ts';
import { KEPT_STEPS, KeptSteps } from '../web/base/kept-steps.ts';
import '../web/i18n/all.ts';
import { loadAllWords, wordsOf } from '../web/i18n/index.ts';
import { lossCsv } from '../web/store/training/loss-csv.ts';
import { PLAIN_CHOICE, PLAIN_LOOK, SMOOTHINGS, fairUnit } from '../web/data/loss-data.ts';
import { LossHistory } from '../web/data/loss-history.ts';
import { lossNotes, memorisingSince, readingAt } from '../web/store/training/loss-reading.ts';
import { isSmall, verdictOf, verdictSentence } from '../web/store/training/twin-verdict.ts';
import type { TwinRun } from '../web/store/training/twin-verdict.ts';
import { data, history } from './node/made-losses.ts';

describe('the losses of a run', () => {
  test('come out as CSV with every digit, and empty where nothing is known', () => {
    const one = history([0.1 + 0.2, NaN]);
    one.addValidation(1, 1 / 3);
    const lines = lossCsv(one).split('\r\n');
    expect(lines[0]).toMatch(/^step,loss,smoothed,validation,learning_rate,gradient_norm,/);
    const first = (lines[1] ?? '').split(',');
    expect(Number(first[1])).toBe(0.1 + 0.2);
    expect(Number(first[3])).toBe(1 / 3);
    expect(Number(first[5])).toBe((0.1 + 0.2) * 2);
    // The smoothed loss carries on over a missing loss, whose own cell stays empty.
    expect(lines[2]).toBe(`2,,${String(first[2])},,0.001,,,`);
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

  test('are smoothed as the glossary says: a tenth of the steps so far, and no more than 150', () => {
    // A fall as fast as the loss of a text that repeats itself, then noise.
    const lossOf = (step: number): number =>
      0.2 + 3 * Math.exp(-step / 15) + (step > 300 ? 0.05 * (step % 2) : 0);
    const losses = Array.from({ length: 2000 }, (_, index) => lossOf(index + 1));
    const one = history(losses);
    let mean = 0;
    for (const [index, loss] of losses.entries()) {
      mean += Math.min(1, Math.max(1 / 150, 10 / (index + 1))) * (loss - mean);
      expect(one.at(index + 1)?.smoothed).toBeCloseTo(mean, 9);
    }
    // The smoothed curve lags above a falling loss by less than 0.1.
    expect((one.at(40)?.smoothed ?? NaN) - lossOf(40)).toBeLessThan(0.1);
    const late = [1801, 1802].map((step) => one.at(step)?.smoothed ?? NaN);
    expect(Math.abs(late[0]! - late[1]!)).toBeLessThan(0.001);
  });

  test('have one smoothed value for each smoothing, wherever it is read', () => {
    const one = history(Array.from({ length: 700 }, (_, index) => 3 - Math.sin(index) / 2));
    const seen = SMOOTHINGS.map((smoothing) => {
      const last = one.smoothedLast(smoothing);
      expect(one.columns(100, { smoothing }).smoothed.at(-1)).toBe(last);
      expect(one.at(700, smoothing)?.smoothed).toBe(last);
      expect(lossCsv(one, smoothing).trim().split('\r\n').at(-1)).toContain(`,${String(last)},`);
      return last;
    });
    expect(new Set(seen).size).toBe(SMOOTHINGS.length);
    expect(seen[0]).toBe(one.last);
    expect(new LossHistory().smoothedLast()).toBeUndefined();
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

describe('memorising', () => {
  const measured = (training: (step: number) => number, held: readonly number[]): LossHistory => {
    const one = history(Array.from({ length: held.length * 10 }, (_, at) => training(at + 1)));
    held.forEach((loss, at) => {
      one.addValidation((at + 1) * 10, loss);
    });
    return one;
  };
  const falling = (step: number): number => 3 / (1 + step / 20);

  test('is a validation loss clearly above its lowest while the training loss falls', () => {
    const turned = measured(falling, [2.5, 2, 1.8, 1.75, 1.8, 1.9, 2, 2.1]);
    expect(memorisingSince(turned)).toEqual({ step: 40, loss: 1.75 });
  });

  test('is no swing, no plateau, and no run that gets worse altogether', () => {
    // A fall, then a plateau with swings of 3 % to either side.
    const swings = [3, 2.5, 2.1, 1.95, 2.05, 1.97, 2.04, 1.94, 2.03, 1.96, 2.05, 2.01, 2.06];
    expect(memorisingSince(measured(falling, swings))).toBeNull();
    expect(memorisingSince(measured(falling, [2.5, 2, 1.8, 1.75, 1.76, 1.76, 1.77]))).toBeNull();
    // A rise counts only after a third measurement; two are given here.
    expect(memorisingSince(measured(falling, [2.5, 2, 1.8, 1.75, 1.9, 2.1]))).toBeNull();
    const worse = measured((step) => 2 + step / 50, [2.5, 2, 1.8, 1.75, 1.8, 1.9, 2, 2.1]);
    expect(memorisingSince(worse)).toBeNull();
    expect(memorisingSince(history([3, 2, 1]))).toBeNull();
  });
});

describe('what a step is read as', () => {
  const words = wordsOf('en');

  test('is in the unit that is shown, with the runs beside it that reach as far', () => {
    const one = history([3, 2, 1]);
    one.addValidation(1, 2.5);
    const beside = (id: number, losses: number[], shown = true) => {
      const tokensPerCharacter = { train: 2, validation: 2 };
      return { id, name: `run ${String(id)}`, history: history(losses), tokensPerCharacter, ...{ shown, aside: false, otherText: false } }; // prettier-ignore
    };
    const lines = [beside(1, [4, 4, 4]), beside(2, [4]), beside(3, [4, 4, 4], false)];
    const read = readingAt({ ...data(one, 3), lines }, { ...PLAIN_LOOK, unit: 'bits' }, 3);
    expect(read?.loss).toBeCloseTo(1 / Math.LN2, 12);
    expect(read?.validation).toEqual({ step: 1, loss: 2.5 / Math.LN2 });
    expect(read?.others).toEqual([{ id: 1, name: 'run 1', loss: 8 / Math.LN2 }]);
    expect(readingAt(data(one, 3), PLAIN_LOOK, 4)).toBeNull();
  });

  test('comes with why a curve is flat at its top, and with the steps that are left out', () => {
    const notes = (one: LossHistory, unit: 'nats' | 'bits' = 'nats'): string =>
      lossNotes(data(one, one.length), { unit }, words);
    expect(notes(history([3, 2, 50]))).toBe('');
    expect(notes(history([3, 69, 69.07]))).toMatch(/^Losses are capped at 69\.1 nats per token, .* 10⁻³⁰\.$/); // prettier-ignore
    expect(notes(history([3, 69, 69.07]), 'bits')).toContain('99.7 bits per character');
    const long = history(Array.from({ length: KEPT_STEPS + 1 }, () => 2));
    expect(notes(long)).toBe(
      'This run is long: the chart, the table and the files keep one step in 2.',
    );
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
    const files = ['web/engine/run.ts', 'web/data/loss-history.ts'];
    for (const file of files) {
      const source = readFileSync(join(import.meta.dirname, '..', file), 'utf8');
      expect(source, file).toContain("kept-steps.ts'");
      expect(source, file).not.toMatch(/% 2 === 0/);
    }
  });
});

describe('the losses of a run of more steps than are kept', () => {
  const steps = 4 * KEPT_STEPS + 3;
  const lossOf = (step: number): number => 3 + 1 / step;
  const one = new LossHistory();
  // The worker sends a few losses at a time and repeats some of them.
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

  test('are the same restored from what is kept as added one by one', () => {
    const kept = one.until(steps);
    const { losses, learningRates, gradientNorms } = everyStep(
      { ...kept, validations: [], samples: [] },
      steps,
    );
    const added = new LossHistory();
    added.append(0, losses, learningRates, gradientNorms);
    const restored = new LossHistory();
    restored.restore(kept, steps);
    const seen = (some: LossHistory): unknown[] => [
      ...[some.length, some.stride, some.last, some.highest, some.smoothedLast(2)],
      ...[some.lossAt(steps), some.at(steps), some.columns(1000)],
    ];
    expect(seen(restored)).toEqual(seen(added));
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

test('curves whose tokens are not alike are shown by character, whatever the reader chose', () => {
  const tokens = (train: number) => ({ train, validation: train });
  const beside = (train: number, shown = true) => ({ shown, tokensPerCharacter: tokens(train) });
  const drawn = (...lines: ReturnType<typeof beside>[]) => ({
    tokensPerCharacter: tokens(1),
    lines,
  });
  expect(fairUnit('nats', drawn())).toBe('nats');
  expect(fairUnit('nats', drawn(beside(1.001)))).toBe('nats');
  expect(fairUnit('nats', drawn(beside(1), beside(2.9)))).toBe('bits');
  expect(fairUnit('nats', drawn(beside(2.9, false)))).toBe('nats');
  expect(fairUnit('bits', drawn(beside(1)))).toBe('bits');
  // The tokens per character are unknown (NaN) for a run from a file.
  expect(fairUnit('nats', drawn(beside(NaN)))).toBe('nats');
  expect(fairUnit('bits', { ...drawn(), tokensPerCharacter: tokens(NaN) })).toBe('nats');
});

describe('the verdict on twins', () => {
  const run = (name: string, loss: number, more: Partial<TwinRun> = {}): TwinRun => {
    return {
      name,
      apart: name,
      loss,
      bits: loss / Math.LN2,
      validation: null,
      heldOut: NaN,
      text: 'text 0',
      sample: '',
      ...more,
    };
  };

  test('goes by what none of them learned, if all of them measured it at one step', () => {
    const a = run('a', 1, { validation: { step: 90, loss: 2 } });
    const b = run('b', 1.5, { validation: { step: 90, loss: 1.75 } });
    const verdict = verdictOf([a, b], 100);
    expect(verdict).toEqual({
      ...{ measure: 'validation', step: 90, best: 'b', other: 'a', gap: 0.25, unit: 'nats' },
      ...{ sameTokens: true, value: verdict?.value },
    });
    expect(verdict?.value).toBe(
      Math.min(...[a, b].map(({ validation }) => validation?.loss ?? NaN)),
    );
    // Runs on different texts have no winner.
    expect(verdictOf([a, { ...b, text: 'text 1' }], 100)).toBeNull();
    const late = { ...b, validation: { step: 100, loss: 1.75 } };
    expect(verdictOf([a, late], 100)).toMatchObject({ measure: 'loss', step: 100, best: 'a' });
    expect(verdictOf([a, run('b', 0.5)], 100)).toMatchObject({ measure: 'loss', best: 'b' });
  });

  test('is in the unit that is wanted, of what they learned too', () => {
    const verdict = verdictOf([run('a', 3), run('b', 2)], 7, 'bits');
    expect(verdict).toMatchObject({ measure: 'loss', best: 'b', unit: 'bits' });
    expect(verdict?.gap).toBeCloseTo(1 / Math.LN2, 9);
    // Bits need the tokens per character of both runs: one alone leaves nats.
    const held = [
      run('a', 3, { validation: { step: 7, loss: 3 } }),
      run('b', 2, { validation: { step: 7, loss: 2 } }),
    ];
    expect(verdictOf(held, 7, 'bits')).toMatchObject({ unit: 'nats', gap: 1 });
  });

  test('holds the best against the next best of several', () => {
    const verdict = verdictOf([run('a', 3), run('b', 2), run('c', 2.5)], 7);
    expect(verdict).toMatchObject({ best: 'b', other: 'c', gap: 0.5 });
  });

  test('goes by character where the tokens differ, whatever the loss of each token', () => {
    const verdict = verdictOf([run('a', 2, { bits: 2.9 }), run('b', 4, { bits: 2.4 })], 7);
    // Equal contexts in tokens cover different amounts of text when the tokens differ.
    const measure = { measure: 'bits', sameTokens: false };
    expect(verdict).toMatchObject({ ...measure, best: 'b', other: 'a', unit: 'bits' });
    // The held-out loss takes precedence where its bits per character are known.
    const held = [
      run('a', 2, { bits: 2.9, validation: { step: 7, loss: 1 }, heldOut: 2 }),
      run('b', 4, { bits: 2.4, validation: { step: 7, loss: 3 }, heldOut: 1 }),
    ];
    const measured = { measure: 'validation', best: 'a', other: 'b', unit: 'bits' };
    expect(verdictOf(held, 7)).toMatchObject(measured);
    expect(verdictOf(held, 7)?.gap).toBeCloseTo(1 / Math.LN2, 9);
  });

  test('says nothing of one run, or of a loss that is no number', () => {
    expect(verdictOf([run('a', 2)], 7)).toBeNull();
    expect(verdictOf([run('a', 2), run('b', NaN)], 7)).toBeNull();
  });

  test('says of runs that are one and the same that they are, and of others that they are alike', async () => {
    const words = await loadAllWords('en');
    const said = (a: TwinRun, b: TwinRun): string => verdictSentence([a, b], 7, 'nats', words);
    const wrote = { sample: 'anna' };
    expect(said(run('a', 2, wrote), run('b', 2, wrote))).toContain('the same training twice');
    expect(said(run('a', 2, wrote), run('b', 2.001, wrote))).toContain('practically equal');
    expect(said(run('a', 2, wrote), run('b', 2))).toContain('practically equal');
  });

  test('may owe a gap to chance only where it is small beside the loss itself', () => {
    const small = (other: number): boolean =>
      isSmall(verdictOf([run('a', 2), run('b', other)], 7)!);
    expect([2.02, 2.09, 2.11, 2.6].map(small)).toEqual([true, true, false, false]);
  });
});
