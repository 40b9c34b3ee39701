/**
 * Twins: the run once more with one setting changed and the same seed. A form to choose the setting,
 * and a table that holds the runs against each other at the last step that all of them have.
 */
import type { Words } from '../i18n/index.ts';
import { el, freshId, setText } from './dom.ts';
import type { View } from './dom.ts';

/** A setting that a twin can differ in. */
export interface TwinOption {
  readonly name: string;
  readonly title: string;
  /** Values by name; empty for numbers. */
  readonly choices: readonly { readonly value: number; readonly text: string }[];
  readonly min: number;
  readonly max: number;
  readonly whole: boolean;
  /** In the run of now. */
  readonly value: number;
}

/** One of the runs to compare. */
export interface TwinRun {
  readonly name: string;
  /** Smoothed, at the common step, in nats per token. */
  readonly loss: number;
  readonly bits: number;
  /** NaN where nothing is held out. */
  readonly validation: number;
  readonly sample: string;
}

export interface TwinPanelData {
  readonly options: readonly TwinOption[];
  /** The run of now first. */
  readonly runs: readonly TwinRun[];
  /** The last step that all runs have. */
  readonly step: number;
  readonly busy: boolean;
  readonly error: string;
}

export interface TwinPanelOptions {
  readonly words: Words;
  readonly onTry: (option: string, value: number) => void;
}

/** The setting that is offered first: everybody can guess what changing it will do. */
const FIRST = 'lr';

/** Creates the panel in `container`. */
export function createTwinPanel(
  container: HTMLElement,
  { words, onTry }: TwinPanelOptions,
): View<TwinPanelData> {
  const { t } = words;
  const optionId = freshId('twin-option');
  const valueId = freshId('twin-value');
  const option = el('select', { id: optionId });
  const valueBox = el('span', {});
  const now = el('span', { class: 'muted' });
  const go = el('button', { type: 'submit', class: 'primary' }, t('twin.go'));
  const form = el(
    'form',
    { class: 'twin-form' },
    el('label', { for: optionId }, t('twin.option')),
    option,
    el('label', { for: valueId }, t('twin.value')),
    valueBox,
    now,
    go,
  );
  const status = el('p', { class: 'note', role: 'status' });
  const tableBox = el('div', { class: 'table-scroll', tabindex: '0', role: 'region' });
  tableBox.setAttribute('aria-label', t('twin.table'));
  container.append(el('p', { class: 'lead' }, t('twin.lead')), form, status, tableBox);
  let data: TwinPanelData = { options: [], runs: [], step: 0, busy: false, error: '' };
  let value: HTMLSelectElement | HTMLInputElement = el('input', {});
  let formShape = '';
  let tableShape = '';

  function chosen(): TwinOption | undefined {
    return data.options.find(({ name }) => name === option.value) ?? data.options[0];
  }

  /** Offers another value than that of now. */
  function fillValue(): void {
    const one = chosen();
    if (one === undefined) return;
    if (one.choices.length > 0) {
      const others = one.choices.filter((choice) => choice.value !== one.value);
      value = el(
        'select',
        { id: valueId },
        ...others.map((choice) => el('option', { value: choice.value }, choice.text)),
      );
    } else {
      const { min, max, whole } = one;
      value = el('input', { id: valueId, type: 'number', min, max, step: whole ? 1 : 'any' });
      value.required = true;
      value.value = String(one.value * 2 <= max ? one.value * 2 : one.value / 2);
    }
    const text = one.choices.find((choice) => choice.value === one.value)?.text;
    setText(now, t('twin.now', { value: text ?? String(one.value) }));
    valueBox.replaceChildren(value);
  }

  option.addEventListener('change', fillValue);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const one = chosen();
    if (one !== undefined) onTry(one.name, Number(value.value));
  });

  function fillTable(): void {
    const { runs, step } = data;
    tableBox.hidden = runs.length < 2;
    const heads = ['run', 'loss', 'bits', 'validation', 'sample'] as const;
    const rows = runs.map((run) =>
      el(
        'tr',
        {},
        el('th', { scope: 'row' }, run.name),
        el('td', {}, words.number(run.loss, 3)),
        el('td', {}, words.number(run.bits, 3)),
        el('td', {}, words.number(run.validation, 3)),
        el('td', { class: 'written' }, run.sample),
      ),
    );
    const shape = JSON.stringify([runs, step]);
    if (shape === tableShape) return;
    tableShape = shape;
    tableBox.replaceChildren(
      el(
        'table',
        { class: 'twin-table' },
        el('caption', {}, t('twin.caption', { step: words.number(step) })),
        el(
          'thead',
          {},
          el('tr', {}, ...heads.map((head) => el('th', { scope: 'col' }, t(`twin.${head}`)))),
        ),
        el('tbody', {}, ...rows),
      ),
    );
  }

  return {
    update(next) {
      data = next;
      const shape = JSON.stringify(next.options);
      if (shape !== formShape) {
        formShape = shape;
        const kept = option.value;
        option.replaceChildren(
          ...next.options.map(({ name, title }) => el('option', { value: name }, title)),
        );
        const has = (name: string): boolean => next.options.some((one) => one.name === name);
        if (has(kept)) option.value = kept;
        else if (has(FIRST)) option.value = FIRST;
        fillValue();
      }
      go.disabled = next.busy || next.options.length === 0;
      setText(status, next.error !== '' ? next.error : next.busy ? t('twin.busy') : '');
      status.classList.toggle('error', next.error !== '');
      fillTable();
    },
    resize: () => undefined,
    destroy() {
      container.replaceChildren();
    },
  };
}
