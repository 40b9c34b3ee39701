/** From losses to what is drawn: the columns of the chart, and the range that holds them. */
import type uPlot from 'uplot';
import { lossRange, unitFactor } from '../../data/loss-data.ts';
import type { LossData, LossLook } from '../../data/loss-data.ts';
import type { LossColumns, LossPart } from '../../data/loss-history.ts';
import type { OtherCurve } from './plot-painting.ts';

const MOST_OTHER_POINTS = 500;

/** Steps, losses, smoothed and validation losses, in the unit that is shown. */
export function lossSeries(
  { steps, losses, smoothed, validation }: LossColumns,
  { tokensPerCharacter }: LossData,
  look: LossLook,
): uPlot.AlignedData {
  const factor = unitFactor(look, tokensPerCharacter.train);
  const heldOut = unitFactor(look, tokensPerCharacter.validation);
  return [steps, scaled(losses, factor), scaled(smoothed, factor), scaled(validation, heldOut)];
}

/** The curves of earlier runs that are shown. */
export function otherCurves({ lines }: LossData, look: LossLook, part: LossPart): OtherCurve[] {
  return lines
    .filter((line) => line.shown)
    .map((line) => ({
      id: line.id,
      columns: line.history.columns(MOST_OTHER_POINTS, part),
      factor: unitFactor(look, line.tokensPerCharacter.train),
      heldOut: unitFactor(look, line.tokensPerCharacter.validation),
    }));
}

/** The loss of guessing in the unit that is shown. */
export function randomOf({ randomLoss, tokensPerCharacter }: LossData, look: LossLook): number {
  return randomLoss * unitFactor(look, tokensPerCharacter.train);
}

/** Holds all that is in view; the line of guessing only while all steps are. */
export function seriesRange(
  [, losses = [], smoothed = [], validation = []]: uPlot.AlignedData,
  others: readonly OtherCurve[],
  data: LossData,
  look: LossLook,
): [number, number] {
  const whole = look.window === null;
  const values = [...known(whole ? losses : smoothed), ...known(validation)];
  // Close up, single noisy steps may leave the picture at the edges, but most must be seen.
  if (!whole) values.push(...middle(known(losses)));
  for (const { columns, factor, heldOut } of others) {
    values.push(...known(columns.smoothed).map((value) => value * factor));
    values.push(...known(columns.validation).map((value) => value * heldOut));
  }
  if (whole) values.push(randomOf(data, look));
  return lossRange(values, look);
}

function scaled(values: readonly (number | null)[], factor: number): (number | null)[] {
  if (factor === 1) return [...values];
  return values.map((value) => (value === null || Number.isNaN(factor) ? null : value * factor));
}

function known(column: ArrayLike<number | null | undefined>): number[] {
  return Array.from(column).filter((value) => typeof value === 'number');
}

/** All but the highest and lowest fiftieth. */
function middle(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b);
  const cut = Math.floor(sorted.length / 50);
  return sorted.slice(cut, sorted.length - cut);
}
