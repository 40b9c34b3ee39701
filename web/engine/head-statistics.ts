/**
 * What each attention head does, in five plain numbers, from its probabilities on one text. A head
 * that always looks at the token before scores 1 on `previous`; one that spreads its attention
 * evenly has an `entropy` of 1. Beside every number stands that of attention spread evenly over all
 * tokens seen.
 */
import { entropyOf } from './distribution.ts';
import type { Attention } from './trainer.ts';

/** A statistic of a head, and the value it would have if the head looked everywhere equally. */
export interface HeadMeasure {
  /** Between 0 and 1; NaN when no token of the text counts for it. */
  readonly value: number;
  readonly uniform: number;
  /** How many tokens count for it. */
  readonly rows: number;
}

export interface HeadStatistics {
  readonly layer: number;
  readonly head: number;
  /** Mean weight on the token before; from the second token on. */
  readonly previous: HeadMeasure;
  /** Mean weight on the token itself; from the second token on. */
  readonly itself: HeadMeasure;
  /** Mean weight on the first token; from the second token on. */
  readonly first: HeadMeasure;
  /** Mean of the summed weight on earlier copies of the same token; of tokens that have any. */
  readonly same: HeadMeasure;
  /**
   * Mean entropy of a row divided by ln of the number of tokens it sees; from the second token on.
   */
  readonly entropy: HeadMeasure;
}

/** The statistics of every head, layer by layer. */
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
  // A row of one key has no choice: it says nothing of the head.
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

/** Places before `t` where the same token stands. */
function earlierCopies(tokens: Attention['tokens'], t: number): number[] {
  const id = tokens[t]?.id;
  const places: number[] = [];
  for (let key = 0; key < t; key++) if (tokens[key]?.id === id) places.push(key);
  return places;
}

/** The mean of a value and of what it would be if attention were even. */
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
