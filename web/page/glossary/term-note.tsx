/** The note of a term: plain words and an example, the formula, links to the documentation. */
import type { ShownTerm } from '../../docs/shown-term.ts';
import { docsLang, gap } from '../../i18n/index.ts';
import type { PanelContext } from '../../instruments/panel.ts';
import { FloatingNote } from '../../kit/floating-note.tsx';
import { Fold } from '../../kit/fold.tsx';
import { Folds } from '../../kit/folds.ts';
import { Html } from '../../kit/html.tsx';
import { render } from '../../kit/render.ts';

export interface TermNoteProps {
  /** The button of the term. */
  readonly anchor: HTMLElement;
  readonly term: ShownTerm;
  /** MathML; null if the term has no formula. */
  readonly formula: string | null;
  readonly context: Pick<PanelContext, 'words' | 'site' | 'kept'>;
}

/** Shows the note in `container`, in place of the last one. */
export function showTerm(container: HTMLElement, props: TermNoteProps): void {
  const close = (): void => render(null, container);
  render(<TermNote key={props.term.id} {...props} onClose={close} />, container);
}

function TermNote(props: TermNoteProps & { readonly onClose: () => void }) {
  const { anchor, term, formula, context, onClose } = props;
  const { words, site, kept } = context;
  const { t } = words;
  const title = t('glossary.formula');
  return (
    <FloatingNote anchor={anchor} title={term.name} close={t('glossary.close')} onClose={onClose}>
      <Html tag="div" class="term-words" html={term.words} />
      {formula === null ? null : (
        <Fold kind="term-more" title={title} open={kept(Folds).isOpen('term')}>
          {() => (
            <div class="term-formula" tabIndex={0} role="group" aria-label={title}>
              <Html tag="div" html={formula + term.symbols} />
            </div>
          )}
        </Fold>
      )}
      {site === null ? null : (
        <p class="term-links">
          <a href={new URL(term.href, site).href} target="_blank" rel="noopener">
            {t('glossary.entry')}
            {gap(words)}
            <Html tag="span" html={term.entry} />
          </a>
          <a
            href={new URL(`docs/${docsLang(words.lang)}/glossary.html#term-${term.id}`, site).href}
            target="_blank"
            rel="noopener"
          >
            {t('glossary.all')}
          </a>
        </p>
      )}
    </FloatingNote>
  );
}
