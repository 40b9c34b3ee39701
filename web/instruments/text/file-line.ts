/** The line of an opened file, with how it was read. */
import type { Words } from '../../i18n/index.ts';
import { el, freshId, setText } from '../../kit/dom.ts';

/** What is said of an opened file; all empty without one. */
export interface OpenedFile {
  /** Its name and size. */
  readonly line: string;
  /** The encoding that it is read in. */
  readonly encoding: string;
  /** What it can be read as, the likeliest first; empty if there is no choice. */
  readonly encodings: readonly { readonly id: string; readonly name: string }[];
  readonly notes: string;
  /** What became of its line ends, and the label of what changes that. */
  readonly ends: string;
  readonly endsAct: string;
}

export interface FileLineOptions {
  readonly words: Words;
  readonly onEncoding: (encoding: string) => void;
  /** Converted line ends are taken back, or converted after all. */
  readonly onEnds: () => void;
}

export class FileLine {
  readonly root: HTMLElement;
  readonly #name = el('span', {});
  readonly #select = el('select', { id: freshId('encoding') });
  readonly #choice: HTMLElement;
  readonly #notes = el('p', { class: 'note' });
  readonly #said = el('span', {});
  readonly #act = el('button', { type: 'button', class: 'link' });
  readonly #ends = el('p', { class: 'note' }, this.#said, ' ', this.#act);
  /** The encodings that are listed. */
  #listed = '';

  constructor({ words, onEncoding, onEnds }: FileLineOptions) {
    const label = el('label', { for: this.#select.id }, words.t('text.encoding'));
    this.#choice = el('span', {}, label, ' ', this.#select);
    const line = el('p', { class: 'note file-line' }, this.#name, ' ', this.#choice);
    const kind = { class: 'notes', 'data-part': 'file' };
    this.root = el('div', kind, line, this.#notes, this.#ends);
    this.#select.addEventListener('change', () => {
      onEncoding(this.#select.value);
    });
    this.#act.addEventListener('click', onEnds);
  }

  update(file: OpenedFile): void {
    const list = file.encodings.map(({ id }) => id).join();
    if (list !== this.#listed) {
      this.#listed = list;
      const options = file.encodings.map((one) => el('option', { value: one.id }, one.name));
      this.#select.replaceChildren(...options);
    }
    this.#select.value = file.encoding;
    setText(this.#name, file.line);
    setText(this.#notes, file.notes);
    setText(this.#said, file.ends);
    setText(this.#act, file.endsAct);
    this.root.hidden = file.line === '';
    this.#choice.hidden = list === '';
    this.#notes.hidden = file.notes === '';
    this.#ends.hidden = file.ends === '';
  }
}
