import { findOption, presetValue } from '../../engine/options.ts';
import { rateOf } from './current-run.ts';
import type { Session } from './session.ts';

/** The learning rate of the shown run, and that of its preset; null without a run. */
export function ratesOf({
  table,
  current,
}: Session): { readonly rate: number; readonly usual: number } | null {
  const option = findOption(table, 'lr');
  if (current === null || option === undefined) return null;
  const usual = presetValue(table, current.recipe.preset, option);
  return { rate: rateOf(current, table), usual };
}
