/**
 * Explains the words of the page where they are pressed; the explanations come when first needed.
 */
import type { ShownTerm, TermFormulas } from '../../docs/shown-term.ts';
import type { Lang, Words } from '../../i18n/index.ts';
import { TermNote } from './view.ts';
import { pressedTerm } from '../../kit/term.ts';

const LOADERS: Readonly<Record<Lang, () => Promise<{ default: readonly ShownTerm[] }>>> = {
  en: () => import('virtual:glossary/en'),
  zh: () => import('virtual:glossary/zh'),
};

/** All terms in one language, and their formulas. */
async function load(lang: Lang): Promise<[terms: readonly ShownTerm[], formulas: TermFormulas]> {
  const parts = await Promise.all([LOADERS[lang](), import('virtual:glossary/formulas')]);
  return [parts[0].default, parts[1].default];
}

/**
 * Listens for presses of terms within `main`, until destroyed. Notes lead on to the documentation
 * below `site`; nowhere when that is null.
 */
export function createGlossary(
  main: HTMLElement,
  words: Words,
  site: string | null,
): { destroy: () => void } {
  const note = new TermNote(main, words);
  let destroyed = false;
  const press = (event: Event): void => {
    const pressed = pressedTerm(event);
    if (pressed === null) return;
    load(words.lang).then(
      ([terms, formulas]) => {
        const term = terms.find(({ id }) => id === pressed.id);
        if (destroyed || term === undefined) return;
        const address = (path: string): string | null =>
          site === null ? null : new URL(path, site).href;
        const all = `docs/${words.lang}/glossary.html#term-${term.id}`;
        note.open(pressed.button, {
          ...term,
          formula: formulas[term.id] ?? null,
          href: address(term.href),
          allHref: address(all),
        });
      },
      // Without a network there is no explanation; pressing again tries again.
      () => undefined,
    );
  };
  main.addEventListener('click', press);
  return {
    destroy: () => {
      destroyed = true;
      main.removeEventListener('click', press);
      note.destroy();
    },
  };
}

/** Fetches the explanations, so that nothing is asked of the network once the page is ready. */
export function preloadGlossary(lang: Lang): void {
  void load(lang).catch(() => undefined);
}
