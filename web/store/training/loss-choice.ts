/**
 * How this reader likes to look at losses: unit, axes and smoothing, as chosen on an earlier visit.
 */
import { PLAIN_CHOICE, SMOOTHINGS } from '../../data/loss-data.ts';
import type { LossChoice } from '../../data/loss-data.ts';
import { keep, recall } from '../storage.ts';

const KEY = 'loss';

/** The choice that was made on an earlier visit; what is not understood is as it comes. */
export function recallLossChoice(): LossChoice {
  return readLossChoice(recall('always', KEY));
}

/** Keeps a choice for the next visit; nothing where it is as it comes. */
export function keepLossChoice(choice: LossChoice): void {
  const text = JSON.stringify(choice);
  keep('always', KEY, text === JSON.stringify(PLAIN_CHOICE) ? null : text);
}

/** A choice as it was kept. */
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
