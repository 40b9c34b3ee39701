/** The figures of each token as a table. */
import { chanceText, rankText } from '../../data/token-data.ts';
import { DataTable } from '../../kit/data-table.tsx';
import { useWords } from '../component.tsx';
import type { NamedToken } from './named-token.ts';

const HEADS = ['token', 'loss', 'probability', 'rank', 'entropy'] as const;

export function TokenTable({ tokens }: { readonly tokens: readonly NamedToken[] }) {
  const words = useWords();
  const { t, number } = words;
  const isCompared = tokens.some(({ byTable }) => byTable !== null);
  const rows = tokens.map(({ name, score, byTable }) => [
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
  const heads = HEADS.map((head) => t(`tokens.col.${head}`));
  if (isCompared) heads.push(t('tokens.col.table'));
  return (
    <DataTable
      label={t('tokens.table')}
      caption={t('tokens.table.caption')}
      heads={heads}
      rows={rows}
    />
  );
}
