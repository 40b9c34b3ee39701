/** The losses of a run as a table for other programs, with every digit that the engine gave. */
import type { LossHistory } from '../../data/loss-history.ts';

const COLUMNS =
  'step,loss,smoothed,validation,learning_rate,gradient_norm,memorised_training,memorised_held_out';

/**
 * One row for each step that is kept: losses in nats per token, shares of prompts that are
 * continued word for word from 0 to 1; a cell is empty where nothing is known.
 * `smoothing` is that of the curve on screen. Lines end as RFC 4180 has it.
 */
export function lossCsv(history: LossHistory, smoothing = 1): string {
  const lines = [COLUMNS];
  const memorised = new Map(history.memorised.map((one) => [one.step, one]));
  for (let step = 1; step <= history.length; step += history.stride) {
    const point = history.at(step, smoothing);
    if (point === undefined) continue;
    const { loss, smoothed, validation, rate, norm } = point;
    const { train, heldOut } = memorised.get(step) ?? {};
    lines.push([step, loss, smoothed, validation, rate, norm, train, heldOut].map(cell).join(','));
  }
  return `${lines.join('\r\n')}\r\n`;
}

function cell(value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? '' : String(value);
}
