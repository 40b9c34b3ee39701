/** The chosen part: what it does, the choices that shape it, and its numbers as they are now. */
import { partName, shapeText } from './part-names.ts';
import { engineName } from '../../store/training/architecture.ts';
import type { Architecture, ModelPart } from '../../store/training/architecture.ts';
import type { ChoiceTableOptions } from './choice-table.ts';
import { isIdle } from '../../base/idle-option.ts';
import { el, freshId, scrollBehavior, setText, table } from '../../kit/dom.ts';
import { PartExplanation } from './part-explanation.ts';
import { PartValues } from './part-values.ts';
import type { PartValuesOptions } from './part-values.ts';
import { createField } from '../../kit/option-field.ts';
import type { Field } from '../../kit/option-field.ts';
import { termButton } from '../../kit/term.ts';

export interface PartPanelOptions extends PartValuesOptions, ChoiceTableOptions {
  /** Back to the diagram. */
  readonly onBack: () => void;
}

export interface PartPanelData {
  readonly part: string;
  readonly block: number;
  /** Values of the options, and what is wrong with them. */
  readonly values: Readonly<Record<string, number>>;
  readonly errors: Readonly<Record<string, string>>;
}

/** CSS pixels that may be cut off without hiding anything. */
const SLACK = 4;
/** How much of what is in sight a page further is. */
const PAGE = 0.8;

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
  readonly #more: HTMLElement;
  readonly #growth = new ResizeObserver(() => this.#tellRest());
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
      this.#fieldBox,
      this.#owns,
      valueBox,
      el('h4', {}, t('parts.explain')),
      deepBox,
    );
    this.#more = el('button', { type: 'button', class: 'link parts-more' }, t('parts.more'));
    this.root = el('div', { class: 'parts-right' }, this.#panel, this.#more);
    this.explanation = new PartExplanation(explainBox, deepBox, options);
    this.numbers = new PartValues(valueBox, options);
    for (const one of [this.#panel, ...this.#panel.children]) this.#growth.observe(one);
    this.#panel.addEventListener('scroll', () => this.#tellRest(), { passive: true });
    this.#more.addEventListener('click', () => {
      const top = this.#panel.clientHeight * PAGE;
      this.#panel.scrollBy({ top, behavior: scrollBehavior() });
    });
  }

  /** Shows all but explanation and numbers, which have turns of their own. */
  update(model: Architecture, data: PartPanelData): void {
    const { words } = this.#options;
    const { t } = words;
    const part = [...model.before, ...model.block, ...model.after].find(({ id }) => id === data.part); // prettier-ignore
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
   * In one column the part is far below. Beside the diagram it stays in sight from its beginning,
   * and what was pressed stays where it is, but at the end of a low window.
   */
  enter(): void {
    this.#panel.scrollTop = 0;
    const isAbove = this.#title.getBoundingClientRect().top < 0;
    if (this.#stacked.matches) this.root.scrollIntoView({ block: 'start' });
    else if (isAbove) this.root.scrollIntoView({ block: 'nearest' });
  }

  destroy(): void {
    this.#growth.disconnect();
    this.explanation.destroy();
    this.numbers.destroy();
  }

  /**
   * Beside the diagram the part may be longer than the window: that it goes on below is said there.
   */
  #tellRest(): void {
    const panel = this.#panel;
    const { scrollTop, clientHeight, scrollHeight } = panel;
    const rest = getComputedStyle(panel).overflowY === 'auto' ? scrollHeight - clientHeight : 0;
    // The arrow keys scroll what has the focus.
    if (rest > 0) panel.tabIndex = 0;
    else panel.removeAttribute('tabindex');
    const goesOn = scrollTop < rest - SLACK;
    panel.classList.toggle('more-below', goesOn);
    this.#more.classList.toggle('needed', goesOn);
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
