/** The unit of a loss in small print, beside the name of the loss. */
import type { Words } from '../i18n/index.ts';
import { el, setAttribute, setText } from './dom.ts';
import { unitKey } from '../data/loss-data.ts';
import type { LossUnit } from '../data/loss-data.ts';

export interface UnitMark {
  readonly root: HTMLElement;
  readonly show: (unit: LossUnit) => void;
}

/** Creates the mark, empty until `show`. */
export function createUnitMark({ t }: Words): UnitMark {
  const root = el('span', { class: 'fact-unit' });
  return {
    root,
    show: (unit) => {
      setText(root, t(`run.unit.${unit}`));
      // The long name of the unit.
      setAttribute(root, 'title', t(unitKey(unit)));
    },
  };
}
