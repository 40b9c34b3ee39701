/** Exports the losses of a run as CSV, with all digits that the engine reported. */
import type { LossHistory } from '../../data/loss-history.ts';

const COLUMNS =
  'step,loss,smoothed,validation,learning_rate,gradient_norm,memorised_training,memorised_held_out';

/**
 * One row per kept step: losses in nats per token, memorised shares from 0 to 1; unknown values are
 * empty cells. `smoothing` is the chart's. Lines end in CR LF (RFC 4180).
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
