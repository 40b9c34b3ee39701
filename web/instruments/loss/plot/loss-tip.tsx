/** Figures of the selected step, on the chart, because the summary below it may be out of sight. */
import { useLayoutEffect } from 'preact/hooks';
import { unitKey } from '../../../data/loss-data.ts';
import { LineSample } from '../earlier-line.tsx';
import type { LossProps } from '../losses.ts';
import type { LossPlot } from './loss-plot.tsx';

export function LossTip({ losses, plot }: LossProps & { readonly plot: LossPlot }) {
  const { t, number, short } = losses.words;
  const look = losses.look.value;
  const reading = plot.reading.value;
  useLayoutEffect(plot.cursor.placeTip);
  if (reading === null) return null;
  const { step, loss, smoothed, validation, rate, norm, others } = reading;
  /** `kind`: a style of the legend (`key-…`), or the id of an earlier run. */
  const row = (kind: string | number, name: string, value: string) => (
    <p key={name} class={typeof kind === 'number' ? 'key-line' : `key key-${kind}`}>
      {typeof kind === 'number' ? <LineSample id={kind} /> : null}
      <span class="loss-tip-name">{name}</span>
      <b>{value}</b>
    </p>
  );
  const isKnown = Number.isFinite(loss);
  const isPlain = look.smoothing === 0;
  const at = validation?.step === step ? 'loss.validation' : 'loss.tip.validation';
  return (
    <div ref={plot.cursor.tip} class="loss-tip" aria-hidden="true">
      <p class="loss-tip-step">
        {t('loss.tip', { step: number(step), unit: t(unitKey(look.unit)) })}
      </p>
      {isKnown ? row(isPlain ? 'smoothed' : 'train', t('loss.title'), number(loss, 3)) : null}
      {isKnown && isPlain ? null : row('smoothed', t('loss.smoothed'), number(smoothed, 3))}
      {validation === null
        ? null
        : row('validation', t(at, { step: number(validation.step) }), number(validation.loss, 3))}
      {/* Run numbers instead of names, which are too long. */}
      {others.map(({ id, loss: other }) =>
        row(id, t('earlier.short', { number: id + 1 }), number(other, 3)),
      )}
      {look.beneath && Number.isFinite(rate)
        ? [row('none', t('loss.rate'), short(rate)), row('none', t('loss.norm'), short(norm))]
        : null}
    </div>
  );
}
