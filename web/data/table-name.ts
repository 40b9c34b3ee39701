/** Names of the n-gram baselines that a model is compared with. */
import type { AllWords } from '../i18n/index.ts';

/** Name of the baseline that predicts from `order` previous tokens; -1 is uniform guessing. */
export function tableName(order: number, { t }: AllWords): string {
  if (order < 0) return t('baseline.guess');
  return order === 0 ? t('baseline.frequencies') : t('baseline.before', { count: order });
}
