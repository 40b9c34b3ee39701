/** The reader's settings of loss charts (unit, axes, smoothing), kept for the next visit. */
import { PLAIN_CHOICE, SMOOTHINGS } from '../../data/loss-data.ts';
import type { LossChoice } from '../../data/loss-data.ts';
import { keep, recall } from '../storage.ts';

const KEY = 'loss';

/** The settings of an earlier visit, with defaults for invalid values. */
export function recallLossChoice(): LossChoice {
  return readLossChoice(recall('always', KEY));
}

/** Keeps settings for the next visit; stores nothing if they are the defaults. */
export function keepLossChoice(choice: LossChoice): void {
  const text = JSON.stringify(choice);
  keep('always', KEY, text === JSON.stringify(PLAIN_CHOICE) ? null : text);
}

/** Parses stored settings; null gives the defaults. */
export function readLossChoice(text: string | null): LossChoice {
  const { unit, smoothing, logSteps, logLoss, beneath } = parse(text);
  return {
    unit: unit === 'bits' ? 'bits' : 'nats',
    smoothing: SMOOTHINGS.find((one) => one === smoothing) ?? PLAIN_CHOICE.smoothing,
    logSteps: logSteps === true,
    logLoss: logLoss === true,
    beneath: beneath === true,
  };
}

function parse(text: string | null): Partial<Record<keyof LossChoice, unknown>> {
  try {
    const read: unknown = JSON.parse(text ?? 'null');
    return typeof read === 'object' && read !== null ? read : {};
  } catch {
    return {};
  }
}
