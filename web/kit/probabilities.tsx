/**
 * A table of candidate tokens, likeliest first, with bars for one or two probabilities. Tokens that
 * cannot be sampled follow below a line. Screen readers read the same figures.
 */
import { useState } from 'preact/hooks';
import { chanceText, comingLabel, comingName, rankText, shareText } from '../data/token-data.ts';
import type { Ranked, VocabularyToken } from '../data/token-data.ts';
import type { AllWords } from '../i18n/index.ts';
import { useFreshId } from './use-id.ts';

export interface ProbabilityTableOptions {
  readonly words: AllWords;
  readonly tokenHead: string;
  /** Headings of the columns of probabilities. */
  readonly columns: readonly string[];
  /** Initial number of rows. */
  readonly brief: number;
  /** Renders the tokens as buttons; called with the pressed token. */
  readonly onTake?: (token: VocabularyToken) => void;
  /** Accessible name of a token's button. */
  readonly takeLabel?: (token: VocabularyToken) => string;
}

export interface ProbabilityRow {
  readonly token: VocabularyToken;
  /** One value per column. */
  readonly values: readonly number[];
  /** Rank of the token, if it differs from the row's position. */
  readonly ranked?: Ranked;
}

/** Sums over tokens without a row: one value per column. */
export interface Others {
  readonly count: number;
  readonly values: readonly number[];
}

/** Sums over tokens outside `rows`; `label` names any number of tokens. */
export interface Rest extends Others {
  readonly label: (count: number) => string;
}

export interface ProbabilityTableData {
  readonly caption: string;
  readonly rows: readonly ProbabilityRow[];
  /** Id of a highlighted row, and the words that explain it; null if none. */
  readonly marked: { readonly id: number; readonly text: string } | null;
  /** First row whose token cannot be sampled, and the reason; null if all can be sampled. */
  readonly cut: { readonly from: number; readonly text: string } | null;
  /** All other tokens together; null if not mentioned. */
  readonly rest: Rest | null;
  /** Whether the rows are the whole vocabulary. */
  readonly complete: boolean;
  /** Probability of a full bar; by default that of the likeliest token. */
  readonly fullBar?: number;
}

type ProbabilityTableProps = ProbabilityTableOptions & ProbabilityTableData;

export function ProbabilityTable(props: ProbabilityTableProps) {
  const { words, tokenHead, columns, brief, caption, rows, marked, cut, complete } = props;
  const id = useFreshId('candidates');
  const [showsAll, showAll] = useState(false);
  const isLong = rows.length > brief + 1;
  const shown =
    showsAll || !isLong
      ? rows
      : rows.filter(({ token }, index) => index < brief || token.id === marked?.id);
  const most = props.fullBar ?? Math.max(1e-9, ...rows.flatMap(({ values }) => values));
  const others = restOf(props, shown);
  const listed = complete ? 'tokens.all' : 'tokens.likeliest';
  return (
    <>
      <table class={`probabilities columns-${columns.length}`}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {[tokenHead, ...columns].map((head) => (
              <th scope="col">{head}</th>
            ))}
          </tr>
        </thead>
        <tbody id={id}>
          {shown.flatMap((row, index) => [
            cut?.from === index ? (
              <tr key="cut" class="cut-line">
                <td colSpan={columns.length + 1}>{cut.text}</td>
              </tr>
            ) : null,
            <Row
              key={index}
              table={props}
              row={row}
              isCut={cut !== null && index >= cut.from}
              most={most}
            />,
          ])}
          {others === null ? null : <RestRow key="rest" table={props} others={others} />}
        </tbody>
      </table>
      {isLong ? (
        <button
          type="button"
          class="link"
          aria-controls={id}
          aria-expanded={showsAll}
          onClick={() => showAll(!showsAll)}
        >
          {words.t(showsAll ? 'tokens.fewer' : listed, { count: rows.length })}
        </button>
      ) : null}
    </>
  );
}

interface RowProps {
  readonly table: ProbabilityTableProps;
  readonly row: ProbabilityRow;
  readonly isCut: boolean;
  readonly most: number;
}

function Row({ table, row: { token, values, ranked }, isCut, most }: RowProps) {
  const { words, marked, onTake, takeLabel } = table;
  const isMarked = marked?.id === token.id;
  const rank = ranked === undefined ? '' : rankText(ranked, words);
  const jump = rank === '' ? '' : words.t('tokens.rank.short', { rank });
  const mark = isMarked ? marked.text : '';
  const both = jump !== '' && mark !== '';
  return (
    <tr class={[isCut ? 'cut' : '', isMarked ? 'marked' : ''].join(' ').trim()}>
      <th scope="row">
        {onTake === undefined ? (
          <>
            <span class="token" aria-hidden="true" translate={false}>
              {comingLabel(token)}
            </span>
            <span class="visually-hidden">{comingName(token, words)}</span>
          </>
        ) : (
          <button
            type="button"
            class="take"
            aria-label={takeLabel?.(token)}
            onClick={() => onTake(token)}
          >
            {comingLabel(token)}
          </button>
        )}
        <span class="mark-text">
          {both ? words.t('tokens.rank.marked', { rank: jump, mark }) : jump + mark}
        </span>
      </th>
      {values.map((value, column) => (
        // Sampling settings can make a share 0; the model's own (column 0) is never shown as 0.
        <Share
          value={value}
          most={most}
          text={column === 0 ? chanceText(value, words) : shareText(value, words)}
        />
      ))}
    </tr>
  );
}

function RestRow({ table, others }: { table: ProbabilityTableProps; others: Others }) {
  const label = table.rest?.label(others.count) ?? '';
  return (
    <tr class="rest">
      <th scope="row">
        <span class="token" aria-hidden="true" translate={false}>
          {label}
        </span>
        <span class="visually-hidden">{label}</span>
        <span class="mark-text" />
      </th>
      {others.values.map((value) => (
        // Bars would compare a sum over thousands of tokens with single tokens.
        <Share value={value} most={Infinity} text={shareText(value, table.words)} />
      ))}
    </tr>
  );
}

interface ShareProps {
  readonly value: number;
  /** The probability of a full bar. */
  readonly most: number;
  readonly text: string;
}

/** A probability as a bar and a number. */
function Share({ value, most, text }: ShareProps) {
  const width = `${String(Math.min(100, Math.round((1000 * value) / most) / 10))}%`;
  return (
    <td>
      <span class="bar-cell">
        <span class="track" aria-hidden="true">
          <span class="bar" aria-hidden="true" style={{ width }} />
        </span>
        <span class="share">{text}</span>
      </span>
    </td>
  );
}

/** Sums over tokens without a visible row: `rest` and folded rows; null if none. */
export function restOf(
  data: ProbabilityTableData,
  shown: readonly ProbabilityRow[],
): Others | null {
  if (data.rest === null) return null;
  const folded = data.rows.filter((row) => !shown.includes(row));
  const count = data.rest.count + folded.length;
  if (count === 0) return null;
  const values = data.rest.values.map((value, column) =>
    folded.reduce((sum, row) => sum + (row.values[column] ?? 0), value),
  );
  return { count, values };
}
