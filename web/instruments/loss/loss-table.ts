/** The losses in figures: the very first one, and means over blocks of steps. */
import type { Words } from '../../i18n/index.ts';
import { el, table } from '../../kit/dom.ts';
import { unitFactor, unitKey } from '../../data/loss-data.ts';
import type { LossData, LossState } from '../../data/loss-data.ts';

export function lossTable(
  { history, hasValidation, tokensPerCharacter }: LossData,
  look: LossState,
  { t, number }: Words,
): HTMLElement[] {
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
  // All digits: the same text, settings and seed must give exactly these again.
  const digits = el('code', { 'data-part': 'first-loss' }, String(history.first ?? '–'));
  const exact = el('p', {}, t('loss.first'), ' ', digits);
  return [exact, table(t('loss.table.caption', { unit: t(unitKey(look.unit)) }), heads, rows)];
}
