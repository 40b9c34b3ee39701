/** The arithmetic behind the attention views: naming habits, and looking back at earlier probes. */
import { describe, expect, test } from 'vitest';
import { AttentionHistory } from '../web/views/attention-history.ts';
import type { AttentionData } from '../web/views/attention-data.ts';
import { habitOf, strengthOf } from '../web/views/head-habits.ts';
import type { HeadMeasures } from '../web/views/head-habits.ts';

function measures(values: Partial<Record<keyof HeadMeasures, number>>): HeadMeasures {
  const of = (name: keyof HeadMeasures, uniform: number) => ({
    value: values[name] ?? uniform,
    uniform,
  });
  return {
    previous: of('previous', 0.2),
    itself: of('itself', 0.2),
    first: of('first', 0.2),
    same: of('same', 0.1),
    entropy: { value: values.entropy ?? 0.7, uniform: 1 },
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

  test('does not count what the text says nothing of', () => {
    expect(habitOf(measures({ same: NaN, entropy: 0.5 }))).toBe(null);
  });
});

describe('looking back', () => {
  test('keeps the probes of a run in order, one for each step', () => {
    const history = new AttentionHistory();
    for (const step of [0, 5, 5, 9]) history.add(probe(step));
    expect(history.entries.map(({ step }) => step)).toEqual([0, 5, 9]);
  });

  test('begins anew with another text and with a run begun anew', () => {
    const history = new AttentionHistory();
    history.add(probe(4));
    history.add(probe(7, 'abd'));
    expect(history.entries.map(({ step }) => step)).toEqual([7]);
    history.add(probe(0, 'abd'));
    expect(history.entries.map(({ step }) => step)).toEqual([0]);
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
