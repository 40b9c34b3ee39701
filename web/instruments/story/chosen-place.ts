/** Chooses what the pictures show: a token of the text, and the attention that predicts it. */
import { headWeights, sameTokens } from '../../data/attention-data.ts';
import type { Analysis, AnalysedToken, Attention } from '../../engine/trainer.ts';

/** Minimum number of tokens before a chosen one: fewer leave little to look back at. */
const LEAST_BEFORE = 2;
/** Minimum difference of rises (of probability) for another token to be chosen. */
const CLEARER = 0.1;

/**
 * The index of the token whose probability has risen most from `first` (null if unknown) to `now`;
 * `last`, the previous choice, if no other has risen by CLEARER more. Prefers tokens inside the
 * text to its first ones and to the end of a document. Null if no token is scored.
 */
export function chosenToken(
  first: Analysis | null,
  now: Analysis,
  last: number | null,
): number | null {
  const before = (at: number): number => first?.tokens[at]?.score?.probability ?? 0;
  const rise = (at: number): number => (now.tokens[at]?.score?.probability ?? NaN) - before(at);
  const scored = now.tokens.flatMap(({ score }, at) => (score === null ? [] : [at]));
  const inside = scored.filter((at) => at >= LEAST_BEFORE && now.tokens[at]?.token.kind !== 'bos');
  const [best = null] = (inside.length > 0 ? inside : scored).sort((a, b) => rise(b) - rise(a));
  const isKept = best !== null && last !== null && rise(best) < rise(last) + CLEARER;
  return isKept ? last : best;
}

/** Attention from one token to the tokens up to it. */
export interface Gaze {
  /** Weights of the tokens up to the one that looks: they sum to 1. */
  readonly weights: Float32Array;
  /** Index of the largest weight. */
  readonly to: number;
}

/**
 * The row of attention from which the token at index `at` is predicted, in the head with the
 * largest weight. Null if the token is outside of the attention's context.
 */
export function gazeBefore(
  at: number,
  tokens: readonly AnalysedToken[],
  attention: Attention,
): Gaze | null {
  const { layers, heads, tokens: rows } = attention;
  const size = rows.length;
  const known = tokens.slice(0, at).map(({ token }) => token);
  if (at < 1 || at > size || !sameTokens(known, rows.slice(0, at))) return null;
  let best: Gaze | null = null;
  for (let layer = 0; layer < layers; layer++) {
    for (let head = 0; head < heads; head++) {
      const start = (at - 1) * size;
      const weights = headWeights(attention, { layer, head }).subarray(start, start + at);
      const to = weights.indexOf(Math.max(...weights));
      if (best === null || weights[to]! > best.weights[best.to]!) best = { weights, to };
    }
  }
  return best;
}
