/**
 * Twins: the run once more with one setting changed and the same seed. A form to choose the setting,
 * their curves, which grow beside the button that was pressed, and a table that holds the runs against
 * each other at the last step that all of them have.
 */
import type { Words } from '../i18n/index.ts';
import { el, freshId, perFrame, scrollBehavior, setText } from './dom.ts';
import type { View } from './dom.ts';
import { PLAIN_LOOK } from './loss-data.ts';
import type { LossData, LossLook } from './loss-data.ts';
import { lossPicture } from './loss-picture.ts';
import { THEMED } from './palette.ts';

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
  /** With its step, which may be before the common one; null where nothing is held out. */
  readonly validation: { readonly step: number; readonly loss: number } | null;
  readonly sample: string;
}

export interface TwinPanelData {
  readonly options: readonly TwinOption[];
  /** The run of now first. */
  readonly runs: readonly TwinRun[];
  /** Null until there is a run. */
  readonly loss: LossData | null;
  readonly look: LossLook;
  /** The last step that all runs have. */
  readonly step: number;
  /** What else than one setting tells the runs apart, as a sentence; or empty. */
  readonly caution: string;
  readonly busy: boolean;
  readonly error: string;
}

export interface TwinPanelOptions {
  readonly words: Words;
  readonly onTry: (option: string, value: number) => void;
}

/** Milliseconds from one drawing of growing curves to the next. */
const PAUSE = 300;
/** Milliseconds after which the page around a run begun anew stands still. */
const SETTLED = 700;
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
  const curves = el('div', { class: 'twin-curves' });
  const caution = el('p', { class: 'note', 'data-part': 'twin-caution' });
  container.append(
    el('p', { class: 'lead' }, t('twin.lead')),
    ...[form, caution, status, curves, tableBox],
  );
  let data: TwinPanelData = {
    ...{ options: [], runs: [], loss: null, look: PLAIN_LOOK, step: 0, busy: false, error: '' },
    caution: '',
  };
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
    if (one === undefined) return;
    pressed = true;
    onTry(one.name, Number(value.value));
  });

  function fillTable(): void {
    const { runs, step } = data;
    tableBox.hidden = runs.length < 2;
    const heads = ['run', 'loss', 'bits', 'validation', 'sample'] as const;
    const cell = (head: (typeof heads)[number], text: string, kind = 'figure'): HTMLElement =>
      el('td', { role: 'cell', class: kind, 'data-label': t(`twin.${head}`) }, text);
    const rows = runs.map((run) =>
      el(
        'tr',
        { role: 'row' },
        el('th', { scope: 'row', role: 'rowheader' }, run.name),
        cell('loss', words.number(run.loss, 3)),
        cell('bits', words.number(run.bits, 3)),
        cell('validation', validationText(run)),
        cell('sample', run.sample, 'written'),
      ),
    );
    const shape = JSON.stringify([runs, step]);
    if (shape === tableShape) return;
    tableShape = shape;
    tableBox.replaceChildren(
      el(
        'table',
        // Said in words: where rows become blocks on a phone, browsers forget that this is a table.
        { class: 'twin-table stacked', role: 'table' },
        el('caption', {}, t('twin.caption', { step: words.number(step) })),
        el(
          'thead',
          { role: 'rowgroup' },
          el(
            'tr',
            { role: 'row' },
            ...heads.map((head) =>
              el('th', { scope: 'col', role: 'columnheader' }, t(`twin.${head}`)),
            ),
          ),
        ),
        el('tbody', { role: 'rowgroup' }, ...rows),
      ),
    );
  }

  /** Says of which step it is, unless that is the one of the whole table. */
  function validationText({ validation }: TwinRun): string {
    if (validation === null) return words.number(NaN);
    const loss = words.number(validation.loss, 3);
    const step = words.number(validation.step);
    return validation.step === data.step ? loss : t('twin.validation.at', { loss, step });
  }

  let later = 0;
  const bring = (): void => {
    curves.scrollIntoView({ block: 'nearest', behavior: scrollBehavior() });
  };
  let drawn = '';
  /** The button was pressed, and its curve is not yet there. */
  let pressed = false;
  let drawnAt = -Infinity;
  const draw = perFrame(() => {
    const { runs, loss, look, busy } = data;
    curves.hidden = runs.length < 2 || loss === null;
    if (curves.hidden || loss === null || curves.clientWidth === 0) return;
    const width = Math.min(960, curves.clientWidth);
    const shape = JSON.stringify([width, look, loss.history.length, runs.map(({ name }) => name)]);
    // All of the drawing is made anew: while it grows, a few times a second are enough.
    if (shape === drawn || (busy && performance.now() - drawnAt < PAUSE)) return;
    [drawn, drawnAt] = [shape, performance.now()];
    const title = t('twin.curves', { step: loss.history.length });
    const size = { width, height: width < 600 ? 280 : 320 };
    const name = runs[0]?.name ?? '';
    curves.replaceChildren(
      lossPicture(loss, look, { words, title, palette: THEMED, size, heading: false, name }),
    );
    // Then no more: whoever scrolls on wants to be elsewhere.
    if (pressed && busy) {
      pressed = false;
      bring();
      // A run begun anew moves what stands above: looked after once.
      later = window.setTimeout(bring, SETTLED);
    }
  });

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
      setText(caution, next.caution);
      caution.hidden = next.caution === '';
      go.disabled = next.busy || next.options.length === 0;
      setText(status, next.error !== '' ? next.error : next.busy ? t('twin.busy') : '');
      status.classList.toggle('error', next.error !== '');
      fillTable();
      draw.request();
    },
    resize() {
      draw.request();
    },
    destroy() {
      draw.cancel();
      window.clearTimeout(later);
      container.replaceChildren();
    },
  };
}
