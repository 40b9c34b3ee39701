/** Selects the visible part of all curves of a loss chart, in the shown unit. */
import { partOf, stepRange, unitFactor } from './loss-data.ts';
import type { LossData, LossLine, LossState } from './loss-data.ts';
import type { LossColumns, LossPart } from './loss-history.ts';

export interface ShownCurves {
  readonly part: LossPart;
  readonly columns: LossColumns;
  /** The visible earlier runs. */
  readonly others: readonly { readonly line: LossLine; readonly columns: LossColumns }[];
  /** The loss of random guessing. */
  readonly random: number;
}

/**
 * Returns about `most` points of the current run's curve, and `mostOther` of each earlier run's.
 */
export function shownCurves(
  data: LossData,
  state: LossState,
  most: number,
  mostOther = most,
): ShownCurves {
  const part = partOf(state, stepRange(data, state));
  const columnsOf = ({ history, tokensPerCharacter }: LossData | LossLine, count: number) =>
    history.columns(count, part, {
      train: unitFactor(state, tokensPerCharacter.train),
      validation: unitFactor(state, tokensPerCharacter.validation),
    });
  return {
    part,
    columns: columnsOf(data, most),
    others: data.lines
      .filter(({ shown }) => shown)
      .map((line) => ({ line, columns: columnsOf(line, mostOther) })),
    random: data.randomLoss * unitFactor(state, data.tokensPerCharacter.train),
  };
}
