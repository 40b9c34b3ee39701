/**
 * Twins: the run once more with one setting changed and the same seed. A form to choose the
 * setting, their curves, which grow beside the button that was pressed, and a table that holds the
 * runs against each other at the last step that all of them have.
 */
import { setting } from '../../i18n/numbers.ts';
import type { AllWords } from '../../i18n/index.ts';
import { el, freshId, scrollBehavior, setAttribute, setText } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import { PLAIN_LOOK, unitKey } from '../../data/loss-data.ts';
import type { LossData, LossLook } from '../../data/loss-data.ts';
import { numberField, readNumber } from '../../kit/number-field.ts';
import type { Nudgeable } from '../../kit/nudge.ts';
import { lossPicture } from '../../kit/pictures/loss-picture.ts';
import { THEMED } from '../../kit/palette.ts';
import {
  validationText,
  validationUnit,
  verdictSentence,
} from '../../store/training/twin-verdict.ts';
import type { TwinRun } from '../../store/training/twin-verdict.ts';

/** A setting that a twin can differ in. */
export interface TwinOption {
  readonly name: string;
  readonly title: string;
  /** Values by name; empty for numbers. */
  readonly choices: readonly { readonly value: number; readonly text: string }[];
  readonly min: number;
  readonly max: number;
  readonly whole: boolean;
  readonly ladder: Nudgeable['ladder'];
  /** In the run of now. */
  readonly value: number;
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
  /** Whether the run of now has come to its end. */
  readonly ended: boolean;
  readonly error: string;
}

export interface TwinPanelOptions {
  readonly words: AllWords;
  readonly onTry: (option: string, value: number) => void;
  /** Why a value that is one of its option cannot be beside the other settings; or empty. */
  readonly unfit: (option: string, value: number) => string;
  /** What is to be known of a value that can be; or empty. */
  readonly hint: (option: string, value: number) => string;
}

/** Milliseconds from one drawing of growing curves, and of the table beside them, to the next. */
const PAUSE = 300;
/** Milliseconds after which the page around a run begun anew stands still. */
const SETTLED = 700;
/** The setting that is offered first: everybody can guess what changing it will do. */
const FIRST = 'lr';

/** Another value than that of now: twice or half of it, or the next bound. */
function otherValue({ value, min, max, whole }: TwinOption): number {
  if (value === 0) return max > 0 ? Math.min(max, whole ? 1 : 0.1) : min;
  return value * 2 <= max ? value * 2 : value / 2;
}

/** Creates the panel in `container`. */
export function createTwinPanel(
  container: HTMLElement,
  { words, onTry, unfit, hint }: TwinPanelOptions,
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
  // What cannot be is said below the form.
  form.noValidate = true;
  const statusId = freshId('twin-status');
  const status = el('p', { id: statusId, class: 'note', role: 'status' });
  const tableBox = el('div', { class: 'table-scroll', tabindex: '0', role: 'region' });
  tableBox.setAttribute('aria-label', t('twin.table'));
  const curves = el('div', { class: 'twin-curves' });
  const verdict = el('p', { class: 'twin-verdict', 'data-part': 'twin-verdict' });
  const caution = el('p', { class: 'note', 'data-part': 'twin-caution' });
  container.append(
    el('p', { class: 'lead' }, t('twin.lead')),
    ...[form, caution, status, curves, verdict, tableBox],
  );
  let data: TwinPanelData = {
    ...{
      options: [],
      runs: [],
      loss: null,
      look: PLAIN_LOOK,
      step: 0,
      busy: false,
      ended: false,
      error: '',
    },
    caution: '',
  };
  let value: HTMLSelectElement | HTMLInputElement = el('input', {});
  /** What is wrong with the value that was typed, or was to be used; or empty. */
  let wrong = '';
  /** What a twin was asked for with: it stays in the field while that one trains. */
  let tried: { readonly name: string; readonly value: number } | null = null;
  /** That one has been seen training. */
  let began = false;
  /** Another value has been entered since. */
  let edited = false;
  let formShape = '';
  let tableShape = '';

  function chosen(): TwinOption | undefined {
    return data.options.find(({ name }) => name === option.value) ?? data.options[0];
  }

  /**
   * What is wrong with the value that was typed, in our words: a browser's are in its own language.
   */
  function mistakeOf({ name, choices, min, max, whole, title }: TwinOption): string {
    const number = typed();
    if (choices.length > 0) return unfit(name, number);
    if (number >= min && number <= max && (!whole || Number.isInteger(number))) {
      return unfit(name, number);
    }
    const values = { name: title, 0: min, 1: max };
    return t(whole ? 'error.number.whole' : 'error.number', values);
  }

  function typed(): number {
    return readNumber(value.value);
  }

  function showStatus(): void {
    const { error, busy } = data;
    const said = wrong === '' && !edited ? error : wrong;
    setText(status, said !== '' ? said : busy ? t('twin.busy') : hint(option.value, typed()));
    status.classList.toggle('error', said !== '');
    value.setAttribute('aria-invalid', String(wrong !== ''));
    // Still in reach, and with the focus of who has pressed it: what is wrong, a press leads to.
    setAttribute(go, 'aria-disabled', String(wrong !== '' || busy));
  }

  /** What is wrong with the value that is to be used. */
  function whyNot(one: TwinOption): string {
    return typed() === one.value ? t('twin.alike', { name: one.title }) : mistakeOf(one);
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
      const { name, min, max, whole, ladder } = one;
      const type = whole ? 'int' : 'real';
      value = numberField({ name, type, min, max, ladder }, { id: valueId }).input;
      value.value = String(otherValue(one));
    }
    showNow(one);
    value.setAttribute('aria-describedby', statusId);
    value.addEventListener('input', () => {
      // What was said of the value that was tried says nothing of another.
      edited = true;
      wrong = mistakeOf(one);
      showStatus();
    });
    wrong = '';
    showStatus();
    valueBox.replaceChildren(value);
  }

  function showNow(one: TwinOption): void {
    const text = one.choices.find((choice) => choice.value === one.value)?.text;
    setText(now, t('twin.now', { value: text ?? setting(one.value) }));
  }

  /**
   * Shows other values of the run of now: the next suggestion, but not before the twin has been
   * trained.
   */
  function follow(): void {
    const one = chosen();
    const isTwin = tried !== null && one?.name === tried.name && one.value === tried.value;
    if (isTwin) showNow(one);
    else fillValue();
  }

  /**
   * Makes the next suggestion once the twin is there, unless another value was entered meanwhile.
   */
  function suggestNext(): void {
    const one = chosen();
    if (tried === null || one?.name !== tried.name || one.value !== tried.value) return;
    began ||= data.busy;
    // Made, but not yet started, it stands still as well.
    if (data.busy || !(began || data.ended)) return;
    const untouched = Number(value.value) === tried.value;
    tried = null;
    if (untouched) fillValue();
  }

  option.addEventListener('change', () => {
    tried = null;
    fillValue();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const one = chosen();
    if (one === undefined || data.busy) return;
    // Only now: on the way to another value, that of now may be typed too.
    wrong = whyNot(one);
    showStatus();
    if (wrong !== '') {
      value.focus();
      return;
    }
    pressed = true;
    tried = { name: one.name, value: Number(value.value) };
    edited = false;
    began = false;
    onTry(tried.name, tried.value);
  });

  function fillTable(): void {
    const { runs, step, look } = data;
    tableBox.hidden = runs.length < 2;
    const heads = ['run', 'loss', 'bits', 'validation', 'sample'] as const;
    const unit = validationUnit(runs, step, look.unit);
    const named = { unit: t(unitKey(unit)) };
    const name = (head: (typeof heads)[number]): string =>
      t(head === 'loss' && look.smoothing === 0 ? 'twin.loss.plain' : `twin.${head}`, named);
    const cell = (head: (typeof heads)[number], text: string, kind = 'figure'): HTMLElement =>
      el('td', { role: 'cell', class: kind, 'data-label': name(head) }, text);
    const rows = runs.map((run) =>
      el(
        'tr',
        { role: 'row' },
        el('th', { scope: 'row', role: 'rowheader' }, run.name),
        cell('loss', words.number(run.loss, 3)),
        cell('bits', words.number(run.bits, 3)),
        cell('validation', validationText(run, unit, step, words)),
        cell('sample', run.sample, 'written'),
      ),
    );
    const shape = JSON.stringify([runs, step, unit, look.smoothing === 0]);
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
            ...heads.map((head) => el('th', { scope: 'col', role: 'columnheader' }, name(head))),
          ),
        ),
        el('tbody', { role: 'rowgroup' }, ...rows),
      ),
    );
  }

  function verdictText(): string {
    const { runs, step, look, busy } = data;
    // While a twin trains, the better one may change with every step.
    return busy ? '' : verdictSentence(runs, step, look.unit, words);
  }

  let later = 0;
  const bring = (): void => {
    curves.scrollIntoView({ block: 'nearest', behavior: scrollBehavior() });
  };
  let drawn = '';
  /** The button was pressed, and its curve is not yet there. */
  let pressed = false;
  let drawnAt = -Infinity;
  /** Table and curves together: both speak of the same step. */
  function draw(): void {
    // All of it is made anew: while it grows, a few times a second are enough.
    if (data.busy && performance.now() - drawnAt < PAUSE) return;
    drawnAt = performance.now();
    fillTable();
    setText(verdict, verdictText());
    verdict.hidden = verdict.textContent === '';
    drawCurves();
  }

  function drawCurves(): void {
    const { runs, loss, look } = data;
    curves.hidden = runs.length < 2 || loss === null;
    if (curves.hidden || loss === null || curves.clientWidth === 0) return;
    const width = Math.min(960, curves.clientWidth);
    const shape = JSON.stringify([width, look, loss.history.length, runs.map(({ name }) => name)]);
    if (shape === drawn) return;
    drawn = shape;
    const title = t('twin.curves', { step: loss.history.length });
    const size = { width, height: width < 600 ? 280 : 320 };
    const name = runs[0]?.name ?? '';
    // It is drawn anew as it trains: with no more points than it has pixels.
    const options = { words, title, palette: THEMED, size, heading: false, most: width, name };
    curves.replaceChildren(lossPicture(loss, { ...look, beneath: false }, options));
    // Then no more: a reader who scrolls on wants to be elsewhere.
    if (pressed) {
      pressed = false;
      bring();
      // A run begun anew moves what stands above: looked after once.
      later = window.setTimeout(bring, SETTLED);
    }
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
        follow();
      }
      suggestNext();
      setText(caution, next.caution);
      caution.hidden = next.caution === '';
      go.disabled = next.options.length === 0;
      // What stood in the way, another text say, may do so no more.
      const one = chosen();
      if (wrong !== '' && one !== undefined) wrong = whyNot(one);
      showStatus();
      draw();
    },
    resize() {
      // While they grow, they take the new width with the next drawing, together with the table.
      if (!data.busy) drawCurves();
    },
    destroy() {
      window.clearTimeout(later);
      container.replaceChildren();
    },
  };
}
