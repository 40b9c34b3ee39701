/** What is said below the field: of the opened file and the text, and what can be done with it. */
import type { Words } from '../../i18n/index.ts';
import { el, freshId, setText } from '../../kit/dom.ts';
import { createReservedSpaces } from '../../kit/reserved-space.ts';
import { FileLine } from './file-line.ts';
import type { FileLineOptions, OpenedFile } from './file-line.ts';

export interface TextNotesData {
  readonly file: OpenedFile;
  /** Facts about the text: how it will be read, what is cut. */
  readonly notes: readonly string[];
  /** Takes back what the last of these says, or empty. */
  readonly keep: string;
  /** A preset that suits this text better than the chosen one, or empty. */
  readonly suggestion: string;
  /** The text stands in the place of one that can come back. */
  readonly replaced: boolean;
  /** It does so as the text of an opened run. */
  readonly ofRun: boolean;
}

export interface TextNotesOptions extends FileLineOptions {
  /** The preset that suits the text better is wanted. */
  readonly onSuggestion: () => void;
  readonly onBringBack: () => void;
  /** The settings that the text brought are not wanted. */
  readonly onKeep: () => void;
}

export class TextNotes {
  readonly root: HTMLElement;
  /** The id of what describes the text. */
  readonly id = freshId('text-note');
  readonly #words: Words;
  readonly #panel: HTMLElement;
  readonly #file: FileLine;
  readonly #notes = el('div', { id: this.id, class: 'notes' });
  readonly #advice = el('span', {});
  readonly #use = el('button', { type: 'button', class: 'link' });
  readonly #suggestion: HTMLElement;
  readonly #keep = el('button', { type: 'button', class: 'link' });
  readonly #why = el('span', {});
  readonly #replaced: HTMLElement;
  readonly #reserved = createReservedSpaces();
  #shown = '';

  /** `panel` is what the reader handles: while the focus is in there, notes may move. */
  constructor(panel: HTMLElement, options: TextNotesOptions) {
    const { words, onSuggestion, onBringBack, onKeep } = options;
    this.#words = words;
    this.#panel = panel;
    this.#file = new FileLine(options);
    const hidden = { class: 'note', hidden: true };
    this.#suggestion = el('p', hidden, this.#advice, ' ', this.#use);
    this.#use.addEventListener('click', onSuggestion);
    this.#keep.addEventListener('click', onKeep);
    const kind = { type: 'button', class: 'link' };
    const bringBack = el('button', kind, words.t('text.replaced.back'));
    this.#replaced = el('p', hidden, this.#why, ' ', bringBack);
    bringBack.addEventListener('click', onBringBack);
    const all = [this.#replaced, this.#file.root, this.#notes, this.#suggestion];
    this.root = el('div', {}, el('div', { class: 'notes' }, ...all));
    panel.addEventListener('focusin', () => {
      this.#reserved.release(this.root);
    });
  }

  /** Who points above the room, or beside it, is not about to press what moves. */
  point({ clientX, clientY }: PointerEvent): void {
    if (!this.root.classList.contains('reserves-space')) return;
    const { left, right, top } = this.root.getBoundingClientRect();
    if (clientY < top || clientX < left || clientX > right) this.#reserved.release(this.root);
  }

  update(data: TextNotesData): void {
    const { suggestion: preset, notes: lines, keep } = data;
    const flags = [data.replaced, data.ofRun].map(String);
    const wanted = [preset, keep, ...flags, JSON.stringify(data.file), ...lines].join('\n');
    if (wanted === this.#shown) return;
    this.#reserve(this.#shown === '');
    this.#shown = wanted;
    const { t } = this.#words;
    this.#file.update(data.file);
    this.#replaced.hidden = !data.replaced;
    setText(this.#why, t(data.ofRun ? 'text.replaced' : 'text.aside'));
    this.#suggestion.hidden = preset === '';
    setText(this.#advice, t('text.suggest', { preset }));
    setText(this.#use, t('text.suggest.use', { preset }));
    setText(this.#keep, keep);
    this.#notes.replaceChildren(...lines.map((line) => el('p', { class: 'note' }, line)));
    if (keep !== '') this.#notes.lastElementChild?.append(' ', this.#keep);
  }

  /**
   * Said anew because of a press elsewhere: what was pressed may stand below, and stays there. The
   * first of them has no room to keep, and measuring would lay out a page that is not all there.
   */
  #reserve(isFirst: boolean): void {
    const alone = isFirst || this.#panel.matches(':focus-within');
    if (alone) this.#reserved.release(this.root);
    else this.#reserved.reserve(this.root, this.root.offsetHeight, true);
  }

  destroy(): void {
    this.#reserved.destroy();
  }
}
