/** Whether chance alone explains a match of a generated text with the training text. */
import type { BaseRate, CopiedRun } from '../../engine/trainer.ts';

/** Share of repeated lines in the text above which a further repeated line proves nothing. */
const COMMON_LINES = 0.05;

/** Why a matching line may be chance; null for other matches. */
export function chanceOf(
  { isLine, characters }: Pick<CopiedRun, 'isLine' | 'characters'>,
  base: BaseRate,
): 'short' | 'repeats' | null {
  if (!isLine) return null;
  if (characters <= base.characters) return 'short';
  return base.lines > COMMON_LINES ? 'repeats' : null;
}
