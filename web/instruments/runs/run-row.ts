/** A row of the list of runs: its facts, a field for its name, and its buttons. */
import type { AllWords } from '../../i18n/index.ts';
import { el, freshId, setAttribute, setText } from '../../kit/dom.ts';
import { unitKey } from '../../data/loss-data.ts';
import type { LossUnit } from '../../data/loss-data.ts';
import { DownloadForm } from './download-form.ts';

export interface RunRow {
  readonly id: string;
  /** Given by the reader, or empty. */
  readonly name: string;
  /** What it learned. */
  readonly text: string;
  readonly preset: string;
  readonly step: number;
  readonly steps: number;
  /** In `unit`, which is another than that of the table where that one is not known. */
  readonly loss: number | null;
  readonly unit: LossUnit;
  /** Milliseconds since 1970. */
  readonly saved: number;
  readonly bytes: number;
  /** Of its text, and whether that is the reader's own. */
  readonly textBytes: number;
  readonly isOwnText: boolean;
  readonly place: 'here' | 'elsewhere' | '';
  /** What came of opening, downloading or deleting it here, as a sentence; or empty. */
  readonly told: string;
}

export interface RunLineOptions {
  readonly words: AllWords;
  readonly onOpen: (id: string) => void;
  readonly onRename: (id: string, name: string) => void;
  readonly onDownload: (id: string, withText: boolean) => void;
  readonly onDelete: (id: string) => void;
}

const ACTIONS = ['open', 'rename', 'download', 'delete'] as const;
type Action = (typeof ACTIONS)[number];

const NAME_LENGTH = 80;

/** Milliseconds in which a second Enter still belongs to the first. */
const DOUBLE = 500;

export class RunLine {
  readonly root: HTMLTableRowElement;
  readonly #options: RunLineOptions;
  readonly #title = el('span', { class: 'runs-name' });
  readonly #place = el('span', { class: 'runs-place', id: freshId('run-place') });
  readonly #about = el('span', { class: 'runs-about muted' });
  readonly #label = el('div', {}, this.#title, this.#place, this.#about);
  readonly #input: HTMLInputElement;
  readonly #form: HTMLFormElement;
  readonly #cells: Readonly<Record<'step' | 'loss' | 'saved' | 'size', HTMLElement>>;
  readonly #buttons: Readonly<Record<Action, HTMLButtonElement>>;
  readonly #status = el('p', { class: 'note runs-told', role: 'status' });
  #row: RunRow;
  #busy = false;
  /**
   * When a name was saved last: the focus is on a button then, which a second Enter would press.
   */
  #savedAt = -Infinity;
  /**
   * The name as it stood in the field at first: unchanged, it does not become one that was given.
   */
  #edited = '';

  constructor(row: RunRow, options: RunLineOptions) {
    const { onOpen, onDownload, onDelete } = options;
    const { t } = options.words;
    this.#row = row;
    this.#options = options;
    this.#input = el('input', {
      type: 'text',
      id: freshId('run-name'),
      maxlength: NAME_LENGTH,
      'aria-label': t('runs.name'),
    });
    this.#form = this.#createForm();
    const cell = (name: 'step' | 'loss' | 'saved' | 'size'): HTMLElement =>
      el('td', { role: 'cell', class: `runs-${name}`, 'data-label': t(`runs.col.${name}`) });
    const [step, loss, saved, size] = [cell('step'), cell('loss'), cell('saved'), cell('size')];
    this.#cells = { step, loss, saved, size };
    const download = new DownloadForm({
      words: options.words,
      text: () => ({ bytes: this.#row.textBytes, isOwn: this.#row.isOwnText }),
      onDownload: (withText) => onDownload(row.id, withText),
      onClose: () => this.focus('download'),
    });
    this.#buttons = {
      open: this.#button('open', () => {
        if (!this.#isOpen()) onOpen(row.id);
      }),
      rename: this.#button('rename', () => this.#edit()),
      download: this.#button('download', () => download.toggle()),
      delete: this.#button('delete', () => onDelete(row.id)),
    };
    this.#buttons.delete.setAttribute('aria-describedby', this.#place.id);
    this.#buttons.rename.addEventListener('keydown', (event) => {
      const isDouble = event.repeat || performance.now() - this.#savedAt < DOUBLE;
      if (event.key === 'Enter' && isDouble) event.preventDefault();
    });
    const buttons = ACTIONS.map((action) => this.#buttons[action]);
    this.root = el(
      'tr',
      { role: 'row' },
      el('th', { scope: 'row', role: 'rowheader', class: 'runs-run' }, this.#label, this.#form),
      step,
      loss,
      saved,
      size,
      el('td', { role: 'cell', class: 'runs-actions' }, ...buttons, download.root, this.#status),
    );
  }

  focus(action: Action): void {
    this.#buttons[action].focus();
  }

  /** `unit` is that of the table, `lossHead` the head of its losses. */
  update(row: RunRow, unit: LossUnit, lossHead: string, isBusy: boolean): void {
    const { words } = this.#options;
    const { t, number } = words;
    const { step, loss, saved, size } = this.#cells;
    this.#row = row;
    this.#busy = isBusy;
    setText(this.#title, titleOf(row));
    setText(this.#place, row.place === '' ? '' : t(`runs.${row.place}`));
    const { text, preset } = row;
    setText(this.#about, row.name === '' ? preset : t('runs.about', { text, preset }));
    setText(step, t('runs.of', { step: number(row.step), steps: number(row.steps) }));
    const value = row.loss === null ? '–' : number(row.loss, 2);
    const named = { loss: value, unit: t(unitKey(row.unit)) };
    setText(loss, row.loss === null || row.unit === unit ? value : t('runs.loss', named));
    setAttribute(loss, 'data-label', lossHead);
    setText(saved, words.moment(row.saved));
    setText(size, words.bytes(row.bytes));
    setText(this.#status, row.told);
    for (const action of ACTIONS) {
      const name = t('runs.on', { action: t(`runs.${action}`), name: titleOf(row) });
      setAttribute(this.#buttons[action], 'aria-label', name);
    }
    // Keeps the focus for a reader who uses the keyboard.
    setAttribute(this.#buttons.open, 'aria-disabled', String(this.#isOpen()));
    // Pressed all the same, it says why, or that the other tab is gone.
    setAttribute(this.#buttons.delete, 'aria-disabled', String(row.place === 'elsewhere'));
  }

  #isOpen(): boolean {
    return this.#busy || this.#row.place === 'here';
  }

  #button(action: Action, press: () => void): HTMLButtonElement {
    const text = this.#options.words.t(`runs.${action}`);
    const button = el('button', { type: 'button', class: 'link' }, text);
    button.addEventListener('click', press);
    return button;
  }

  #createForm(): HTMLFormElement {
    const { words, onRename } = this.#options;
    const { t } = words;
    const save = el('button', { type: 'submit', class: 'secondary' }, t('runs.name.save'));
    const cancel = el('button', { type: 'button', class: 'link' }, t('runs.name.cancel'));
    const form = el('form', { class: 'runs-form', hidden: true }, this.#input, save, cancel);
    cancel.addEventListener('click', () => this.#endEdit());
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#savedAt = performance.now();
      if (this.#input.value !== this.#edited) onRename(this.#row.id, this.#input.value);
      this.#endEdit();
    });
    form.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.#endEdit();
    });
    return form;
  }

  #edit(): void {
    this.#form.hidden = false;
    this.#label.hidden = true;
    this.#edited = titleOf(this.#row).slice(0, NAME_LENGTH);
    this.#input.value = this.#edited;
    this.#input.focus();
    this.#input.select();
  }

  #endEdit(): void {
    this.#form.hidden = true;
    this.#label.hidden = false;
    this.#buttons.rename.focus();
  }
}

function titleOf({ name, text }: RunRow): string {
  return name === '' ? text : name;
}
