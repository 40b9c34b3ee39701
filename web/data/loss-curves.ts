/** The visible part of all curves of a loss chart, in the shown unit. */
import { partOf, stepRange, unitFactor } from './loss-data.ts';
import type { LossData, LossLine, LossState } from './loss-data.ts';
import type { LossColumns, LossPart } from './loss-history.ts';

export interface ShownCurves {
  readonly part: LossPart;
  readonly columns: LossColumns;
  /** Earlier runs that are shown. */
  readonly others: readonly { readonly line: LossLine; readonly columns: LossColumns }[];
  /** The loss of random guessing. */
  readonly random: number;
}

/** The curves, with about `most` points of the run and `mostOther` of each other one. */
export function shownCurves(
  data: LossData,
  state: LossState,
  most: number,
  mostOther = most,
): ShownCurves {
  const part = partOf(state, stepRange(data, state));
  const scaled = (values: (number | null)[], tokensPerCharacter: number): (number | null)[] => {
    const factor = unitFactor(state, tokensPerCharacter);
    return values.map((value) => (value === null || Number.isNaN(factor) ? null : value * factor));
  };
  const columnsOf = (
    { history, tokensPerCharacter: { train, validation } }: LossData | LossLine,
    count: number,
  ): LossColumns => {
    const columns = history.columns(count, part);
    return {
      ...columns,
      losses: scaled(columns.losses, train),
      smoothed: scaled(columns.smoothed, train),
      validation: scaled(columns.validation, validation),
    };
  };
  return {
    part,
    columns: columnsOf(data, most),
    others: data.lines
      .filter(({ shown }) => shown)
      .map((line) => ({ line, columns: columnsOf(line, mostOther) })),
    random: data.randomLoss * unitFactor(state, data.tokensPerCharacter.train),
  };
}
