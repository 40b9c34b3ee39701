/** Arithmetic of the attention views: habits of heads, and the history of earlier probes. */
import { describe, expect, test } from 'vitest';
import { AttentionHistory } from '../web/store/training/attention-history.ts';
import type { AttentionData } from '../web/data/attention-data.ts';
import { standout } from '../web/instruments/attention/standout.ts';
import { ClearestHead, habitOf, strengthOf } from '../web/store/training/head-habits.ts';
import type { HeadMeasures } from '../web/store/training/head-habits.ts';

function measures(values: Partial<Record<keyof HeadMeasures, number>>, copies = 3): HeadMeasures {
  const of = (name: keyof HeadMeasures, uniform: number) => ({
    value: values[name] ?? uniform,
    uniform,
    rows: name === 'same' ? copies : 9,
  });
  return {
    previous: of('previous', 0.2),
    itself: of('itself', 0.2),
    first: of('first', 0.2),
    same: of('same', 0.1),
    entropy: { value: values.entropy ?? 0.7, uniform: 1, rows: 9 },
  };
}

function probe(step: number, text = 'abc', size = 3): AttentionData {
  const tokens = Array.from(text, (letter) => ({
    ...{ text: letter, kind: 'text' as const, hex: '' },
  }));
  return { step, tokens, layers: 1, heads: 1, weights: new Float32Array(size * size) };
}

describe('the habit of a head', () => {
  test('is the place that gains most over even attention', () => {
    const head = measures({ previous: 0.5, first: 0.45, same: 0.6 });
    expect(habitOf(head)).toBe('same');
    expect(strengthOf(head, 'same')).toBe(0.6);
  });

  test('is to look at itself where that is most of it, though earlier copies gain as well', () => {
    expect(habitOf(measures({ itself: 0.8, same: 0.5 }))).toBe('itself');
  });

  test('is not named when it lies barely above even attention', () => {
    expect(habitOf(measures({ previous: 0.39 }))).toBe(null);
    expect(habitOf(measures({ previous: 0.41 }))).toBe('previous');
  });

  test('is called spread out only when nothing else is clear', () => {
    expect(habitOf(measures({ entropy: 0.95 }))).toBe('spread');
    expect(habitOf(measures({ entropy: 0.95, first: 0.9 }))).toBe('first');
  });

  test('is not what happens at a single token', () => {
    expect(habitOf(measures({ same: 1 }, 2))).toBe('same');
    expect(habitOf(measures({ same: 1 }, 1))).toBe(null);
  });

  test('does not count what the text says nothing of', () => {
    expect(habitOf(measures({ same: NaN, entropy: 0.5 }))).toBe(null);
  });
});

test('the clearest head is shown, and gives way only to one that is clearer by far, or to another run', () => {
  const clearest = new ClearestHead();
  const plain = measures({});
  const at = (run: number, ...heads: HeadMeasures[]) => clearest.find(run, { heads: 2 }, heads);
  expect(at(1, plain, plain, plain, plain)).toEqual({ layer: 0, head: 0 });
  expect(at(1, plain, plain, plain, measures({ first: 0.5 }))).toEqual({ layer: 1, head: 1 });
  const slightly = [plain, measures({ first: 0.55 }), plain, measures({ first: 0.5 })] as const;
  expect(at(1, ...slightly)).toEqual({ layer: 1, head: 1 });
  expect(at(1, plain, measures({ first: 0.7 }), plain, measures({ first: 0.5 }))).toEqual({ layer: 0, head: 1 }); // prettier-ignore
  expect(at(2, plain, plain)).toEqual({ layer: 0, head: 0 });
  // If no head has a habit, the head with the lowest entropy wins; any habit ranks above it.
  const few = measures({ entropy: 0.3 });
  expect(at(3, plain, few)).toEqual({ layer: 0, head: 1 });
  expect(at(3, measures({ first: 0.5, entropy: 0.9 }), few)).toEqual({ layer: 0, head: 0 });
});

describe('looking back', () => {
  test('keeps the probes of a run in order, one for each step', () => {
    const history = new AttentionHistory();
    for (const step of [0, 5, 5, 9]) history.add(probe(step));
    expect(history.entries.map(({ step }) => step)).toEqual([0, 5, 9]);
  });

  const steps = ({ entries }: AttentionHistory): number[] => entries.map(({ step }) => step);

  test('has a history of each text, and begins anew with a run begun anew', () => {
    const history = new AttentionHistory();
    for (const step of [0, 4]) history.add(probe(step));
    for (const step of [7, 8]) history.add(probe(step, 'abd'));
    expect(steps(history)).toEqual([7, 8]);
    history.add(probe(9));
    expect(steps(history)).toEqual([0, 4, 9]);
    history.add(probe(9, 'abd'));
    expect(steps(history)).toEqual([7, 8, 9]);
    history.add(probe(3, 'abd'));
    expect(steps(history)).toEqual([3]);
    history.add(probe(5));
    expect(steps(history)).toEqual([5]);
  });

  test('loses nothing to what is typed on the way to another text', () => {
    const history = new AttentionHistory();
    for (const step of [0, 1, 2]) history.add(probe(step));
    for (let length = 1; length < 40; length++) history.add(probe(3, 'x'.repeat(length)));
    history.add(probe(4));
    expect(steps(history)).toEqual([0, 1, 2, 4]);
  });

  test('forgets the text that was left longest ago where there is no room for all', () => {
    const history = new AttentionHistory();
    const look = (text: string, size = 3): void => {
      for (let times = 0; times < 3; times++) history.add(probe(step++, text, size));
    };
    let step = 0;
    for (const text of 'abcdefgha') look(text);
    // 'a' was probed again, so 'b' is the least recently used text and is evicted.
    look('i');
    history.add(probe(step, 'a'));
    expect(steps(history)).toHaveLength(7);
    history.add(probe(step, 'b'));
    expect(steps(history)).toHaveLength(1);
    // The budget holds only two probes of this size.
    look('z'.repeat(1700), 1700);
    history.add(probe(step, 'a'));
    expect(steps(history)).toHaveLength(1);
  });

  test('stays bounded, and never loses its first and last probe', () => {
    const history = new AttentionHistory();
    for (let step = 0; step < 1000; step++) {
      history.add(probe(step));
      expect(history.entries.length).toBeLessThanOrEqual(120);
      expect(history.entries[0]?.step).toBe(0);
      expect(history.entries.at(-1)?.step).toBe(step);
    }
    const large = new AttentionHistory();
    for (let step = 0; step < 40; step++) large.add(probe(step, 'x'.repeat(1000), 1000));
    expect(large.entries.length).toBeLessThanOrEqual(8);
  });
});

describe('the weight that stands out', () => {
  // Rows of attention over four tokens; each looks at itself and earlier ones.
  const weights = Float32Array.from([
    ...[1, 0, 0, 0],
    ...[0.4, 0.6, 0, 0],
    ...[0.9, 0.05, 0.05, 0],
    ...[0.02, 0.95, 0.02, 0.01],
  ]);

  test('exceeds uniform attention most', () => {
    expect(standout(weights, 4)).toEqual({ row: 3, column: 1 });
  });

  test('may be that of a token that looks at itself', () => {
    expect(standout(Float32Array.from([1, 0, 0.1, 0.9]), 2)).toEqual({ row: 1, column: 1 });
  });

  test('is none where attention is about uniform', () => {
    const uniform = Float32Array.from([1, 0, 0, 0.5, 0.5, 0, 0.33, 0.31, 0.36]);
    expect(standout(uniform, 3)).toBeNull();
  });
});
