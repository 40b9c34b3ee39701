/**
 * Every choice of the architecture, one row each: what the presets chose, and what this
 * model has, to be changed. A preset's cell is a button that takes just that choice over.
 */
import type { AllWords } from '../../i18n/index.ts';
import { el, setAttribute, setText } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
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

/** Creates the table in `container`. */
export function createChoiceTable(
  container: HTMLElement,
  { words, presets, fields, fits, onChange }: ChoiceTableOptions,
): View<ChoiceTableData> {
  const { t } = words;
  const made: { readonly field: Field; readonly option: ChoiceOption; readonly cells: readonly HTMLButtonElement[]; readonly row: HTMLElement }[] = []; // prettier-ignore
  const chosenBy = presets.map((_, index) =>
    Object.fromEntries(fields.map((field) => [field.name, field.presets[index] ?? field.min])),
  );
  let shown = '';
  let shownModel: object | null = null;
  const rows = fields.map((option) => {
    const field = createField(option, words, onChange, fits);
    const title = words.find(`option.${option.name}`) ?? option.name;
    const cells = presets.map((preset, index) => {
      if (!uses(option, index)) return unusedCell(title, preset);
      const value = option.presets[index] ?? option.min;
      const text = choiceText(option, value, words);
      const button = el('button', { type: 'button', class: 'choice-cell', title: t('choices.take', { name: title, preset, value: text }) }, text); // prettier-ignore
      button.addEventListener('click', () => {
        onChange(option.name, value);
      });
      return button;
    });
    const row = el(
      'tr',
      {},
      el('th', { scope: 'row' }, field.row),
      ...cells.map((cell, index) => el('td', { 'data-preset': presets[index] ?? '' }, cell)),
    );
    made.push({ field, option, cells, row });
    return row;
  });
  container.append(
    el(
      'table',
      { class: 'choices-table' },
      el('caption', { class: 'visually-hidden' }, t('choices.title')),
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          el('th', { scope: 'col' }, t('choices.now')),
          ...presets.map((preset) => el('th', { scope: 'col' }, preset)),
        ),
      ),
      el('tbody', {}, ...rows),
    ),
  );

  /** Whether the option means anything with what else the preset chose. */
  function uses(option: MaybeIdle, preset: number): boolean {
    return !isIdle(option, fields, chosenBy[preset] ?? {});
  }

  /** Nothing to take over: a dash, which is read out as what it means. */
  function unusedCell(name: string, preset: string): HTMLButtonElement {
    const title = t('choices.unused', { name, preset });
    return el('button', { type: 'button', class: 'choice-cell', disabled: true, title, 'aria-label': title }, '–'); // prettier-ignore
  }

  return {
    update(data) {
      for (const { field, option } of made) field.show(data.values[option.name] ?? NaN);
      // Steps come in all the time, and each cell is a model of its own to count.
      const wanted = JSON.stringify([data.values, data.errors, data.error]);
      if (wanted === shown && data.model === shownModel) return;
      shown = wanted;
      shownModel = data.model;
      for (const { field, option, cells, row } of made) {
        const now = data.values[option.name] ?? NaN;
        const error = data.errors[option.name] ?? '';
        field.showError(error);
        row.hidden = error === '' && isIdle(option, fields, data.values);
        const title = words.find(`option.${option.name}`) ?? option.name;
        for (const [index, cell] of cells.entries()) {
          if (!uses(option, index)) continue;
          const value = option.presets[index] ?? option.min;
          const text = choiceText(option, value, words);
          const same = value === now;
          const effect = same ? null : data.effect(option.name, value);
          cell.classList.toggle('same', same);
          setAttribute(cell, 'aria-pressed', String(same));
          const names = { name: title, preset: presets[index] ?? '', value: text };
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
    },
    resize: () => undefined,
    destroy() {
      container.replaceChildren();
    },
  };
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
