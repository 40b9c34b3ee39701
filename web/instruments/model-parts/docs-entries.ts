/** Loads the entries of the documentation, which are large, separately from the other code. */
import type * as Entries from 'virtual:docs-entries/en';
import { docsLang } from '../../i18n/index.ts';
import type { DocsLang, Lang } from '../../i18n/index.ts';

const LOADERS: Readonly<Record<DocsLang, () => Promise<typeof Entries>>> = {
  en: () => import('virtual:docs-entries/en'),
  zh: () => import('virtual:docs-entries/zh'),
};

export function loadEntries(lang: Lang): Promise<typeof Entries> {
  return LOADERS[docsLang(lang)]();
}
