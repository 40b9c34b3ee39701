/** The weights of one head as text: one of them in a sentence, all of them in a table. */
import { capitalised } from '../../i18n/index.ts';
import type { Words } from '../../i18n/index.ts';
import { headWeights } from '../../data/attention-data.ts';
import type { AttentionData, HeadPlace } from '../../data/attention-data.ts';
import { table } from '../../kit/dom.ts';
import { listLabels, spokenLabels } from '../../kit/row-labels.ts';
import type { Cell } from '../../base/cell.ts';

/** How much the token of a row looks at that of a column; empty for a cell outside the map. */
export function weightSentence(
  attention: AttentionData,
  head: HeadPlace,
  { row, column }: Cell,
  words: Words,
): string {
  const names = spokenLabels(attention.tokens, words);
  const [from, to] = [names[row], names[column]];
  if (from === undefined || to === undefined) return '';
  const weight = headWeights(attention, head)[row * attention.tokens.length + column] ?? 0;
  const place = { from, row: row + 1, to, column: column + 1 };
  return capitalised(words.t('attention.weight', { ...place, weight: words.number(weight, 3) }));
}

/** The weights of `head`, a row for each token that looks. */
export function weightTable(
  attention: AttentionData,
  head: HeadPlace,
  words: Words,
): HTMLTableElement {
  const weights = headWeights(attention, head);
  const labels = listLabels(attention.tokens);
  const rows = labels.map((label, row) => [
    label,
    ...labels.map((_, column) =>
      column > row ? '' : words.number(weights[row * labels.length + column] ?? 0, 3),
    ),
  ]);
  const place = { layer: head.layer + 1, head: head.head + 1 };
  const caption = words.t('attention.table.caption', place);
  return table(caption, [words.t('attention.table.from'), ...labels], rows);
}
