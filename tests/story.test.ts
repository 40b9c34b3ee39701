/** The place of a text that the story shows: web/instruments/story/chosen-place.ts. */
import { expect, test } from 'vitest';
import type { Analysis, Attention } from '../web/engine/trainer.ts';
import { chosenToken, gazeBefore } from '../web/instruments/story/chosen-place.ts';

/** A text with these probabilities; null for a token without a score. */
function analysis(text: string, probabilities: readonly (number | null)[]): Analysis {
  const tokens = Array.from(text, (character, at) => {
    const kind = character === '|' ? ('bos' as const) : ('text' as const);
    const token = { id: at, text: character, kind, hex: '' };
    const probability = probabilities[at] ?? null;
    const rest = { loss: 0, rank: 1, tied: 1, entropy: 0, candidates: [] };
    return { token, score: probability === null ? null : { ...rest, probability } };
  });
  return { step: 0, tokens, meanLoss: 0, scored: tokens.length, omitted: 0, cut: 0 };
}

test('chooses the token whose probability has risen most, and keeps it until another is clearer', () => {
  const first = analysis('|anna|', [null, 0.1, 0.1, 0.1, 0.1, 0.1]);
  const now = analysis('|anna|', [null, 0.9, 0.4, 0.5, 0.3, 0.9]);
  // The first tokens and the end of the document come last.
  expect(chosenToken(first, now, null)).toBe(3);
  expect(chosenToken(first, now, 2)).toBe(3);
  expect(chosenToken(first, analysis('|anna|', [null, 0.9, 0.45, 0.5, 0.3, 0.9]), 2)).toBe(2);
});

test('chooses among the first tokens of a short text, and none without scores', () => {
  expect(chosenToken(null, analysis('|a', [null, 0.2]), null)).toBe(1);
  expect(chosenToken(null, analysis('|', [null]), null)).toBeNull();
});

test('finds the strongest weight of the row before a token, in any head', () => {
  const { tokens } = analysis('|ab', [null, 0.2, 0.3]);
  const attention: Attention = {
    step: 0,
    tokens: tokens.map(({ token }) => token),
    layers: 1,
    heads: 2,
    weights: Float32Array.of(1, 0, 0, 0.6, 0.4, 0, 0.3, 0.3, 0.4, 1, 0, 0, 0.1, 0.9, 0, 0, 0, 1),
    omitted: 0,
  };
  const gaze = gazeBefore(2, tokens, attention)!;
  expect([gaze.to, ...gaze.weights]).toEqual([1, Math.fround(0.1), Math.fround(0.9)]);
  expect(gazeBefore(4, tokens, attention)).toBeNull();
  expect(gazeBefore(0, tokens, attention)).toBeNull();
});
