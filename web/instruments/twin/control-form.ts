/** Controls: the run once more on a text in random order, which must stop where theory says. */
import type { AllWords } from '../../i18n/index.ts';
import { el, setAttribute, setText } from '../../kit/dom.ts';
import type { Shuffle } from '../../store/text/shuffled.ts';

export interface ControlData {
  /** Whether the text may be replaced, and there is a run of it. */
  readonly offered: boolean;
  readonly busy: boolean;
  /** What the control that is shown must come to, or what stands in the way; or empty. */
  readonly said: string;
  /** The text as it was can be put back. */
  readonly hasBefore: boolean;
}

export interface ControlFormOptions {
  readonly words: AllWords;
  readonly onShuffle: (kind: Shuffle) => void;
  readonly onBack: () => void;
}

const KINDS: readonly Shuffle[] = ['letters', 'words', 'lines'];

export class ControlForm {
  readonly root: HTMLElement;
  readonly #form: HTMLElement;
  readonly #buttons: readonly HTMLButtonElement[];
  readonly #said = el('span', {});
  readonly #back: HTMLButtonElement;
  readonly #status: HTMLElement;
  #isBusy = false;

  constructor({ words, onShuffle, onBack }: ControlFormOptions) {
    const { t } = words;
    this.#buttons = KINDS.map((kind) => {
      const button = el(
        'button',
        { type: 'button', class: 'secondary' },
        t(`twin.control.${kind}`),
      );
      button.addEventListener('click', () => {
        if (!this.#isBusy) onShuffle(kind);
      });
      return button;
    });
    this.#back = el('button', { type: 'button', class: 'link' }, t('twin.control.back'));
    this.#back.addEventListener('click', onBack);
    const label = el('span', {}, t('twin.control'));
    this.#form = el('div', { class: 'twin-controls', role: 'group' }, label, ...this.#buttons);
    this.#form.setAttribute('aria-label', t('twin.control'));
    const status = { class: 'note', role: 'status', 'data-part': 'control' };
    this.#status = el('p', status, this.#said, ' ', this.#back);
    this.root = el('div', { class: 'twin-control' }, this.#form, this.#status);
  }

  update({ offered, busy, said, hasBefore }: ControlData): void {
    this.#isBusy = busy;
    this.#form.hidden = !offered;
    for (const button of this.#buttons) setAttribute(button, 'aria-disabled', String(busy));
    setText(this.#said, said);
    this.#back.hidden = !hasBefore;
    this.#status.hidden = said === '' && !hasBefore;
  }
}
