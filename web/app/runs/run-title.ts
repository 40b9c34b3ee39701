/** What a saved run is called where it is listed. */
import type { Words } from '../../i18n/index.ts';
import type { RunRecord } from './run-record.ts';

/** The name that the reader gave it, or what it learns. */
export function runTitle(record: Pick<RunRecord, 'name' | 'text'>, words: Words): string {
  return record.name === '' ? textTitle(record, words) : record.name;
}

/** What a run learns: a sample text, a file, or a text of one's own. */
export function textTitle({ text }: Pick<RunRecord, 'text'>, words: Words): string {
  if (text.source !== 'own') return words.t(`text.${text.source}`);
  return text.fileName === '' ? words.t('runs.own') : text.fileName;
}
