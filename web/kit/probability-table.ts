/**
 * Tokens that may come, the likeliest first, with bars for one or two probabilities of each; those
 * that cannot be drawn stand below a line. A table, so that screen readers have the same figures.
 */
import type { AllWords } from '../i18n/index.ts';
import { arrange, el, freshId, setAttribute, setText } from './dom.ts';
import { chanceText, comingLabel, comingName, rankText, shareText } from '../data/token-data.ts';
import type { Ranked, VocabularyToken } from '../data/token-data.ts';

export interface ProbabilityTableOptions {
  readonly words: AllWords;
  readonly tokenHead: string;
  /** Heads of the columns of probabilities. */
  readonly columns: readonly string[];
  /** Rows shown until all are asked for. */
  readonly brief: number;
  /** Makes the tokens buttons: called with the one that is pressed. */
  readonly onTake?: (token: VocabularyToken) => void;
  /** The name of such a button. */
  readonly takeLabel?: (token: VocabularyToken) => string;
}

export interface ProbabilityRow {
  readonly token: VocabularyToken;
  /** One for each column. */
  readonly values: readonly number[];
  /** Its place where that is not the one of the row. */
  readonly ranked?: Ranked;
}

/** Tokens that have no row of their own, together. */
interface Others {
  readonly count: number;
  readonly values: readonly number[];
}

/** Those that are not in the data, and what to call any number of them. */
export interface Rest extends Others {
  readonly label: (count: number) => string;
}

export interface ProbabilityTableData {
  readonly caption: string;
  readonly rows: readonly ProbabilityRow[];
  /** The id of a row to point out, with the words that say why. */
  readonly marked: { readonly id: number; readonly text: string } | null;
  /** From this row on nothing can be drawn, for the reason given; null when all can. */
  readonly cut: { readonly from: number; readonly text: string } | null;
  /** All other tokens together; null where they are not to be spoken of. */
  readonly rest: Rest | null;
  /** Whether the rows are all tokens that there are, not only the likeliest. */
  readonly complete: boolean;
  /** The probability of a full bar; that of the likeliest where it is left out. */
  readonly fullBar?: number;
}

export interface ProbabilityTable {
  update(data: ProbabilityTableData): void;
}

interface Row {
  readonly root: HTMLTableRowElement;
  readonly name: HTMLElement;
  /** The name in words, where `name` is a picture of it. */
  readonly spoken: HTMLElement;
  readonly mark: HTMLElement;
  readonly cells: readonly { readonly bar: HTMLElement; readonly text: HTMLElement }[];
  token: VocabularyToken | null;
}

/** What has no row now: the rest, and rows that are folded away; null where there is nothing. */
function restOf(data: ProbabilityTableData, shown: readonly ProbabilityRow[]): Others | null {
  if (data.rest === null) return null;
  const folded = data.rows.filter((row) => !shown.includes(row));
  const count = data.rest.count + folded.length;
  if (count === 0) return null;
  const values = data.rest.values.map((value, column) =>
    folded.reduce((sum, row) => sum + (row.values[column] ?? 0), value),
  );
  return { count, values };
}

/** Appends the table to `container`. */
export function createProbabilityTable(
  container: HTMLElement,
  options: ProbabilityTableOptions,
): ProbabilityTable {
  const { words, columns, brief, onTake, takeLabel } = options;
  const bodyId = freshId('candidates');
  const caption = el('caption', {});
  const body = el('tbody', { id: bodyId });
  const heads = [options.tokenHead, ...columns].map((head) => el('th', { scope: 'col' }, head));
  const all = el('button', {
    type: 'button',
    class: 'link',
    'aria-controls': bodyId,
    hidden: true,
  });
  container.append(
    el(
      'table',
      { class: `probabilities columns-${String(columns.length)}` },
      caption,
      el('thead', {}, el('tr', {}, ...heads)),
      body,
    ),
    all,
  );
  const cutText = el('td', { colspan: columns.length + 1 });
  const cutLine = el('tr', { class: 'cut-line' }, cutText);
  const rows: Row[] = [];
  const rest = makeRow(false);
  rest.root.classList.add('rest');
  let data: ProbabilityTableData | null = null;
  let showAll = false;

  function makeRow(takes: boolean): Row {
    const name = takes
      ? el('button', { type: 'button', class: 'take' })
      : el('span', { class: 'token', 'aria-hidden': 'true', translate: 'no' });
    const spoken = el('span', { class: 'visually-hidden' });
    const mark = el('span', { class: 'mark-text' });
    const cells = columns.map(() => ({
      bar: el('span', { class: 'bar', 'aria-hidden': 'true' }),
      text: el('span', { class: 'share' }),
    }));
    const root = el(
      'tr',
      {},
      el('th', { scope: 'row' }, name, spoken, mark),
      ...cells.map(({ bar, text }) =>
        el(
          'td',
          {},
          el(
            'span',
            { class: 'bar-cell' },
            el('span', { class: 'track', 'aria-hidden': 'true' }, bar),
            text,
          ),
        ),
      ),
    );
    const row: Row = { root, name, spoken, mark, cells, token: null };
    if (takes) {
      name.addEventListener('click', () => {
        if (row.token !== null) onTake?.(row.token);
      });
    }
    return row;
  }

  function fill(row: Row, values: readonly number[], most: number): void {
    for (const [column, { bar, text }] of row.cells.entries()) {
      const value = values[column] ?? NaN;
      const width = `${String(Math.min(100, Math.round((1000 * value) / most) / 10))}%`;
      if (bar.style.width !== width) bar.style.width = width;
      bar.classList.toggle('beyond', value > most);
      // What was cut away has no share; what the model says of a single token is never nothing.
      const isGiven = column === 0 && row !== rest;
      setText(text, isGiven ? chanceText(value, words) : shareText(value, words));
    }
  }

  function draw(): void {
    if (data === null) return;
    const { marked, cut } = data;
    const shown = showAll ? data.rows : briefly(data.rows, marked?.id ?? -1);
    const likeliest = Math.max(1e-9, ...data.rows.flatMap(({ values }) => values));
    const most = data.fullBar ?? likeliest;
    setText(caption, data.caption);
    while (rows.length < shown.length) rows.push(makeRow(onTake !== undefined));
    const wanted: HTMLElement[] = [];
    for (const [index, { token, values, ranked }] of shown.entries()) {
      const row = rows[index];
      if (row === undefined) continue;
      if (cut !== null && cut.from === index) wanted.push(cutLine);
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
      row.root.classList.toggle('cut', cut !== null && index >= cut.from);
      fill(row, values, most);
      wanted.push(row.root);
    }
    if (cut !== null) setText(cutText, cut.text);
    const others = restOf(data, shown);
    if (others !== null) {
      const label = data.rest?.label(others.count) ?? '';
      setText(rest.spoken, label);
      setText(rest.name, label);
      // Thousands of tokens together have no bar beside those of single ones.
      fill(rest, others.values, Infinity);
      wanted.push(rest.root);
    }
    arrange(body, wanted);
    all.hidden = data.rows.length <= brief + 1;
    setAttribute(all, 'aria-expanded', String(showAll));
    const listed = data.complete ? 'tokens.all' : 'tokens.likeliest';
    setText(all, words.t(showAll ? 'tokens.fewer' : listed, { count: data.rows.length }));
  }

  /** The first rows, and the marked one wherever it is. */
  function briefly(list: readonly ProbabilityRow[], marked: number): ProbabilityRow[] {
    if (list.length <= brief + 1) return [...list];
    return list.filter(({ token }, index) => index < brief || token.id === marked);
  }

  all.addEventListener('click', () => {
    showAll = !showAll;
    draw();
  });

  return {
    update(next) {
      data = next;
      draw();
    },
  };
}
