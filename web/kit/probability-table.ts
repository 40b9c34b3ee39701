/**
 * Tokens that may come, the likeliest first, with bars for one or two probabilities of each; those
 * that cannot be drawn stand below a line. A table, so that screen readers have the same figures.
 */
import { arrange, el, freshId, setAttribute, setText } from './dom.ts';
import { chanceText, comingLabel, comingName, rankText, shareText } from '../data/token-data.ts';
import type { VocabularyToken } from '../data/token-data.ts';
import { restOf } from './probabilities.tsx';
import type {
  Others,
  ProbabilityRow,
  ProbabilityTableData,
  ProbabilityTableOptions,
} from './probabilities.tsx';

interface Cell {
  readonly root: HTMLElement;
  readonly bar: HTMLElement;
  readonly text: HTMLElement;
}

interface Row {
  readonly root: HTMLTableRowElement;
  readonly name: HTMLElement;
  /** The name in words, where `name` is a picture of it. */
  readonly spoken: HTMLElement;
  readonly mark: HTMLElement;
  readonly cells: readonly Cell[];
  token: VocabularyToken | null;
}

export class ProbabilityTable {
  readonly #options: ProbabilityTableOptions;
  readonly #caption = el('caption', {});
  readonly #body = el('tbody', { id: freshId('candidates') });
  readonly #all: HTMLButtonElement;
  readonly #cutText: HTMLElement;
  readonly #cutLine: HTMLElement;
  readonly #rows: Row[] = [];
  readonly #rest: Row;
  #data: ProbabilityTableData | null = null;
  #showsAll = false;

  /** Appends the table to `container`. */
  constructor(container: HTMLElement, options: ProbabilityTableOptions) {
    const { tokenHead, columns } = options;
    this.#options = options;
    this.#cutText = el('td', { colspan: columns.length + 1 });
    this.#cutLine = el('tr', { class: 'cut-line' }, this.#cutText);
    this.#rest = this.#createRow(false);
    this.#rest.root.classList.add('rest');
    const heads = [tokenHead, ...columns].map((head) => el('th', { scope: 'col' }, head));
    const table = el(
      'table',
      { class: `probabilities columns-${String(columns.length)}` },
      this.#caption,
      el('thead', {}, el('tr', {}, ...heads)),
      this.#body,
    );
    const controls = { 'aria-controls': this.#body.id, hidden: true };
    this.#all = el('button', { type: 'button', class: 'link', ...controls });
    this.#all.addEventListener('click', () => {
      this.#showsAll = !this.#showsAll;
      this.#draw();
    });
    container.append(table, this.#all);
  }

  update(next: ProbabilityTableData): void {
    this.#data = next;
    this.#draw();
  }

  #createRow(takes: boolean): Row {
    const name = takes
      ? el('button', { type: 'button', class: 'take' })
      : el('span', { class: 'token', 'aria-hidden': 'true', translate: 'no' });
    const spoken = el('span', { class: 'visually-hidden' });
    const mark = el('span', { class: 'mark-text' });
    const cells = this.#options.columns.map(createCell);
    const head = el('th', { scope: 'row' }, name, spoken, mark);
    const root = el('tr', {}, head, ...cells.map((cell) => cell.root));
    const row: Row = { root, name, spoken, mark, cells, token: null };
    if (takes) {
      name.addEventListener('click', () => {
        if (row.token !== null) this.#options.onTake?.(row.token);
      });
    }
    return row;
  }

  #draw(): void {
    const data = this.#data;
    if (data === null) return;
    const { cut } = data;
    const shown = this.#showsAll ? data.rows : this.#briefly(data);
    const likeliest = Math.max(1e-9, ...data.rows.flatMap(({ values }) => values));
    const most = data.fullBar ?? likeliest;
    setText(this.#caption, data.caption);
    if (cut !== null) setText(this.#cutText, cut.text);
    const wanted = shown.flatMap((one, index) => {
      const row = (this.#rows[index] ??= this.#createRow(this.#options.onTake !== undefined));
      this.#showRow(row, one, data, most);
      row.root.classList.toggle('cut', cut !== null && index >= cut.from);
      return cut?.from === index ? [this.#cutLine, row.root] : [row.root];
    });
    const others = restOf(data, shown);
    if (others !== null) {
      this.#showRest(others, data.rest?.label(others.count) ?? '');
      wanted.push(this.#rest.root);
    }
    arrange(this.#body, wanted);
    this.#showButton(data);
  }

  /** The first rows, and the marked one wherever it is. */
  #briefly({ rows, marked }: ProbabilityTableData): readonly ProbabilityRow[] {
    const { brief } = this.#options;
    if (rows.length <= brief + 1) return rows;
    return rows.filter(({ token }, index) => index < brief || token.id === marked?.id);
  }

  #showRow(
    row: Row,
    { token, values, ranked }: ProbabilityRow,
    { marked }: ProbabilityTableData,
    most: number,
  ): void {
    const { words, onTake, takeLabel } = this.#options;
    row.token = token;
    setText(row.name, comingLabel(token));
    if (onTake === undefined) setText(row.spoken, comingName(token, words));
    else setAttribute(row.name, 'aria-label', takeLabel?.(token) ?? '');
    const isMarked = marked?.id === token.id;
    const rank = ranked === undefined ? '' : rankText(ranked, words);
    const jump = rank === '' ? '' : words.t('tokens.rank.short', { rank });
    const mark = isMarked ? marked.text : '';
    const both = jump !== '' && mark !== '';
    setText(row.mark, both ? words.t('tokens.rank.marked', { rank: jump, mark }) : jump + mark);
    row.root.classList.toggle('marked', isMarked);
    this.#fill(row, values, most);
  }

  #showRest({ values }: Others, label: string): void {
    setText(this.#rest.spoken, label);
    setText(this.#rest.name, label);
    // Thousands of tokens together have no bar beside those of single ones.
    this.#fill(this.#rest, values, Infinity);
  }

  /** Shows the probabilities, with bars that are full at `most`. */
  #fill(row: Row, values: readonly number[], most: number): void {
    const { words } = this.#options;
    for (const [column, { bar, text }] of row.cells.entries()) {
      const value = values[column] ?? NaN;
      const width = `${String(Math.min(100, Math.round((1000 * value) / most) / 10))}%`;
      if (bar.style.width !== width) bar.style.width = width;
      bar.classList.toggle('beyond', value > most);
      // What was cut away has no share; what the model says of a single token is never nothing.
      const isGiven = column === 0 && row !== this.#rest;
      setText(text, isGiven ? chanceText(value, words) : shareText(value, words));
    }
  }

  /** The button that shows all rows, or few of them again. */
  #showButton({ rows, complete }: ProbabilityTableData): void {
    const { words, brief } = this.#options;
    this.#all.hidden = rows.length <= brief + 1;
    setAttribute(this.#all, 'aria-expanded', String(this.#showsAll));
    const listed = complete ? 'tokens.all' : 'tokens.likeliest';
    const key = this.#showsAll ? 'tokens.fewer' : listed;
    setText(this.#all, words.t(key, { count: rows.length }));
  }
}

/** A probability: a bar, and the number. */
function createCell(): Cell {
  const bar = el('span', { class: 'bar', 'aria-hidden': 'true' });
  const text = el('span', { class: 'share' });
  const track = el('span', { class: 'track', 'aria-hidden': 'true' }, bar);
  const root = el('td', {}, el('span', { class: 'bar-cell' }, track, text));
  return { root, bar, text };
}
