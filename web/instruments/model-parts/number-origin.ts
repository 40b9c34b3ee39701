/**
 * Where one number of the model comes from: the formula of the op that computed it, with the
 * numbers that go into it now.
 */
import type { Cell } from '../../base/cell.ts';

/** What an op does to get one number; the names are those of the tape's ops. */
export type Formula =
  | {
      readonly op: 'linear';
      readonly inputs: Float32Array;
      readonly weights: Float32Array;
      readonly bias: number | null;
      /** The weights are a row of their matrix and not a column. */
      readonly transposed: boolean;
    }
  /** A row of the token table, looked up. */
  | { readonly op: 'embedding'; readonly id: number }
  /** Of a token and of its place. */
  | { readonly op: 'positional'; readonly terms: readonly [number, number] }
  /** Of the stream and of what is added to it. */
  | { readonly op: 'add'; readonly terms: readonly [number, number] }
  | {
      readonly op: 'norm';
      readonly input: number;
      /** Null for RMSNorm, which subtracts none. */
      readonly mean: number | null;
      /** With the epsilon under the root. */
      readonly deviation: number;
      readonly gain: number | null;
      readonly bias: number | null;
    }
  /** `scale` and `cubic`: the coefficients inside of its tanh. */
  | { readonly op: 'gelu'; readonly input: number; readonly scale: number; readonly cubic: number }
  | { readonly op: 'relu2'; readonly input: number }
  /**
   * A share of attention: one query with one key, then softmax over `scores`, one for each token so
   * far.
   */
  | {
      readonly op: 'share';
      readonly query: Float32Array;
      readonly key: Float32Array;
      /** What a product of query and key is multiplied by: 1/√d. */
      readonly scale: number;
      readonly scores: readonly number[];
    }
  /** The share of a token that comes later. */
  | { readonly op: 'future' }
  /** What a head passes on: one value of each token so far, by the shares in `weights`. */
  | {
      readonly op: 'mixture';
      readonly head: number;
      readonly inputs: Float32Array;
      readonly weights: Float32Array;
    }
  /** `total`: e to the power of every score less the largest, added up. */
  | {
      readonly op: 'softmax';
      readonly score: number;
      readonly largest: number;
      readonly total: number;
      readonly count: number;
    }
  /** The loss of one token by its probability; null where nothing comes after it. */
  | { readonly op: 'surprise'; readonly probability: number | null }
  | { readonly op: 'mean'; readonly values: readonly number[] };

export interface NumberOrigin {
  readonly cell: Cell;
  readonly formula: Formula;
  /** What the engine got. */
  readonly result: number;
}
