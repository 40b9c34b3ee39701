/** The figures of each token as a table. */
import type { AllWords } from '../../i18n/index.ts';
import { chanceText, rankText } from '../../data/token-data.ts';
import { table } from '../../kit/dom.ts';
import type { NamedToken } from './named-token.ts';

const HEADS = ['token', 'loss', 'probability', 'rank', 'entropy'] as const;

export function tokenTable(shown: readonly NamedToken[], words: AllWords): HTMLTableElement {
  const { t, number } = words;
  const isCompared = shown.some(({ byTable }) => byTable !== null);
  const rows = shown.map(({ name, score, byTable }) => [
    name,
    ...(score === null
      ? ['–', '–', '–', '–']
      : [
          number(score.loss, 3),
          chanceText(score.probability, words),
          rankText(score, words),
          number(score.entropy, 2),
        ]),
    ...(isCompared ? [byTable === null ? '–' : number(byTable, 3)] : []),
  ]);
  const titles = HEADS.map((head) => t(`tokens.col.${head}`));
  if (isCompared) titles.push(t('tokens.col.table'));
  return table(t('tokens.table.caption'), titles, rows);
}
