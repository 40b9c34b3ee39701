/**
 * Every choice of the architecture, one row each: what the presets chose, and what this
 * model has, to be changed. A preset's cell is a button that takes just that choice over.
 */
import type { AllWords } from '../../i18n/index.ts';
import { el, setAttribute, setText } from '../../kit/dom.ts';
import type { Fits } from '../../kit/nudge.ts';
import { isIdle } from '../../base/idle-option.ts';
import type { MaybeIdle } from '../../base/idle-option.ts';
import { createField } from '../../kit/option-field.ts';
import type { Field, FormOption } from '../../kit/option-field.ts';

/** An option with what each preset gives to it, in the order of the presets. */
export interface ChoiceOption extends FormOption {
  readonly presets: readonly number[];
}

export interface ChoiceTableOptions {
  readonly words: AllWords;
  readonly presets: readonly string[];
  readonly fields: readonly ChoiceOption[];
  /** What the buttons beside a number pass over. */
  readonly fits: Fits;
  readonly onChange: (option: string, value: number) => void;
}

export interface ChoiceTableData {
  /**
   * The model of these values; null until it is known. Only with another one are there other
   * effects.
   */
  readonly model: object | null;
  readonly values: Readonly<Record<string, number>>;
  readonly errors: Readonly<Record<string, string>>;
  /** What is wrong with the whole; or empty. */
  readonly error: string;
  /** How many parameters more or fewer the model would have; null where that is not known. */
  readonly effect: (option: string, value: number) => number | null;
}

/** An option with its field, a button for each preset, and the row of both. */
interface Row {
  readonly field: Field;
  readonly option: ChoiceOption;
  readonly cells: readonly HTMLButtonElement[];
  readonly root: HTMLElement;
}

export class ChoiceTable {
  readonly #container: HTMLElement;
  readonly #options: ChoiceTableOptions;
  /** The values of all options, preset by preset. */
  readonly #chosenBy: readonly Readonly<Record<string, number>>[];
  readonly #rows: readonly Row[];
  #shown = '';
  #shownModel: object | null = null;

  /** Creates the table in `container`. */
  constructor(container: HTMLElement, options: ChoiceTableOptions) {
    const { presets, fields } = options;
    this.#container = container;
    this.#options = options;
    this.#chosenBy = presets.map((_, index) =>
      Object.fromEntries(fields.map((field) => [field.name, presetValue(field, index)])),
    );
    this.#rows = fields.map((option) => this.#createRow(option));
    container.append(this.#createTable());
  }

  update(data: ChoiceTableData): void {
    const { fields } = this.#options;
    for (const { field, option } of this.#rows) field.show(data.values[option.name] ?? NaN);
    // Steps come in all the time, and each cell is a model of its own to count.
    const wanted = JSON.stringify([data.values, data.errors, data.error]);
    if (wanted === this.#shown && data.model === this.#shownModel) return;
    this.#shown = wanted;
    this.#shownModel = data.model;
    for (const { field, option, cells, root } of this.#rows) {
      const error = data.errors[option.name] ?? '';
      field.showError(error);
      root.hidden = error === '' && isIdle(option, fields, data.values);
      for (const [index, cell] of cells.entries()) this.#showCell(cell, option, index, data);
    }
  }

  destroy(): void {
    this.#container.replaceChildren();
  }

  #createTable(): HTMLElement {
    const { words, presets } = this.#options;
    const { t } = words;
    const heads = [t('choices.now'), ...presets].map((text) => el('th', { scope: 'col' }, text));
    return el(
      'table',
      { class: 'choices-table' },
      el('caption', { class: 'visually-hidden' }, t('choices.title')),
      el('thead', {}, el('tr', {}, ...heads)),
      el('tbody', {}, ...this.#rows.map(({ root }) => root)),
    );
  }

  #createRow(option: ChoiceOption): Row {
    const { words, presets, fits, onChange } = this.#options;
    const field = createField(option, words, onChange, fits);
    const cells = presets.map((preset, index) => this.#createCell(option, preset, index));
    const root = el(
      'tr',
      {},
      el('th', { scope: 'row' }, field.row),
      ...cells.map((cell, index) => el('td', { 'data-preset': presets[index] ?? '' }, cell)),
    );
    return { field, option, cells, root };
  }

  #createCell(option: ChoiceOption, preset: string, index: number): HTMLButtonElement {
    const { words, onChange } = this.#options;
    const { t } = words;
    const look = { type: 'button', class: 'choice-cell' };
    const name = optionTitle(option, words);
    if (!this.#uses(option, index)) {
      // Nothing to take over: a dash, which is read out as what it means.
      const title = t('choices.unused', { name, preset });
      return el('button', { ...look, disabled: true, title, 'aria-label': title }, '–');
    }
    const value = presetValue(option, index);
    const text = choiceText(option, value, words);
    const button = el(
      'button',
      { ...look, title: t('choices.take', { name, preset, value: text }) },
      text,
    );
    button.addEventListener('click', () => onChange(option.name, value));
    return button;
  }

  /** Whether the option means anything with what else the preset chose. */
  #uses(option: MaybeIdle, preset: number): boolean {
    return !isIdle(option, this.#options.fields, this.#chosenBy[preset] ?? {});
  }

  #showCell(
    cell: HTMLButtonElement,
    option: ChoiceOption,
    index: number,
    { values, effect: effectOf }: ChoiceTableData,
  ): void {
    if (!this.#uses(option, index)) return;
    const { words, presets } = this.#options;
    const { t } = words;
    const value = presetValue(option, index);
    const text = choiceText(option, value, words);
    const isSame = value === (values[option.name] ?? NaN);
    const effect = isSame ? null : effectOf(option.name, value);
    cell.classList.toggle('same', isSame);
    setAttribute(cell, 'aria-pressed', String(isSame));
    const names = { name: optionTitle(option, words), preset: presets[index] ?? '', value: text };
    const tip =
      effect === null || effect === 0
        ? t('choices.take', names)
        : t('choices.take.effect', { ...names, effect: signed(effect, words) });
    setAttribute(cell, 'title', tip);
    // "yes" alone would say nothing to who cannot see the row and the column.
    setAttribute(cell, 'aria-label', tip);
    setText(cell, text);
  }
}

/** What preset number `index` gives to the option. */
function presetValue({ presets, min }: ChoiceOption, index: number): number {
  return presets[index] ?? min;
}

function optionTitle({ name }: ChoiceOption, words: AllWords): string {
  return words.find(`option.${name}`) ?? name;
}

/** A value of an option in words. */
export function choiceText(option: FormOption, value: number, words: AllWords): string {
  if (option.type === 'bool') return words.t(value === 1 ? 'choices.yes' : 'choices.no');
  if (option.type === 'int') return words.number(value);
  if (option.type !== 'choice') return words.short(value);
  const choice = option.choices[value] ?? '';
  return words.find(`choice.${option.name}.${choice}`) ?? choice;
}

/** A difference with its sign. */
export function signed(value: number, words: AllWords): string {
  return `${value < 0 ? '−' : '+'}${words.number(Math.abs(value))}`;
}
