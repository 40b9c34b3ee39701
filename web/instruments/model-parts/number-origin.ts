/**
 * The origin of a number of the model: the formula of the op that computed it, with its present
 * operands.
 */
import type { Cell } from '../../base/cell.ts';

/** Operands of one number, by op of the tape. */
export type Formula =
  | {
      readonly op: 'linear';
      readonly inputs: Float32Array;
      readonly weights: Float32Array;
      readonly bias: number | null;
      /** Whether the weights are a row of their matrix instead of a column. */
      readonly transposed: boolean;
    }
  /** A row looked up in the token table. */
  | { readonly op: 'embedding'; readonly id: number }
  /** Sum of a token embedding and a position embedding. */
  | { readonly op: 'positional'; readonly terms: readonly [number, number] }
  /** Sum of the stream and the output of a branch. */
  | { readonly op: 'add'; readonly terms: readonly [number, number] }
  | {
      readonly op: 'norm';
      readonly input: number;
      /** Mean; null for RMSNorm, which subtracts no mean. */
      readonly mean: number | null;
      /** Standard deviation, including the epsilon under the root. */
      readonly deviation: number;
      readonly gain: number | null;
      readonly bias: number | null;
    }
  /** GELU with its tanh approximation; `scale` and `cubic` are the coefficients inside the tanh. */
  | { readonly op: 'gelu'; readonly input: number; readonly scale: number; readonly cubic: number }
  | { readonly op: 'relu2'; readonly input: number }
  /**
   * An attention weight: a query times a key, then softmax over `scores`, one per token up to the
   * query.
   */
  | {
      readonly op: 'share';
      readonly query: Float32Array;
      readonly key: Float32Array;
      /** Factor of the product of query and key: 1/√d. */
      readonly scale: number;
      readonly scores: readonly number[];
    }
  /** The attention weight of a key after the query: 0, by the causal mask. */
  | { readonly op: 'future' }
  /**
   * An output of a head: the values in `inputs`, of all tokens up to the query, weighted by the
   * attention in `weights`.
   */
  | {
      readonly op: 'mixture';
      readonly head: number;
      readonly inputs: Float32Array;
      readonly weights: Float32Array;
    }
  /** A probability; `total` is the sum of exp(score - largest). */
  | {
      readonly op: 'softmax';
      readonly score: number;
      readonly largest: number;
      readonly total: number;
      readonly count: number;
    }
  /** The loss of a token by its probability; null if no token follows. */
  | { readonly op: 'surprise'; readonly probability: number | null }
  | { readonly op: 'mean'; readonly values: readonly number[] };

export interface NumberOrigin {
  readonly cell: Cell;
  readonly formula: Formula;
  /** The number as computed by the engine. */
  readonly result: number;
}
