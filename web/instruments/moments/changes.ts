/** Differences between the attention of two models on one text. */
import { headWeights } from '../../data/attention-data.ts';
import type { AttentionData, AttentionToken, HeadPlace } from '../../data/attention-data.ts';

/** Attention of one token to another at step A and at step B. */
export interface WeightChange {
  readonly row: number;
  readonly column: number;
  readonly before: number;
  readonly after: number;
}

/** Attention of one head at step A and at step B. */
export interface HeadChange {
  readonly tokens: readonly AttentionToken[];
  /** (tokens, tokens): B minus A. */
  readonly differences: Float32Array;
  /** Cells on and below the diagonal, by descending change. */
  readonly changes: readonly WeightChange[];
}

export function headChange(a: AttentionData, b: AttentionData, head: HeadPlace): HeadChange {
  const [before, after] = [headWeights(a, head), headWeights(b, head)];
  const { tokens } = b;
  const changes = tokens.flatMap((_, row) =>
    tokens.slice(0, row + 1).map((__, column) => {
      const at = row * tokens.length + column;
      return { row, column, before: before[at] ?? 0, after: after[at] ?? 0 };
    }),
  );
  const size = (one: WeightChange): number => Math.abs(one.after - one.before);
  changes.sort((one, other) => size(other) - size(one));
  return { tokens, differences: after.map((one, at) => one - (before[at] ?? 0)), changes };
}

/** `size` with the sign of `value`; unsigned for 0. */
export function signed(size: string, value: number): string {
  if (value === 0) return size;
  return `${value > 0 ? '+' : '−'}${size}`;
}
