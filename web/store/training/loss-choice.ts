/** The reader's settings of loss charts (unit, axes, smoothing), kept for the next visit. */
import { LOSS_CHOICE, PLAIN_CHOICE } from '../../data/loss-data.ts';
import type { LossChoice } from '../../data/loss-data.ts';
import { keep, recall } from '../storage.ts';
import { readStored } from '../stored.ts';

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
  return readStored(LOSS_CHOICE, text) ?? PLAIN_CHOICE;
}
