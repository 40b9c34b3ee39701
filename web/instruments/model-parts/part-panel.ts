/** The chosen part: what it does, the choices that shape it, and its numbers as they are now. */
import { partName, shapeText } from './part-names.ts';
import { engineName } from '../../store/training/architecture.ts';
import type { Architecture, ModelPart } from '../../store/training/architecture.ts';
import type { ChoiceTableOptions } from './choice-table.ts';
import { isIdle } from '../../base/idle-option.ts';
import { el, freshId, setText, table } from '../../kit/dom.ts';
import { PartExplanation } from './part-explanation.ts';
import { PartValues } from './part-values.ts';
import type { PartValuesOptions } from './part-values.ts';
import { createField } from '../../kit/option-field.ts';
import type { Field } from '../../kit/option-field.ts';
import { lockedPart } from '../../kit/locked.ts';
import { termButton } from '../../kit/term.ts';

export interface PartPanelOptions extends PartValuesOptions, ChoiceTableOptions {
  /** Back to the diagram. */
  readonly onBack: () => void;
  /** That the settings are locked; empty where they are not. */
  readonly locked: string;
}

export interface PartPanelData {
  readonly part: string;
  readonly block: number;
  /** Values of the options, and what is wrong with them. */
  readonly values: Readonly<Record<string, number>>;
  readonly errors: Readonly<Record<string, string>>;
}

export class PartPanel {
  readonly root: HTMLElement;
  readonly explanation: PartExplanation;
  readonly numbers: PartValues;
  readonly #options: PartPanelOptions;
  readonly #panel: HTMLElement;
  readonly #title = el('h3', { 'data-part': 'part-title', id: freshId('part') });
  readonly #about = el('span', { 'data-part': 'part-about' });
  readonly #aboutBox: HTMLElement;
  readonly #owns = el('div', { class: 'part-owns' });
  readonly #fieldTitle: HTMLElement;
  readonly #fieldBox = el('div', { class: 'fields part-fields' });
  /** The room above the part: beside the diagram it begins where it was chosen. */
  readonly #above = el('div');
  readonly #growth = new ResizeObserver(() =>
    this.#panel.style.setProperty('--tall', `${this.#panel.offsetHeight}px`),
  );
  /** The width from which diagram and part stand side by side, as in the style sheet. */
  readonly #stacked = matchMedia('(max-width: 55.99rem)');
  #fields: readonly Field[] = [];
  #fieldsOf = '';
  /** Whose parameters are listed. */
  #owned: readonly unknown[] = [];

  constructor(options: PartPanelOptions) {
    const { t } = options.words;
    this.#options = options;
    // Named better once it is drawn.
    this.#title.append(t('part.attn.heads'));
    const shapeTerm = termButton('shape', t('glossary.more'));
    this.#aboutBox = el('p', { class: 'note' }, this.#about, ' ', shapeTerm);
    this.#fieldTitle = el('h4', {}, t('parts.change'));
    const valueBox = el('div', { class: 'part-values' });
    const explainBox = el('div', { class: 'part-explanation' });
    const deepBox = el('div', { class: 'part-explanation' });
    const back = el('button', { type: 'button', class: 'link parts-back' }, t('parts.back'));
    back.addEventListener('click', options.onBack);
    this.#panel = el(
      'div',
      { class: 'parts-panel', role: 'region', 'aria-labelledby': this.#title.id },
      back,
      this.#title,
      this.#aboutBox,
      // Words first; and what a choice makes longer stands below the choice.
      explainBox,
      this.#fieldTitle,
      ...lockedPart(this.#fieldBox, options.locked),
      this.#owns,
      valueBox,
      el('h4', {}, t('parts.explain')),
      deepBox,
    );
    this.root = el('div', { class: 'parts-right' }, this.#above, this.#panel);
    this.explanation = new PartExplanation(explainBox, deepBox, options);
    this.numbers = new PartValues(valueBox, options);
    this.#growth.observe(this.#panel);
  }

  /** Shows all but explanation and numbers, which have turns of their own. */
  update(model: Architecture, data: PartPanelData): void {
    const { words } = this.#options;
    const { t } = words;
    const part = [...model.before, ...model.block, ...model.after].find(
      ({ id }) => id === data.part,
    );
    if (part === undefined) return;
    const name = partName(part, words);
    const isOne = model.block.includes(part) && model.layers > 1;
    setText(this.#title, isOne ? t('parts.in', { part: name, block: data.block + 1 }) : name);
    const shape = shapeText(part.tensors[0]?.shape ?? [], words);
    this.#aboutBox.hidden = part.id === 'text';
    setText(this.#about, t('parts.out', { shape }));
    this.#listParameters(model, part, data.block);
    this.#showFields(part, data);
  }

  /**
   * In one column the part is far below. Beside the diagram it begins at the upper edge of the
   * window, and what was pressed stays where it is; from there the page scrolls through both.
   */
  enter(): void {
    const isStacked = this.#stacked.matches;
    const above = isStacked ? 0 : Math.max(0, -this.root.getBoundingClientRect().top);
    this.#above.style.height = `${above}px`;
    if (isStacked) this.root.scrollIntoView({ block: 'start' });
  }

  destroy(): void {
    this.#growth.disconnect();
    this.explanation.destroy();
    this.numbers.destroy();
  }

  #listParameters(model: Architecture, part: ModelPart, block: number): void {
    const { words } = this.#options;
    const { number, t } = words;
    const owned = [model, part.id, block];
    if (owned.every((one, at) => one === this.#owned[at])) return;
    this.#owned = owned;
    const rows = part.parameters.map((one) => [
      engineName(one.name, block),
      shapeText(one.shape, words),
      one.borrowed
        ? t('parts.shared')
        : number(one.shape.reduce((product, { size }) => product * size, 1)),
    ]);
    this.#owns.hidden = rows.length === 0;
    const heads = [t('parts.parameter'), t('parts.shape'), t('parts.count')];
    this.#owns.replaceChildren(table(t('parts.owns'), heads, rows));
  }

  #showFields(part: ModelPart, { values, errors }: PartPanelData): void {
    const { words, fields, fits, onChange } = this.#options;
    const wanted = part.options.join();
    if (wanted !== this.#fieldsOf) {
      this.#fieldsOf = wanted;
      this.#fields = part.options.flatMap((name) => {
        const option = fields.find((one) => one.name === name);
        return option === undefined ? [] : [createField(option, words, onChange, fits)];
      });
      this.#fieldBox.replaceChildren(...this.#fields.map(({ row }) => row));
      this.#fieldTitle.hidden = this.#fields.length === 0;
    }
    for (const field of this.#fields) {
      field.show(values[field.option.name] ?? NaN);
      const error = errors[field.option.name] ?? '';
      field.showError(error);
      field.row.hidden = error === '' && isIdle(field.option, fields, values);
    }
  }
}
