/** The unit of a loss in small print, with its long name as the title. */
import { unitKey } from '../data/loss-data.ts';
import type { LossUnit } from '../data/loss-data.ts';
import type { Words } from '../i18n/index.ts';

export function UnitMark({ unit, words }: { readonly unit: LossUnit; readonly words: Words }) {
  return (
    <span class="fact-unit" title={words.t(unitKey(unit))}>
      {words.t(`run.unit.${unit}`)}
    </span>
  );
}
