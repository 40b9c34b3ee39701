/** Sentences of the plot: the selected step, and values that the charts cannot draw. */
import { unitFactor, unitKey } from '../../../data/loss-data.ts';
import type { LossState } from '../../../data/loss-data.ts';
import type { LossHistory } from '../../../data/loss-history.ts';
import { sentences } from '../../../i18n/index.ts';
import type { Words } from '../../../i18n/index.ts';
import type { LossReading } from '../../../store/training/loss-reading.ts';
import type { Cut, LossCharts } from './loss-charts.ts';
import type { PlotScene } from './plot-scene.ts';

export function pointSentence(reading: LossReading, look: LossState, words: Words): string {
  const { t, number, short } = words;
  const { step, loss, smoothed, perplexity, validation, rate, norm, others } = reading;
  const plain = look.smoothing === 0 ? 'loss.point.plain' : 'loss.point';
  const figures = { step: number(step), loss: number(loss, 3), smoothed: number(smoothed, 3) };
  const more = { unit: t(unitKey(look.unit)), perplexity: short(perplexity) };
  // The file of a long run contains the unsmoothed losses of some steps only.
  const said = [t(Number.isFinite(loss) ? plain : 'loss.point.smoothed', { ...figures, ...more })];
  if (validation !== null) {
    const key = validation.step === step ? 'loss.point.validation' : 'loss.point.validation.near';
    said.push(t(key, { loss: number(validation.loss, 3), step: number(validation.step) }));
  }
  if (Number.isFinite(rate))
    said.push(t('loss.point.rate', { rate: short(rate), norm: short(norm) }));
  for (const { name, loss: other } of others) {
    said.push(t('loss.point.other', { name, loss: number(other, 3) }));
  }
  return sentences(said, words);
}

/** Sentences on values above the top of a chart, and on steps without measured rates and norms. */
export function undrawnSentence(
  { data, look, words }: PlotScene,
  { losses, norms }: ReturnType<LossCharts['draw']>,
): string {
  const { t, number, short } = words;
  const said: string[] = [];
  const [loss, norm] = [highestOf(losses), highestOf(norms)];
  if (loss !== null) {
    const value = loss.value * unitFactor(look, data.tokensPerCharacter.train);
    const at = { loss: number(value, 2), step: number(loss.step) };
    said.push(t('loss.cut', { count: losses.length, ...at }));
  }
  if (look.beneath) said.push(...unmeasured(data.history, words));
  if (norm !== null) {
    const at = { norm: short(norm.value), step: number(norm.step) };
    said.push(t('loss.norm.cut', { count: norms.length, ...at }));
  }
  return sentences(said, words);
}

/** Sentence on the steps without a learning rate and gradient norm; empty if all have them. */
function unmeasured({ length, measuredFrom }: LossHistory, { t, number }: Words): string[] {
  if (length === 0) return [t('loss.beneath.before')];
  if (measuredFrom === undefined) return [t('loss.beneath.none')];
  return measuredFrom > 1 ? [t('loss.beneath.from', { step: number(measuredFrom) })] : [];
}

/** The highest value, with its step; null without values. */
function highestOf(cut: Cut): Cut[number] | null {
  return cut.reduce<Cut[number] | null>(
    (best, one) => (best !== null && best.value >= one.value ? best : one),
    null,
  );
}
