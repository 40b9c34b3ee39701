/**
 * Share of a text that a planned run would never learn, and how often the run reads the training
 * part.
 */
import { valueOf } from '../../engine/options.ts';
import type { Planned } from '../training/held-out.ts';

/** Minimum left-out share for which the run bar warns and suggests a remedy. */
const WORTH_SAYING = 0.01;

/** The share of tokens beyond the context if it is worth a warning, else 0. */
export function leftOutShare({ plan }: Pick<Planned, 'plan'>): number {
  const share = plan.tokens > 0 ? plan.cutTokens / plan.tokens : 0;
  return share > WORTH_SAYING ? share : 0;
}

/** How often the planned steps read the training part. */
export function readingsOf({ plan, table, recipe }: Planned): number {
  const value = (name: string): number => valueOf(table, recipe, name);
  const trained = plan.hasValidation ? 1 - value('validation') : 1;
  // A step reads `batch` whole documents, or windows of a stream.
  const steps =
    plan.documents > 0 ? plan.documents / value('batch') : plan.tokens / plan.tokensPerStep;
  return value('steps') / (steps * trained);
}
