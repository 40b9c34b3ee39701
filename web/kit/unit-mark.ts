/** The unit of a loss in small letters, beside what the loss is called. */
import type { Words } from '../i18n/index.ts';
import { el, setAttribute, setText } from './dom.ts';
import { unitKey } from '../data/loss-data.ts';
import type { LossUnit } from '../data/loss-data.ts';

export interface UnitMark {
  readonly root: HTMLElement;
  readonly show: (unit: LossUnit) => void;
}

/** Creates the mark; it says nothing until it is told a unit. */
export function createUnitMark({ t }: Words): UnitMark {
  const root = el('span', { class: 'fact-unit' });
  return {
    root,
    show: (unit) => {
      setText(root, t(`run.unit.${unit}`));
      // Short as it is, it has a longer name.
      setAttribute(root, 'title', t(unitKey(unit)));
    },
  };
}
