/** Loads the entries of the documentation, which are large, separately from the other code. */
import type * as Entries from 'virtual:docs-entries/en';
import type { Lang } from '../../i18n/index.ts';

export function loadEntries(lang: Lang): Promise<typeof Entries> {
  return lang === 'zh' ? import('virtual:docs-entries/zh') : import('virtual:docs-entries/en');
}
