/** The model that was opened from files: its name and facts, and a choice of its use. */
import type { Words } from '../../i18n/index.ts';
import { el, freshId, setText } from '../../kit/dom.ts';

const PURPOSES = ['resume', 'train', 'generate'] as const;
export type ModelPurpose = (typeof PURPOSES)[number];

export interface OpenedModelOptions {
  readonly words: Words;
  readonly onPurpose: (purpose: ModelPurpose) => void;
  /** A new model is wanted in place of the opened one. */
  readonly onClose: () => void;
}

export interface OpenedModelData {
  readonly name: string;
  /** Parameters, vocabulary and step in one line. */
  readonly facts: string;
  readonly purpose: ModelPurpose;
  readonly resumable: boolean;
  /** Why it is not used for what one would expect, or empty. */
  readonly why: string;
}

export class OpenedModel {
  readonly root: HTMLElement;
  readonly #name = el('strong', { 'data-part': 'model-name' });
  readonly #facts = el('p', { class: 'note', 'data-part': 'model-facts' });
  readonly #why = el('p', { class: 'note', 'data-part': 'model-why' });
  readonly #purposes: readonly { readonly radio: HTMLInputElement; readonly label: HTMLElement }[];

  constructor({ words, onPurpose, onClose }: OpenedModelOptions) {
    const { t } = words;
    const close = el('button', { type: 'button', class: 'link' }, t('model.close'));
    close.addEventListener('click', onClose);
    const name = freshId('purpose');
    this.#purposes = PURPOSES.map((value) => {
      const radio = el('input', { type: 'radio', name, value });
      radio.addEventListener('change', () => onPurpose(value));
      const label = el('label', { class: 'choice' }, radio, el('span', {}, t(`model.${value}`)));
      return { radio, label };
    });
    this.root = el(
      'div',
      { class: 'opened' },
      el('div', { class: 'head-row' }, this.#name, close),
      this.#facts,
      el(
        'fieldset',
        {},
        el('legend', { class: 'visually-hidden' }, t('model.purpose')),
        el('div', { class: 'segments' }, ...this.#purposes.map(({ label }) => label)),
      ),
      this.#why,
    );
  }

  update(opened: OpenedModelData | null): void {
    this.root.hidden = opened === null;
    if (opened === null) return;
    setText(this.#name, opened.name);
    setText(this.#facts, opened.facts);
    setText(this.#why, opened.why);
    this.#why.hidden = opened.why === '';
    for (const { radio, label } of this.#purposes) {
      radio.checked = radio.value === opened.purpose;
      label.hidden = radio.value === 'resume' && !opened.resumable;
    }
  }
}
