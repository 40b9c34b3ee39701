/** A table of the written tokens and their random numbers. */
import { chanceText, shareText } from '../../data/token-data.ts';
import { DataTable } from '../../kit/data-table.tsx';
import { useWords } from '../component.tsx';
import type { WrittenText } from './written-text.ts';

export interface WrittenTableProps {
  readonly text: WrittenText;
  /** Names of all tokens, prompt first. */
  readonly names: readonly string[];
}

export function WrittenTable({ text: { now, tokens }, names }: WrittenTableProps) {
  const words = useWords();
  const { t, number } = words;
  const rows = tokens.map(({ choice, uniform }, index) => [
    names[now.prompt.length + index] ?? '',
    chanceText(choice.probability, words),
    shareText(choice.adjusted, words),
    number(uniform, 4),
  ]);
  const heads = [t('tokens.col.token'), t('write.col.model'), t('write.col.dice')];
  return (
    <DataTable
      label={t('write.table')}
      caption={t('write.table.caption')}
      heads={[...heads, t('write.col.number')]}
      rows={rows}
    />
  );
}
