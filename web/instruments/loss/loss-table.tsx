/** The losses in figures: the very first one, and means over blocks of steps. */
import { unitFactor, unitKey } from '../../data/loss-data.ts';
import { PlainTable } from '../../kit/data-table.tsx';
import type { LossProps } from './losses.ts';

export function LossTable({ losses }: LossProps) {
  const { t, number } = losses.words;
  const { history, hasValidation, tokensPerCharacter } = losses.data.value;
  const look = losses.look.value;
  const factor = unitFactor(look, tokensPerCharacter.train);
  const heldOut = unitFactor(look, tokensPerCharacter.validation);
  const heads = [t('loss.col.steps'), t('loss.col.mean'), t('loss.col.low'), t('loss.col.high')];
  if (hasValidation) heads.push(t('loss.validation'));
  const rows = history.blocks(history.blockSize()).map(({ from, to, mean, lowest, highest }) => {
    const steps = [...new Set([from, to])].map((step) => number(step)).join('–');
    const cells = [steps, ...[mean, lowest, highest].map((loss) => number(loss * factor, 4))];
    if (!hasValidation) return cells;
    const validation = history.validationIn(from - 1, to);
    return [...cells, validation === undefined ? '–' : number(validation * heldOut, 4)];
  });
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={t('loss.table')}>
      {/* All digits: the same text, settings and seed must give exactly these again. */}
      <p>
        {t('loss.first')} <code data-part="first-loss">{String(history.first ?? '–')}</code>
      </p>
      <PlainTable
        caption={t('loss.table.caption', { unit: t(unitKey(look.unit)) })}
        heads={heads}
        rows={rows}
      />
    </div>
  );
}
