/** A list of programs that open the model, and a button for each that saves what they open. */
import type { AllWords, AnyKey } from '../../../i18n/index.ts';
import { el, freshId, setText } from '../../../kit/dom.ts';
import { DOORS } from './pack.ts';
import type { Door } from './pack.ts';

export interface DoorListOptions {
  readonly words: AllWords;
  /** Saves the files; answers what to say of it. The message of its errors is for the reader. */
  readonly onSave: (door: Door) => Promise<string>;
}

export interface DoorData {
  readonly size: string;
  /** Why it is closed; empty where it is open. */
  readonly why: string;
}

interface Row {
  readonly door: Door;
  readonly button: HTMLButtonElement;
  readonly said: HTMLElement;
  readonly wrong: HTMLElement;
  readonly closed: HTMLElement;
}

export class DoorList {
  readonly root = el('ul', { class: 'door-list' });
  readonly #options: DoorListOptions;
  readonly #rows: readonly Row[];
  /** The run that was said something of. */
  #run: number | null = null;

  constructor(options: DoorListOptions) {
    this.#options = options;
    this.#rows = DOORS.map((door) => this.#row(door));
  }

  /** What of each door is known: how large its files are, or why it is closed. */
  update(run: number | null, shown: Readonly<Record<Door, DoorData>>): void {
    for (const { door, button, said, wrong, closed } of this.#rows) {
      const { size, why } = shown[door];
      setText(button, this.#options.words.t('doors.save', { size }));
      button.hidden = why !== '';
      setText(closed, why);
      if (run === this.#run) continue;
      setText(said, '');
      setText(wrong, '');
    }
    this.#run = run;
  }

  #row(door: Door): Row {
    const { t } = this.#options.words;
    const title = el('strong', { id: freshId('door') }, t(`doors.${door}` as AnyKey));
    const opens = el('span', { class: 'muted' }, t(`doors.${door}.opens` as AnyKey));
    const button = el('button', { type: 'button', class: 'secondary' });
    button.setAttribute('aria-describedby', title.id);
    const said = el('p', { class: 'note', role: 'status' });
    const wrong = el('p', { class: 'note error', role: 'alert' });
    const closed = el('p', { class: 'note' });
    const row = { door, button, said, wrong, closed };
    button.addEventListener('click', () => void this.#save(row));
    this.root.append(el('li', {}, el('div', {}, title, opens), button, closed, said, wrong));
    return row;
  }

  async #save({ door, button, said, wrong }: Row): Promise<void> {
    const { words, onSave } = this.#options;
    button.disabled = true;
    setText(wrong, '');
    setText(said, words.t('doors.busy'));
    try {
      setText(said, await onSave(door));
    } catch (thrown) {
      setText(said, '');
      setText(wrong, thrown instanceof Error ? thrown.message : String(thrown));
    }
    button.disabled = false;
  }
}
