/**
 * Twins: the run once more with one setting changed and the same seed. A form to choose the
 * setting, their curves, which grow beside the button that was pressed, and a table that holds the
 * runs against each other at the last step that all of them have.
 */
import type { AllWords } from '../../i18n/index.ts';
import { el, setText } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import { PLAIN_LOOK, unitKey } from '../../data/loss-data.ts';
import type { LossData, LossState, LossUnit } from '../../data/loss-data.ts';
import {
  validationText,
  validationUnit,
  verdictSentence,
} from '../../store/training/twin-verdict.ts';
import type { TwinRun } from '../../store/training/twin-verdict.ts';
import { TwinCurves } from './twin-curves.ts';
import { NO_OPTIONS, TwinForm } from './twin-form.ts';
import type { TwinFormData, TwinFormOptions } from './twin-form.ts';

export interface TwinPanelOptions extends TwinFormOptions {
  /** What stands below all, such as other ways to train another run. */
  readonly parts: readonly HTMLElement[];
}

export interface TwinPanelData extends TwinFormData {
  /** The run of now first. */
  readonly runs: readonly TwinRun[];
  /** Null until there is a run. */
  readonly loss: LossData | null;
  readonly look: LossState;
  /** The last step that all runs have. */
  readonly step: number;
  /** What else than one setting tells the runs apart, as a sentence; or empty. */
  readonly caution: string;
}

/** Milliseconds from one drawing of growing curves, and of the table beside them, to the next. */
const PAUSE = 300;

const HEADS = ['run', 'loss', 'bits', 'validation', 'sample'] as const;
type Head = (typeof HEADS)[number];

const NONE: TwinPanelData = {
  ...NO_OPTIONS,
  runs: [],
  loss: null,
  look: PLAIN_LOOK,
  step: 0,
  caution: '',
};

export class TwinPanel implements View<TwinPanelData> {
  readonly #container: HTMLElement;
  readonly #words: AllWords;
  readonly #form: TwinForm;
  readonly #caution = el('p', { class: 'note', 'data-part': 'twin-caution' });
  readonly #curves: TwinCurves;
  readonly #verdict = el('p', { class: 'twin-verdict', 'data-part': 'twin-verdict' });
  readonly #tableBox = el('div', { class: 'table-scroll', tabindex: '0', role: 'region' });
  #tableShape = '';
  #data: TwinPanelData = NONE;
  #drawnAt = -Infinity;

  /** Creates the panel in `container`. */
  constructor(container: HTMLElement, options: TwinPanelOptions) {
    const { words, onTry } = options;
    this.#container = container;
    this.#words = words;
    this.#curves = new TwinCurves(words);
    this.#tableBox.setAttribute('aria-label', words.t('twin.table'));
    this.#form = new TwinForm({
      ...options,
      onTry: (option, value) => {
        this.#curves.bringNext();
        onTry(option, value);
      },
    });
    container.append(
      el('p', { class: 'lead' }, words.t('twin.lead')),
      this.#form.root,
      this.#caution,
      this.#form.status,
      this.#curves.root,
      this.#verdict,
      this.#tableBox,
      ...options.parts,
    );
  }

  /** The curves of the run that is about to begin are to be seen. */
  bringNext(): void {
    this.#curves.bringNext();
  }

  update(next: TwinPanelData): void {
    this.#data = next;
    this.#form.update(next);
    setText(this.#caution, next.caution);
    this.#caution.hidden = next.caution === '';
    this.#draw();
  }

  resize(): void {
    // While they grow, they take the new width with the next drawing, together with the table.
    if (!this.#data.busy) this.#drawCurves();
  }

  destroy(): void {
    this.#curves.destroy();
    this.#container.replaceChildren();
  }

  /** Table and curves together: both speak of the same step. */
  #draw(): void {
    const { runs, step, look, busy } = this.#data;
    // All of it is made anew: while it grows, a few times a second are enough.
    if (busy && performance.now() - this.#drawnAt < PAUSE) return;
    this.#drawnAt = performance.now();
    this.#fillTable();
    // While a twin trains, the better one may change with every step.
    const verdict = busy ? '' : verdictSentence(runs, step, look.unit, this.#words);
    setText(this.#verdict, verdict);
    this.#verdict.hidden = verdict === '';
    this.#drawCurves();
  }

  #fillTable(): void {
    const { runs, step, look } = this.#data;
    this.#tableBox.hidden = runs.length < 2;
    const kind = { unit: validationUnit(runs, step, look.unit), plain: look.smoothing === 0 };
    const shape = JSON.stringify([runs, step, kind]);
    if (shape === this.#tableShape) return;
    this.#tableShape = shape;
    this.#tableBox.replaceChildren(twinTable(runs, step, kind, this.#words));
  }

  #drawCurves(): void {
    const { runs, loss, look } = this.#data;
    this.#curves.draw(
      runs.map(({ name }) => name),
      loss,
      look,
    );
  }
}

/** A table of `runs` at `step`; `plain` if their losses are not smoothed. */
function twinTable(
  runs: readonly TwinRun[],
  step: number,
  { unit, plain }: { readonly unit: LossUnit; readonly plain: boolean },
  words: AllWords,
): HTMLTableElement {
  const { t, number } = words;
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
      cell('validation', validationText(run, unit, step, words)),
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
