/** What two models say of the same text, and what of it differs. */
import { headWeights, placeWithin } from '../../data/attention-data.ts';
import type { AttentionData, AttentionToken, HeadPlace } from '../../data/attention-data.ts';
import type { ScoredToken } from '../../data/token-data.ts';

/** What the model of one step says of the text. */
export interface Moment {
  readonly step: number;
  readonly attention: AttentionData;
  readonly tokens: readonly ScoredToken[];
  /** In nats per token; NaN if none has a loss. */
  readonly meanLoss: number;
}

/** Attention of one token on another at A and at B. */
export interface WeightChange {
  readonly row: number;
  readonly column: number;
  readonly before: number;
  readonly after: number;
}

/** One head at A and at B. */
export interface HeadChange {
  readonly place: HeadPlace;
  readonly tokens: readonly AttentionToken[];
  /** (tokens, tokens): B minus A. */
  readonly differences: Float32Array;
  /** Of every cell on and below the diagonal, the largest change first. */
  readonly changes: readonly WeightChange[];
}

export function headChange(a: AttentionData, b: AttentionData, wanted: HeadPlace): HeadChange {
  const place = placeWithin(wanted, b);
  const [before, after] = [headWeights(a, place), headWeights(b, place)];
  const { tokens } = b;
  const changes = tokens.flatMap((_, row) =>
    tokens.slice(0, row + 1).map((__, column) => {
      const at = row * tokens.length + column;
      return { row, column, before: before[at] ?? 0, after: after[at] ?? 0 };
    }),
  );
  const far = (one: WeightChange): number => Math.abs(one.after - one.before);
  changes.sort((one, other) => far(other) - far(one));
  return { place, tokens, differences: after.map((one, at) => one - (before[at] ?? 0)), changes };
}
