/** Asks before a run is downloaded whether its text goes with it. */
import type { AllWords } from '../../i18n/index.ts';
import { el, setText } from '../../kit/dom.ts';

export interface DownloadFormOptions {
  readonly words: AllWords;
  /** Of the text, in bytes; and whether it is the reader's own, which leaves only when asked to. */
  readonly text: () => { readonly bytes: number; readonly isOwn: boolean };
  readonly onDownload: (withText: boolean) => void;
  /** The form has closed: the focus goes back to what opened it. */
  readonly onClose: () => void;
}

export class DownloadForm {
  readonly root: HTMLFormElement;
  readonly #options: DownloadFormOptions;
  readonly #withText = el('input', { type: 'checkbox' });
  readonly #label = el('span', {});

  constructor(options: DownloadFormOptions) {
    this.#options = options;
    const { t } = options.words;
    const cancel = el('button', { type: 'button', class: 'link' }, t('runs.name.cancel'));
    this.root = el(
      'form',
      { class: 'runs-form runs-download', 'aria-label': t('runs.download.form'), hidden: true },
      el('label', { class: 'check' }, this.#withText, this.#label),
      el('button', { type: 'submit', class: 'secondary' }, t('runs.download.go')),
      cancel,
      el('p', { class: 'note' }, t('runs.download.help')),
    );
    this.root.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#close();
      options.onDownload(this.#withText.checked);
    });
    cancel.addEventListener('click', () => {
      this.#close();
    });
    this.root.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.#close();
    });
  }

  /** Opens the form; pressed once more, its button closes it. */
  toggle(): void {
    if (!this.root.hidden) {
      this.#close();
      return;
    }
    const { words, text } = this.#options;
    const { bytes, isOwn } = text();
    this.#withText.checked = !isOwn;
    setText(this.#label, words.t('runs.download.text', { size: words.bytes(bytes) }));
    this.root.hidden = false;
    this.#withText.focus();
  }

  #close(): void {
    this.root.hidden = true;
    this.#options.onClose();
  }
}
