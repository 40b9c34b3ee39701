/** The axes of the loss chart, and the legend of its exported picture. */
import { describe, expect, test } from 'vitest';
import {
  PLAIN_LOOK,
  dotsApart,
  heldOutKey,
  lineStyle,
  lossRange,
  normTopOf,
  readableTop,
  stepRange,
  unitFactor,
  zoomPlace,
} from '../web/data/loss-data.ts';
import { LossHistory } from '../web/data/loss-history.ts';
import { placeKeys, textWidth } from '../web/kit/picture-key.ts';
import {
  axisTicks,
  fewTicks,
  linearTicks,
  logTicks,
  minorTicks,
  tickDigits,
} from '../web/kit/ticks.ts';
import { data, history } from './node/made-losses.ts';

describe('the axes', () => {
  test('reach a round step ahead of the longest line, or what is in view', () => {
    const one = history(Array.from({ length: 130 }, () => 1));
    expect(stepRange(data(one, 5000), PLAIN_LOOK)).toEqual([0, 200]);
    expect(stepRange(data(one, 5000), { ...PLAIN_LOOK, window: [20, 40] })).toEqual([20, 40]);
    const longer = history(Array.from({ length: 400 }, () => 1));
    const tokensPerCharacter = { train: 1, validation: 1 };
    const line = {
      id: 0,
      name: '',
      history: longer,
      tokensPerCharacter,
      shown: true,
      aside: false,
      otherText: false,
    };
    expect(stepRange({ ...data(one, 130), lines: [line] }, PLAIN_LOOK)[1]).toBeGreaterThan(399);
  });

  test('are zoomed around what one is likely to look at', () => {
    const curve = data(history(Array.from({ length: 700 }, () => 1)), 5000);
    // The whole axis zooms around the middle of the curve or, during training, its newest step.
    expect(zoomPlace(curve, PLAIN_LOOK, null)).toEqual({ step: 350, range: [0, 700] });
    const training = { ...curve, training: true };
    expect(zoomPlace(training, PLAIN_LOOK, null)).toEqual({ step: 700, range: [0, 700] });
    const at = (from: number, to: number, chosen: number | null = null): number =>
      zoomPlace(curve, { ...PLAIN_LOOK, window: [from, to] }, chosen).step;
    // A window zooms around its own middle, at the ends of the axis too.
    expect([at(200, 400), at(0, 300), at(400, 700)]).toEqual([300, 150, 550]);
    // The selected step is the centre while it is inside the window.
    expect([at(200, 400, 210), at(200, 400, 100)]).toEqual([210, 300]);
    const logarithmic = { ...PLAIN_LOOK, logSteps: true };
    // On a logarithmic axis the centre is the geometric mean of the ends.
    expect(zoomPlace(curve, logarithmic, null).step).toBeCloseTo(Math.sqrt(700), 6);
    expect(zoomPlace(curve, { ...logarithmic, window: [10, 100] }, null).step).toBeCloseTo(
      Math.sqrt(1000),
      6,
    );
  });

  test('have room for the dots of validation, or leave them out', () => {
    expect(dotsApart(300, 20)).toBe(true);
    expect(dotsApart(300, 60)).toBe(false);
    expect(dotsApart(0, 1)).toBe(true);
  });

  test('have round ticks, told apart by as many decimals as they need', () => {
    expect(linearTicks(1.9, 3.4, 4)).toEqual([2, 2.5, 3]);
    expect(logTicks(1, 1000, 8)).toEqual([1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]);
    expect(tickDigits([0.25, 0.5])).toBe(2);
    expect(linearTicks(3, 3, 4)).toEqual([]);
    // A scale needs at least two labelled ticks.
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

  test('name at least two values, however closely one looks, and mark more where they are logarithmic', () => {
    const poor: unknown[] = [];
    for (let low = 1; low < 3000; low *= 1.37) {
      for (let times = 1.02; times < 4000; times *= 1.31) {
        for (const most of [3, 3.9, 6, 11]) {
          for (const logarithmic of [false, true]) {
            const ticks = axisTicks(low, low * times, most, logarithmic);
            const inside = ticks.every((tick) => tick >= low * 0.99 && tick <= low * times * 1.01);
            if (ticks.length < 2 || !inside) poor.push({ low, times, most, logarithmic, ticks });
          }
        }
      }
    }
    expect(poor).toEqual([]);
    expect(logTicks(15, 700, 3)).toEqual([30, 100, 300]);
    expect(minorTicks(8, 41)).toEqual([8, 9, 10, 20, 30, 40]);
    expect(minorTicks(1, 1e7)).toEqual([]);
  });

  test('stay positive where they are logarithmic', () => {
    const [low, high] = lossRange([0.5, 4, 0, NaN], { ...PLAIN_LOOK, logLoss: true });
    expect(low).toBeGreaterThan(0.3);
    expect(high).toBeGreaterThan(4);
  });

  test('measure bits per character with the tokens that a character takes', () => {
    expect(Math.LN2 * unitFactor({ ...PLAIN_LOOK, unit: 'bits' }, 0.5)).toBeCloseTo(0.5, 12);
    expect(unitFactor(PLAIN_LOOK, NaN)).toBe(1);
    // Held-out text with more tokens per character has the higher bits per character.
    expect(heldOutKey({ train: 1.12, validation: 1.21 })).toBe('loss.bits.higher');
    expect(heldOutKey({ train: 1.12, validation: 1.06 })).toBe('loss.bits.lower');
    expect(heldOutKey({ train: 1.12, validation: 1.13 })).toBeNull();
    expect(heldOutKey({ train: 1, validation: NaN })).toBeNull();
  });

  test('end above what is usual where a few values stand far above it', () => {
    expect(readableTop([1, 2, null, 3])).toBeCloseTo(3.3);
    expect(readableTop([])).toBe(1);
    expect(readableTop([0, 0])).toBe(1);
    // One spike among 400 values, and one among 12.
    const many = Array.from({ length: 400 }, (_, index) => 1 + (index % 5) / 10);
    for (const values of [many, many.slice(0, 12)]) {
      const top = readableTop([...values, 80, null, Infinity]);
      expect(top).toBeGreaterThan(1.4);
      expect(top).toBeLessThan(3);
    }
    // A fall from a high start is no spike, nor is a jump between only two values.
    expect(readableTop(Array.from({ length: 50 }, (_, index) => 50 - index))).toBeCloseTo(55);
    expect(readableTop([1, 80])).toBeCloseTo(88);
  });

  test('let as many gradient norms leave the chart on either axis', () => {
    const one = new LossHistory();
    const norms = Array.from({ length: 6000 }, (_, at) => 1 + (at % 7) / 10 + (at % 90 ? 0 : 9) + 40 / (at + 1)); // prettier-ignore
    one.append(0, norms, norms, norms);
    const [linear, logarithmic] = [false, true].map((logSteps) => normTopOf(one, { logSteps }, 1500)); // prettier-ignore
    expect(logarithmic).toBe(linear);
    // The columns drawn on a logarithmic axis have another top.
    expect(readableTop(one.columns(1500, { logSteps: true }).norms)).not.toBe(linear);
  });

  test('know every step whose gradient norm lies above a height, and from where on they know any', () => {
    const one = new LossHistory();
    one.append(0, [3, 3, 3]);
    expect(one.measuredFrom).toBeUndefined();
    one.append(3, [2, 2, 2], [0.1, 0.1, 0.1], [1, 90, Infinity]);
    expect(one.measuredFrom).toBe(4);
    expect(one.above('norms', 2)).toEqual([{ step: 5, value: 90 }]);
    expect(one.above('norms', 2, { from: 6 })).toEqual([]);
    expect(one.above('norms', 2, { to: 4 })).toEqual([]);
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
      // Labels do not overlap.
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
