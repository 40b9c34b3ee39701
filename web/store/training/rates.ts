import { findOption, presetValue, valueOf } from '../../engine/options.ts';
import type { Session } from './session.ts';

/** The learning rate of the shown run, and that of its preset; null if absent. */
export function ratesOf({
  table,
  runRecipe,
}: Session): { readonly rate: number; readonly usual: number } | null {
  const option = findOption(table, 'lr');
  if (runRecipe === null || option === undefined) return null;
  const usual = presetValue(table, runRecipe.preset, option);
  return { rate: valueOf(table, runRecipe, 'lr'), usual };
}
