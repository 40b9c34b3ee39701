/** The runs against each other at the last step that all of them have: losses and a sample. */
import type { AllWords } from '../../i18n/index.ts';
import { el } from '../../kit/dom.ts';
import { unitKey } from '../../data/loss-data.ts';
import type { LossLook } from '../../data/loss-data.ts';
import { validationText, validationUnit } from '../../store/training/twin-verdict.ts';
import type { TwinRun } from '../../store/training/twin-verdict.ts';

const HEADS = ['run', 'loss', 'bits', 'validation', 'sample'] as const;
type Head = (typeof HEADS)[number];

export class TwinTable {
  readonly root = el('div', { class: 'table-scroll', tabindex: '0', role: 'region' });
  readonly #words: AllWords;
  #shown = '';

  constructor(words: AllWords) {
    this.#words = words;
    this.root.setAttribute('aria-label', words.t('twin.table'));
  }

  /** Hidden with fewer than two runs. */
  update(runs: readonly TwinRun[], step: number, look: LossLook): void {
    this.root.hidden = runs.length < 2;
    const unit = validationUnit(runs, step, look.unit);
    const shown = JSON.stringify([runs, step, unit, look.smoothing === 0]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.root.replaceChildren(this.#make(runs, step, unit, look.smoothing === 0));
  }

  #make(
    runs: readonly TwinRun[],
    step: number,
    unit: LossLook['unit'],
    plain: boolean,
  ): HTMLElement {
    const { t, number } = this.#words;
    const named = { unit: t(unitKey(unit)) };
    const name = (head: Head): string =>
      t(head === 'loss' && plain ? 'twin.loss.plain' : `twin.${head}`, named);
    const cell = (head: Head, text: string, kind = 'figure'): HTMLElement =>
      el('td', { role: 'cell', class: kind, 'data-label': name(head) }, text);
    const heads = HEADS.map((head) => el('th', { scope: 'col', role: 'columnheader' }, name(head)));
    const rows = runs.map((run) =>
      el(
        'tr',
        { role: 'row' },
        el('th', { scope: 'row', role: 'rowheader' }, run.name),
        cell('loss', number(run.loss, 3)),
        cell('bits', number(run.bits, 3)),
        cell('validation', validationText(run, unit, step, this.#words)),
        cell('sample', run.sample, 'written'),
      ),
    );
    return el(
      'table',
      // Said in words: where rows become blocks on a phone, browsers forget that this is a table.
      { class: 'twin-table stacked', role: 'table' },
      el('caption', {}, t('twin.caption', { step: number(step) })),
      el('thead', { role: 'rowgroup' }, el('tr', { role: 'row' }, ...heads)),
      el('tbody', { role: 'rowgroup' }, ...rows),
    );
  }
}
