/** A button for each form that a model can be saved as, and what came of the last save. */
import type { Key, Words } from '../../i18n/index.ts';
import { el, setText } from '../../kit/dom.ts';

const OWN = ['checkpoint', 'weights'] as const;
const SHARED = [
  'config.json',
  'model.safetensors',
  'vocab.json',
  'merges.txt',
  'tokenizer_config.json',
] as const;
export type ModelForm = (typeof OWN)[number] | (typeof SHARED)[number];

export interface SaveModelOptions {
  readonly words: Words;
  readonly onSave: (form: ModelForm) => void;
  /** Takes the reader to an option of the form. */
  readonly onOption: (name: string) => void;
}

export interface SaveModelData {
  readonly saveError: string;
  /** Options that a model must have otherwise to be saved so. */
  readonly refusedFor: readonly { readonly name: string; readonly title: string }[];
  /** What was saved last, as a sentence; or empty. */
  readonly saved: string;
  /** Forms that the model can be saved as now. */
  readonly forms: readonly ModelForm[];
}

export class SaveModel {
  readonly root: HTMLElement;
  readonly #options: SaveModelOptions;
  readonly #buttons = new Map<ModelForm, HTMLButtonElement>();
  readonly #error = el('p', { class: 'note error', role: 'alert', 'data-part': 'save-error' });
  /** One line for all of them; outside of the message, which is read aloud as a whole. */
  readonly #refused = el('p', { class: 'note' });
  readonly #saved = el('p', { class: 'note', role: 'status', 'data-part': 'saved' });
  #refusedShape = '';

  constructor(options: SaveModelOptions) {
    const { t } = options.words;
    this.#options = options;
    this.root = el(
      'div',
      { class: 'save' },
      el('h3', {}, t('model.save')),
      this.#choice(OWN, 'model.save.own', [t('model.save.checkpoint'), t('model.save.weights')]),
      this.#choice(SHARED, 'model.save.shared', SHARED),
      this.#error,
      this.#refused,
      this.#saved,
    );
  }

  /** Takes the reader to the first form that there is now. */
  focus(): void {
    const first = [...this.#buttons.values()].find((button) => !button.hidden);
    first?.scrollIntoView({ block: 'center' });
    first?.focus({ preventScroll: true });
  }

  update({ saveError, refusedFor, saved, forms }: SaveModelData): void {
    setText(this.#error, saveError);
    this.#error.hidden = saveError === '';
    this.#showRefused(refusedFor);
    setText(this.#saved, saved);
    this.root.hidden = forms.length === 0;
    for (const [form, button] of this.#buttons) button.hidden = !forms.includes(form);
  }

  #choice(forms: readonly ModelForm[], help: Key, texts: readonly string[]): HTMLElement {
    const buttons = forms.map((form, at) => {
      const button = el('button', { type: 'button', class: 'secondary' }, texts[at] ?? '');
      button.addEventListener('click', () => this.#options.onSave(form));
      this.#buttons.set(form, button);
      return button;
    });
    return el(
      'div',
      { class: 'save-group' },
      el('p', { class: 'help' }, this.#options.words.t(help)),
      el('div', { class: 'buttons' }, ...buttons),
    );
  }

  #showRefused(refusedFor: SaveModelData['refusedFor']): void {
    const { words, onOption } = this.#options;
    this.#refused.hidden = refusedFor.length === 0;
    const shape = JSON.stringify(refusedFor);
    if (shape === this.#refusedShape) return;
    this.#refusedShape = shape;
    const links = refusedFor.flatMap(({ name, title }, at) => {
      const link = el('button', { type: 'button', class: 'link' }, title);
      link.addEventListener('click', () => onOption(name));
      return at === 0 ? [link] : [words.t('list.separator'), link];
    });
    this.#refused.replaceChildren(words.t('model.save.refused'), ' ', ...links);
  }
}
