/** Explains terms of the page when they are pressed. The explanations load when first needed. */
import type { ShownTerm, TermFormulas } from '../../docs/shown-term.ts';
import { docsLang } from '../../i18n/index.ts';
import type { DocsLang, Lang } from '../../i18n/index.ts';
import type { PanelContext } from '../../instruments/panel.ts';
import { ignore } from '../../engine/errors.ts';
import { render } from '../../kit/render.ts';
import { pressedTerm } from '../../kit/term.ts';
import type { showTerm } from './term-note.tsx';

const LOADERS: Readonly<Record<DocsLang, () => Promise<{ default: readonly ShownTerm[] }>>> = {
  en: () => import('virtual:glossary/en'),
  zh: () => import('virtual:glossary/zh'),
};

interface Glossary {
  readonly showTerm: typeof showTerm;
  readonly terms: readonly ShownTerm[];
  readonly formulas: TermFormulas;
}

async function load(lang: Lang): Promise<Glossary> {
  const [terms, formulas, { showTerm }] = await Promise.all([
    LOADERS[docsLang(lang)](),
    import('virtual:glossary/formulas'),
    import('./term-note.tsx'),
  ]);
  return { terms: terms.default, formulas: formulas.default, showTerm };
}

/** Explains pressed terms of `main` until destroyed. Without a `site`, notes have no links. */
export function createGlossary(
  main: HTMLElement,
  context: Pick<PanelContext, 'words' | 'site' | 'kept'>,
): { destroy: () => void } {
  const container = document.createElement('div');
  container.style.display = 'contents';
  main.append(container);
  const press = (event: Event): void => {
    const pressed = pressedTerm(event);
    if (pressed === null) return;
    load(context.words.lang).then(({ terms, formulas, showTerm }) => {
      const term = terms.find(({ id }) => id === pressed.id);
      if (!container.isConnected || term === undefined) return;
      const formula = formulas[term.id] ?? null;
      showTerm(container, { anchor: pressed.button, term, formula, context });
      // Loading fails without a network; the next press tries again.
    }, ignore);
  };
  main.addEventListener('click', press);
  return {
    destroy: () => {
      main.removeEventListener('click', press);
      render(null, container);
      container.remove();
    },
  };
}

/** Loads the explanations, so that the page needs no network for them later. */
export function preloadGlossary(lang: Lang): void {
  load(lang).catch(ignore);
}
