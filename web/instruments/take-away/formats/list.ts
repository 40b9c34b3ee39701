/** List of programs that can open the model, with a button that saves the files of each. */
import type { AllWords, AnyKey } from '../../../i18n/index.ts';
import { el, freshId, setText } from '../../../kit/dom.ts';
import { FORMATS } from './pack.ts';
import type { Format } from './pack.ts';

export interface FormatListOptions {
  readonly words: AllWords;
  /** Saves the files and returns a message; the message of a rejection is shown, too. */
  readonly onSave: (format: Format) => Promise<string>;
}

export interface FormatData {
  readonly size: string;
  /** Why the format is unavailable; empty if available. */
  readonly why: string;
}

interface Row {
  readonly format: Format;
  readonly button: HTMLButtonElement;
  readonly said: HTMLElement;
  readonly wrong: HTMLElement;
  readonly closed: HTMLElement;
}

export class FormatList {
  readonly root = el('ul', { class: 'format-list' });
  readonly #options: FormatListOptions;
  readonly #rows: readonly Row[];
  /** Number of the run that the messages are about. */
  #run: number | null = null;

  constructor(options: FormatListOptions) {
    this.#options = options;
    this.#rows = FORMATS.map((format) => this.#row(format));
  }

  /** Shows the size of each format's files, or why it is unavailable. */
  update(run: number | null, shown: Readonly<Record<Format, FormatData>>): void {
    for (const { format, button, said, wrong, closed } of this.#rows) {
      const { size, why } = shown[format];
      setText(button, this.#options.words.t('formats.save', { size }));
      button.hidden = why !== '';
      setText(closed, why);
      if (run === this.#run) continue;
      setText(said, '');
      setText(wrong, '');
    }
    this.#run = run;
  }

  #row(format: Format): Row {
    const { t } = this.#options.words;
    const title = el('strong', { id: freshId('format') }, t(`formats.${format}` as AnyKey));
    const opens = el('span', { class: 'muted' }, t(`formats.${format}.opens` as AnyKey));
    const button = el('button', { type: 'button', class: 'secondary' });
    button.setAttribute('aria-describedby', title.id);
    const said = el('p', { class: 'note', role: 'status' });
    const wrong = el('p', { class: 'note error', role: 'alert' });
    const closed = el('p', { class: 'note' });
    const row = { format, button, said, wrong, closed };
    button.addEventListener('click', () => void this.#save(row));
    this.root.append(el('li', {}, el('div', {}, title, opens), button, closed, said, wrong));
    return row;
  }

  async #save({ format, button, said, wrong }: Row): Promise<void> {
    const { words, onSave } = this.#options;
    button.disabled = true;
    setText(wrong, '');
    setText(said, words.t('formats.busy'));
    try {
      setText(said, await onSave(format));
    } catch (thrown) {
      setText(said, '');
      setText(wrong, thrown instanceof Error ? thrown.message : String(thrown));
    }
    button.disabled = false;
  }
}
