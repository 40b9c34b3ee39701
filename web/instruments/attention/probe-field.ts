/** The field of the text that is looked at, and what is said of that text. */
import { sentences } from '../../i18n/index.ts';
import type { Words } from '../../i18n/index.ts';
import type { AttentionData } from '../../data/attention-data.ts';
import { AS_TYPED, el, freshId, setAttribute, setText } from '../../kit/dom.ts';

export interface ProbeFieldData {
  /** The tokens of the text that fit; null before they are known. */
  readonly tokens: AttentionData['tokens'] | null;
  /** Tokens of the text that did not fit. */
  readonly omitted: number;
  /** Whether the model itself would see more tokens than maps have room for. */
  readonly fits: boolean;
  /** The text that one can go back to; empty for none. */
  readonly suited: string;
  /** What is wrong with the text, in the reader's language. */
  readonly error: string;
}

export class ProbeField {
  /** From top to bottom. */
  readonly parts: readonly HTMLElement[];
  readonly #words: Words;
  readonly #field: HTMLInputElement;
  // Beside the label, where it moves nothing when it comes.
  readonly #suited = el('button', { type: 'button', class: 'link' });
  readonly #note: HTMLElement;

  /** `onProbe` takes another text, or null for the one that suits the text to learn. */
  constructor(words: Words, probe: string, onProbe: (text: string | null) => void) {
    this.#words = words;
    const id = freshId('probe');
    const noteId = freshId('probe-note');
    this.#field = el('input', {
      id,
      type: 'text',
      ...AS_TYPED,
      maxlength: 400,
      'aria-describedby': noteId,
    });
    this.#field.value = probe;
    this.#note = el('p', { id: noteId, class: 'note', role: 'status' });
    const label = el('label', { for: id, class: 'field-label' }, words.t('attention.probe'));
    this.parts = [el('div', { class: 'probe-head' }, label, this.#suited), this.#field, this.#note];
    this.#suited.addEventListener('click', () => {
      // It goes with its text: the keyboard goes on in the field.
      this.#field.focus();
      onProbe(null);
    });
    this.#field.addEventListener('input', () => {
      onProbe(this.#field.value);
    });
  }

  /** Shows another text in the field. */
  set(text: string): void {
    if (this.#field.value !== text) this.#field.value = text;
  }

  update(data: ProbeFieldData): void {
    const { suited, error } = data;
    this.#suited.hidden = suited === '';
    setText(this.#suited, this.#words.t('attention.probe.back', { text: suited }));
    setAttribute(this.#field, 'aria-invalid', String(error !== ''));
    this.#note.classList.toggle('error', error !== '');
    setText(this.#note, error !== '' ? error : this.#leftOut(data));
  }

  /** How many tokens do not fit. The beginning, which nobody has typed, takes a place too. */
  #leftOut({ tokens, omitted, fits }: ProbeFieldData): string {
    if (omitted === 0) return '';
    const { t } = this.#words;
    const all = { room: tokens?.length ?? 0 };
    const begun = tokens?.[0]?.kind === 'bos' ? t('attention.omitted.room', all) : '';
    const room = fits ? t('attention.omitted.maps', all) : begun;
    return sentences([t('attention.omitted', { omitted }), room], this.#words);
  }
}
