/** A twin that has not seen some lines: which ones, and what that made of its losses on them. */
import { characters } from '../../base/characters.ts';
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { el, freshId, setAttribute, setText } from '../../kit/dom.ts';
import { termButton } from '../../kit/term.ts';
import { beginningOf, meanLoss } from './left-out.ts';
import type { LineFacts, LeftOutLine } from './left-out.ts';

export interface LeftOutData {
  readonly offered: boolean;
  readonly busy: boolean;
  readonly lines: readonly LeftOutLine[];
  /** The run that is shown has itself not read some lines: another is to be trained first. */
  readonly isUnread: boolean;
  /** Lines that the run has come to in its steps, of how many; null where it has read all. */
  readonly read: { readonly read: number; readonly all: number } | null;
  /** What is wrong with the lines that were asked for; or empty. */
  readonly error: string;
}

export interface LeftOutFormOptions {
  readonly words: AllWords;
  /** Stands below what a pair of runs came to. */
  readonly seeds: HTMLElement;
  readonly onLeaveOut: (lines: string) => void;
  /** A run with all lines is wanted. */
  readonly onWhole: () => void;
}

const HEADS = ['line', 'seen', 'unseen', 'writes.seen', 'writes.unseen'] as const;
/** Characters of a line that the table shows. */
const SHOWN = 60;

export class LeftOutForm {
  readonly root: HTMLElement;
  readonly #words: AllWords;
  readonly #form: HTMLFormElement;
  readonly #field: HTMLInputElement;
  readonly #go: HTMLButtonElement;
  readonly #whole: HTMLButtonElement;
  readonly #said = el('p', { class: 'note', role: 'status', 'data-part': 'left-out' });
  readonly #table = el('div', { class: 'table-scroll', tabindex: '0', role: 'region' });
  #isBusy = false;
  #shown = '';

  constructor({ words, seeds, onLeaveOut, onWhole }: LeftOutFormOptions) {
    const { t } = words;
    this.#words = words;
    const id = freshId('left-out');
    this.#field = el('input', { id, type: 'text', autocomplete: 'off', placeholder: '3, 8–10' });
    this.#go = el('button', { type: 'submit', class: 'secondary' }, t('twin.left-out.go'));
    const label = el('label', { for: id }, t('twin.left-out'));
    this.#form = el('form', { class: 'twin-controls' }, label, this.#field, this.#go);
    this.#form.noValidate = true;
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (!this.#isBusy) onLeaveOut(this.#field.value);
    });
    this.#whole = el('button', { type: 'button', class: 'secondary' }, t('twin.left-out.whole'));
    this.#whole.addEventListener('click', () => {
      if (!this.#isBusy) onWhole();
    });
    this.#table.setAttribute('aria-label', t('twin.left-out.table'));
    this.root = el(
      'div',
      { class: 'twin-left-out' },
      this.#form,
      this.#said,
      this.#whole,
      this.#table,
      seeds,
    );
  }

  /** Asks for these lines; the reader is to press. */
  ask(lines: string): void {
    this.#field.value = lines;
    this.#go.focus();
  }

  update({ offered, busy, isUnread, lines, read, error }: LeftOutData): void {
    this.#isBusy = busy;
    this.#form.hidden = !offered;
    this.#whole.hidden = !isUnread || busy;
    setAttribute(this.#go, 'aria-disabled', String(busy));
    setAttribute(this.#field, 'aria-invalid', String(error !== ''));
    this.#said.classList.toggle('error', error !== '');
    const shown = JSON.stringify([lines, read, error]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const isDone = lines.length > 0 && lines.every(({ unseen }) => unseen !== null);
    setText(this.#said, error);
    if (isDone && error === '')
      this.#said.replaceChildren(
        this.#verdict(lines, read),
        ' ',
        termButton('left_out', this.#words.t('glossary.more')),
      );
    this.#said.hidden = error === '' && !isDone;
    this.#table.hidden = lines.length === 0;
    this.#table.replaceChildren(...(lines.length > 0 ? [this.#createTable(lines)] : []));
  }

  #verdict(lines: readonly LeftOutLine[], read: LeftOutData['read']): string {
    const { t, number } = this.#words;
    const count = lines.length;
    const seen = meanLoss(lines.map((line) => line.seen));
    const unseen = meanLoss(lines.flatMap((line) => line.unseen ?? []));
    // To the last digit: the run never came to what its twin left out.
    if (lines.every((line) => line.seen.loss === line.unseen?.loss)) {
      return t('twin.left-out.same', { count });
    }
    const said = t(unseen > seen ? 'twin.left-out.more' : 'twin.left-out.less', {
      count,
      seen: number(seen, 3),
      unseen: number(unseen, 3),
      gap: number(Math.abs(unseen - seen), 3),
    });
    const part = read === null ? [] : [t('twin.left-out.part', { ...read })];
    return sentences([said, ...part], this.#words);
  }

  #createTable(lines: readonly LeftOutLine[]): HTMLTableElement {
    const { t, number } = this.#words;
    const names = HEADS.map((head) => t(`twin.left-out.${head}`));
    const heads = names.map((name) => el('th', { scope: 'col', role: 'columnheader' }, name));
    const cell = (at: number, text: string, kind: string): HTMLElement =>
      el('td', { role: 'cell', class: kind, 'data-label': names[at] ?? '' }, text);
    const loss = (facts: LineFacts | null): string =>
      facts === null ? '…' : number(facts.loss, 3);
    const rows = lines.map(({ number: line, text, seen, unseen }) =>
      el(
        'tr',
        { role: 'row' },
        el(
          'th',
          { scope: 'row', role: 'rowheader', translate: 'no' },
          `${number(line)}: ${shortened(text)}`,
        ),
        cell(1, loss(seen), 'figure'),
        cell(2, loss(unseen), 'figure'),
        cell(3, shortened(beginningOf(text) + seen.written), 'written'),
        cell(4, unseen === null ? '…' : shortened(beginningOf(text) + unseen.written), 'written'),
      ),
    );
    return el(
      'table',
      { class: 'twin-table stacked', role: 'table' },
      el('caption', {}, t('twin.left-out.caption')),
      el('thead', { role: 'rowgroup' }, el('tr', { role: 'row' }, ...heads)),
      el('tbody', { role: 'rowgroup' }, ...rows),
    );
  }
}

function shortened(text: string): string {
  const all = characters(text);
  return all.length <= SHOWN ? text : `${all.slice(0, SHOWN).join('')}…`;
}
