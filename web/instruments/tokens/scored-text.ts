/** The text whose tokens are scored: its field, buttons that fill it, and what is said of it. */
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { AS_TYPED, el, freshId, setAttribute, setText } from '../../kit/dom.ts';

/** A text that a button puts into the field. */
export interface TextSource {
  readonly title: string;
  /** Empty if it cannot be had now. */
  readonly text: () => string;
  /** Why it is missing, and what would change that. */
  readonly why?: () => string;
}

export interface ScoredTextOptions {
  readonly words: AllWords;
  /** To begin with. */
  readonly text: string;
  /** Characters up to which the text becomes part of the page's address; 0 where it never does. */
  readonly addressed: number;
  /** Another text is read: `typed` by hand, or taken from elsewhere on the page. */
  readonly onText: (text: string, typed: boolean) => void;
  /** Texts that one press puts into the field; an empty text if it cannot be read now. */
  readonly sources: readonly TextSource[];
}

export class ScoredText {
  readonly #options: ScoredTextOptions;
  readonly #field: HTMLTextAreaElement;
  readonly #note = el('p', { id: freshId('scored-note'), class: 'note', role: 'status' });
  readonly #missing = el('p', { class: 'note', 'data-part': 'tokens-missing' });
  readonly #fillers: readonly { button: HTMLButtonElement; source: TextSource }[];

  constructor(container: HTMLElement, options: ScoredTextOptions) {
    this.#options = options;
    const { addressed, onText } = options;
    const { t } = options.words;
    const about = el('p', { id: freshId('scored-about'), class: 'note' });
    about.hidden = addressed === 0;
    if (addressed > 0) setText(about, t('tokens.addressed', { count: addressed }));
    this.#field = el('textarea', {
      id: freshId('scored'),
      rows: 3,
      ...AS_TYPED,
      autocomplete: 'off',
      'aria-describedby': `${about.id} ${this.#note.id}`,
    });
    this.#field.value = options.text;
    this.#field.addEventListener('input', () => onText(this.#field.value, true));
    this.#fillers = options.sources.map((source) => ({ button: this.#filler(source), source }));
    container.append(
      el('label', { for: this.#field.id, class: 'field-label' }, t('tokens.field')),
      this.#field,
      this.#note,
      about,
      el('div', { class: 'fillers' }, ...this.#fillers.map(({ button }) => button)),
      this.#missing,
    );
  }

  #filler({ title, text }: TextSource): HTMLButtonElement {
    const button = el('button', { type: 'button', class: 'secondary small' }, title);
    button.addEventListener('click', () => {
      this.#field.value = text();
      this.#options.onText(this.#field.value, false);
    });
    return button;
  }

  /** Whether there is something in the field, and nothing to be seen. */
  isBlank(): boolean {
    return this.#field.value !== '' && this.#field.value.trim() === '';
  }

  /** Shows another text in the field. */
  set(text: string): void {
    if (this.#field.value !== text) this.#field.value = text;
  }

  /** Says what is to be said of the text, as an error or not, and which sources are missing. */
  tell(note: string, isError: boolean): void {
    const reasons = this.#fillers.map(({ button, source }) => {
      button.disabled = source.text() === '';
      return button.disabled ? (source.why?.() ?? '') : '';
    });
    setText(this.#missing, sentences(reasons, this.#options.words));
    setAttribute(this.#field, 'aria-invalid', String(isError));
    this.#note.classList.toggle('error', isError);
    setText(this.#note, note);
  }
}
