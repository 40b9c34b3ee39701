/** Loads parts of an app in advance, so that later use needs no network. */
import { SITE } from '../base/form.ts';
import { ignore } from '../engine/errors.ts';
import { LANGS, loadAllWords } from '../i18n/index.ts';
import type { Lang } from '../i18n/index.ts';
import type { AppOptions } from './app-options.ts';
import { preloadGlossary } from './glossary/glossary.ts';
import { preloadTabs } from './tab-section.tsx';

/** Whether the browser's data saver is on; false where unknown. Only Chromium tells. */
export function savesData(): boolean {
  const { connection } = navigator as { connection?: { readonly saveData?: boolean } };
  return connection?.saveData === true;
}

/** `engine`: has the worker fetch what it needs later; null for nothing. */
export function preloadRest(
  { home, preloadQuestions }: AppOptions,
  { lang, hasTabs, engine }: { lang: Lang; hasTabs: boolean; engine: (() => void) | null },
): void {
  engine?.();
  // A change of language must not need the network.
  for (const one of LANGS) void loadAllWords(one).catch(ignore);
  if (hasTabs) {
    preloadTabs(lang);
    preloadQuestions?.();
  }
  // Elements in other pages load the glossary at the first press of a term.
  if (home !== undefined) preloadGlossary(lang);
  if (SITE) void import('./awake.ts').catch(ignore);
}
