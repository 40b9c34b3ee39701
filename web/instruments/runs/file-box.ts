/** Opens a run from a file; and downloads the run of this tab where none can be kept. */
import type { AllWords } from '../../i18n/index.ts';
import { el, freshId, setText } from '../../kit/dom.ts';
import { DownloadForm } from './download-form.ts';

export interface FileBoxData {
  /** The text of the run of this tab, if the list cannot hold that run; else null. */
  readonly unkept: { readonly bytes: number; readonly isOwn: boolean } | null;
  /** What came of a file, as a sentence; or empty. */
  readonly told: string;
  readonly isError: boolean;
}

export interface FileBoxOptions {
  readonly words: AllWords;
  readonly onOpen: (file: File) => void;
  readonly onDownload: (withText: boolean) => void;
}

export class FileBox {
  readonly root: HTMLElement;
  readonly #download: HTMLElement;
  readonly #status = el('p', { class: 'note', role: 'status', 'data-part': 'run-file' });
  #unkept: FileBoxData['unkept'] = null;

  constructor({ words, onOpen, onDownload }: FileBoxOptions) {
    const { t } = words;
    const input = el('input', { type: 'file', class: 'visually-hidden', id: freshId('run-file') });
    input.addEventListener('change', () => {
      const file = input.files?.[0];
      // The same file may be chosen again after it was changed.
      input.value = '';
      if (file !== undefined) onOpen(file);
    });
    const label = el('label', { class: 'link file-link', for: input.id }, t('runs.file.open'));
    const button = el('button', { type: 'button', class: 'link' }, t('runs.file.current'));
    const form = new DownloadForm({
      words,
      onDownload,
      text: () => this.#unkept ?? { bytes: 0, isOwn: true },
      onClose: () => {
        button.focus();
      },
    });
    button.addEventListener('click', () => {
      form.toggle();
    });
    this.#download = el('div', { class: 'runs-unkept' }, button, form.root);
    this.root = el(
      'div',
      { class: 'runs-files' },
      el('span', {}, input, label),
      this.#download,
      this.#status,
    );
  }

  update({ unkept, told, isError }: FileBoxData): void {
    this.#unkept = unkept;
    this.#download.hidden = unkept === null;
    setText(this.#status, told);
    this.#status.classList.toggle('error', isError);
    this.#status.hidden = told === '';
  }
}
