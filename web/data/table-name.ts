/** Tables of the last few tokens, to compare a model with, by name. */
import type { AllWords } from '../i18n/index.ts';

/** What a table of `order` tokens before is called; -1 is guessing. */
export function tableName(order: number, { t }: AllWords): string {
  if (order < 0) return t('baseline.guess');
  return order === 0 ? t('baseline.frequencies') : t('baseline.before', { count: order });
}
