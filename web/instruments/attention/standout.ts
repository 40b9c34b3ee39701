/** The weight of a head that stands out most on this text, as a sentence: now and untrained. */
import { headWeights, sameTokens } from '../../data/attention-data.ts';
import type { HeadPlace } from '../../data/attention-data.ts';
import type { Cell } from '../../base/cell.ts';
import type { Attention } from '../../engine/trainer.ts';
import { capitalised } from '../../i18n/index.ts';
import type { Words } from '../../i18n/index.ts';
import { spokenLabels } from '../../kit/row-labels.ts';

/** Minimum excess over uniform attention of a weight that is named. */
const CLEAR = 0.05;

/**
 * The cell whose weight exceeds uniform attention most, from the second row on; null if no weight
 * exceeds it by CLEAR. `weights`: `size` rows of `size` columns.
 */
export function standout(weights: Float32Array, size: number): Cell | null {
  let best: Cell | null = null;
  let most = CLEAR;
  for (let row = 1; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      const excess = weights[row * size + column]! - 1 / (row + 1);
      if (excess > most) [best, most] = [{ row, column }, excess];
    }
  }
  return best;
}

/** The sentence. `first`: attention before step 1; null if unknown. */
export function standoutText(
  attention: Attention,
  first: Attention | null,
  place: HeadPlace,
  words: Words,
): string {
  const { t, percent } = words;
  const { tokens } = attention;
  const size = tokens.length;
  if (size < 2) return t('attention.verdict.alone');
  const weights = headWeights(attention, place);
  const cell = standout(weights, size);
  if (cell === null) return t('attention.verdict.spread');
  const names = spokenLabels(tokens, words);
  const at = cell.row * size + cell.column;
  const isItself = cell.row === cell.column;
  const to = isItself ? t('attention.habit.itself') : (names[cell.column] ?? '');
  const said = { from: names[cell.row] ?? '', to };
  const share = percent(weights[at] ?? 0);
  const isKnown = first !== null && first !== attention && sameTokens(first.tokens, tokens);
  if (!isKnown) return capitalised(t('attention.verdict.cell', { ...said, share }));
  const before = percent(headWeights(first, place)[at] ?? 0);
  return capitalised(t('attention.verdict.cell.before', { ...said, share, before }));
}
