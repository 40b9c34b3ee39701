/** The reader's settings of loss charts (unit, axes, smoothing), kept for the next visit. */
import * as v from 'valibot';
import { KEPT } from '../../base/form.ts';
import { PLAIN_CHOICE, SMOOTHINGS } from '../../data/loss-data.ts';
import type { LossChoice } from '../../data/loss-data.ts';
import { keep, recall } from '../storage.ts';
import { readStored } from '../stored.ts';

const KEY = 'loss';

const FLAG = v.fallback(v.boolean(), false);
const CHOICE = v.object({
  unit: v.fallback(v.picklist(['nats', 'bits']), PLAIN_CHOICE.unit),
  smoothing: v.fallback(v.picklist(SMOOTHINGS), PLAIN_CHOICE.smoothing),
  logSteps: FLAG,
  logLoss: FLAG,
  beneath: FLAG,
});

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
  return (KEPT ? readStored(CHOICE, text) : null) ?? PLAIN_CHOICE;
}
