/**
 * What is known of the step that is pointed at: a sentence, and figures on the curve itself, since
 * beneath it they may be out of sight.
 */
import { sentences } from '../../../i18n/index.ts';
import type { Words } from '../../../i18n/index.ts';
import { el, setText } from '../../../kit/dom.ts';
import { lineSample } from '../earlier-list.ts';
import { unitKey } from '../../../data/loss-data.ts';
import type { LossData, LossState } from '../../../data/loss-data.ts';
import { readingAt } from '../../../store/training/loss-reading.ts';
import type { LossReading } from '../../../store/training/loss-reading.ts';

export interface LossTip {
  /** The same as a sentence, for screen readers. */
  readonly root: HTMLElement;
  /** Null for no step. */
  show(reading: LossReading | null, look: LossState): void;
}

/** Creates the figures; where they stand is the plot's to say. */
export function createLossTip({ t, number, short }: Words): LossTip {
  const root = el('div', { class: 'loss-tip', 'aria-hidden': 'true' });
  root.hidden = true;
  let shown = '';

  const row = (key: string | Node, name: string, value: string): HTMLElement => {
    const text = el('span', { class: 'loss-tip-name' }, name);
    const mark = typeof key === 'string' ? `key key-${key}` : 'key-line';
    return el(
      'p',
      { class: mark },
      ...(typeof key === 'string' ? [] : [key]),
      text,
      el('b', {}, value),
    );
  };

  function rows(
    { step, loss, smoothed, validation, rate, norm, others }: LossReading,
    look: LossState,
  ) {
    const made: HTMLElement[] = [];
    if (Number.isFinite(loss)) {
      made.push(row(look.smoothing === 0 ? 'smoothed' : 'train', t('loss.title'), number(loss, 3)));
    }
    if (look.smoothing !== 0 || !Number.isFinite(loss)) {
      made.push(row('smoothed', t('loss.smoothed'), number(smoothed, 3)));
    }
    if (validation !== null) {
      const name =
        validation.step === step
          ? t('loss.validation')
          : t('loss.tip.validation', { step: number(validation.step) });
      made.push(row('validation', name, number(validation.loss, 3)));
    }
    // By number, as above the curve: names are long, and the figures must not hide what they are
    // of.
    for (const { id, loss: other } of others) {
      made.push(row(lineSample(id), t('earlier.short', { number: id + 1 }), number(other, 3)));
    }
    if (look.beneath && Number.isFinite(rate)) {
      made.push(row('none', t('loss.rate'), short(rate)), row('none', t('loss.norm'), short(norm)));
    }
    return made;
  }

  return {
    root,
    show(reading, look) {
      root.hidden = reading === null;
      const wanted = JSON.stringify([reading, look]);
      if (reading === null || wanted === shown) return;
      shown = wanted;
      const head = el('p', { class: 'loss-tip-step' });
      setText(head, t('loss.tip', { step: number(reading.step), unit: t(unitKey(look.unit)) }));
      root.replaceChildren(head, ...rows(reading, look));
    },
  };
}

/** What is known of `step`, in words; null if nothing is. */
export function pointSentence(
  data: LossData,
  look: LossState,
  step: number,
  words: Words,
): string | null {
  const { t } = words;
  const reading = readingAt(data, look, step);
  if (reading === null) return null;
  const { loss, smoothed, perplexity, validation, rate, norm } = reading;
  const asIs = look.smoothing === 0 ? 'loss.point.plain' : 'loss.point';
  const parts = [
    // Of a long run, a file keeps the loss of some steps only.
    t(Number.isFinite(loss) ? asIs : 'loss.point.smoothed', {
      step: words.number(step),
      loss: words.number(loss, 3),
      smoothed: words.number(smoothed, 3),
      unit: t(unitKey(look.unit)),
      perplexity: words.short(perplexity),
    }),
  ];
  if (validation !== null) {
    const { step: at } = validation;
    const said = { loss: words.number(validation.loss, 3), step: words.number(at) };
    parts.push(t(at === step ? 'loss.point.validation' : 'loss.point.validation.near', said));
  }
  if (Number.isFinite(rate)) {
    parts.push(t('loss.point.rate', { rate: words.short(rate), norm: words.short(norm) }));
  }
  for (const { name, loss: other } of reading.others) {
    parts.push(t('loss.point.other', { name, loss: words.number(other, 3) }));
  }
  return sentences(parts, words);
}
