/**
 * Scores each attention head for five simple habits, from its weights on one text. A head that
 * always attends to the previous token has 1 for `previous`; one that attends evenly has an
 * `entropy` of 1. Each score comes with the score of even attention, to compare.
 */
import { entropyOf } from './distribution.ts';
import type { Attention } from './trainer.ts';

/** A score of a head, and the score that even attention would have. */
export interface HeadMeasure {
  /** 0 to 1; NaN if no token counts. */
  readonly value: number;
  readonly uniform: number;
  /** Number of tokens that count. */
  readonly rows: number;
}

export interface HeadStatistics {
  readonly layer: number;
  readonly head: number;
  /** Mean weight on the previous token, over all tokens but the first. */
  readonly previous: HeadMeasure;
  /** Mean weight on the token itself, over all tokens but the first. */
  readonly itself: HeadMeasure;
  /** Mean weight on the first token, over all tokens but the first. */
  readonly first: HeadMeasure;
  /** Mean summed weight on earlier copies of the token, over tokens that have any. */
  readonly same: HeadMeasure;
  /** Mean of (row entropy / ln of the number of keys), over all tokens but the first. */
  readonly entropy: HeadMeasure;
}

/** The scores of all heads, layer by layer. */
export function headStatistics(attention: Attention): readonly HeadStatistics[] {
  const { tokens, layers, heads, weights } = attention;
  const size = tokens.length;
  const statistics: HeadStatistics[] = [];
  for (let index = 0; index < layers * heads; index++) {
    const from = index * size * size;
    const rows = weights.subarray(from, from + size * size);
    statistics.push({
      layer: Math.floor(index / heads),
      head: index % heads,
      ...measure(rows, tokens),
    });
  }
  return statistics;
}

/** `rows` (T,T): row t holds the weights of token t on tokens 0 to t. */
function measure(
  rows: Float32Array,
  tokens: Attention['tokens'],
): Omit<HeadStatistics, 'layer' | 'head'> {
  const previous = new Mean();
  const itself = new Mean();
  const first = new Mean();
  const same = new Mean();
  const entropy = new Mean();
  // The first row has a single key, so its weight says nothing.
  for (let t = 1; t < tokens.length; t++) {
    const row = rows.subarray(t * tokens.length, t * tokens.length + t + 1);
    const even = 1 / row.length;
    previous.add(row[t - 1] ?? 0, even);
    itself.add(row[t] ?? 0, even);
    first.add(row[0] ?? 0, even);
    const copies = earlierCopies(tokens, t);
    if (copies.length > 0) {
      same.add(
        copies.reduce((sum, key) => sum + (row[key] ?? 0), 0),
        copies.length * even,
      );
    }
    entropy.add(entropyOf(row) / Math.log(row.length), 1);
  }
  return {
    previous: previous.result(),
    itself: itself.result(),
    first: first.result(),
    same: same.result(),
    entropy: entropy.result(),
  };
}

/** Earlier positions of the same token. */
function earlierCopies(tokens: Attention['tokens'], t: number): number[] {
  const id = tokens[t]?.id;
  const places: number[] = [];
  for (let key = 0; key < t; key++) if (tokens[key]?.id === id) places.push(key);
  return places;
}

/** Means of a score and of its value for even attention. */
class Mean {
  #value = 0;
  #uniform = 0;
  #count = 0;

  add(value: number, uniform: number): void {
    this.#value += value;
    this.#uniform += uniform;
    this.#count += 1;
  }

  result(): HeadMeasure {
    const rows = this.#count;
    return { value: this.#value / rows, uniform: this.#uniform / rows, rows };
  }
}
