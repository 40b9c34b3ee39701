/**
 * The note that explains one word: what it means in plain words, its formula, and where to read on.
 */
import { gap } from '../../i18n/index.ts';
import type { Words } from '../../i18n/index.ts';
import { disclosure, el } from '../../kit/dom.ts';
import type { Disclosure } from '../../kit/dom.ts';
import { FloatingNote } from '../../kit/floating-note.ts';
import { setHtml } from '../../kit/trusted-html.ts';

/** What the note says; the HTML was made when the site was built. */
export interface TermText {
  readonly name: string;
  readonly words: string;
  readonly formula: string | null;
  readonly symbols: string;
  readonly entry: string;
  /** Address of the entry, and of all terms; null where there is no documentation to lead to. */
  readonly href: string | null;
  readonly allHref: string | null;
}

export class TermNote {
  readonly #words: Words;
  readonly #body = el('div', { class: 'term-words' });
  readonly #formula = el('div', { class: 'term-formula', tabindex: 0 });
  readonly #more: Disclosure;
  readonly #entry = el('a', { target: '_blank', rel: 'noopener' });
  readonly #all = el('a', { target: '_blank', rel: 'noopener' });
  readonly #links = el('p', { class: 'term-links' }, this.#entry, this.#all);
  readonly #note: FloatingNote;

  /** Creates the note in `container`; it is closed. */
  constructor(container: HTMLElement, words: Words) {
    const { t } = words;
    this.#words = words;
    this.#all.append(t('glossary.all'));
    // Once opened, formulas are open for the next word, too.
    this.#more = disclosure(
      'term-more',
      t('glossary.formula'),
      () => this.#note.place(),
      this.#formula,
    );
    const parts = [this.#body, this.#more.root, this.#links];
    this.#note = new FloatingNote(container, t('glossary.close'), ...parts);
  }

  /** Shows `text` beside `button`, which gets the focus back at the end. */
  open(button: HTMLElement, text: TermText): void {
    this.#note.open(button, () => this.#fill(text));
  }

  destroy(): void {
    this.#note.destroy();
  }

  #fill(text: TermText): void {
    const { t } = this.#words;
    this.#note.title.textContent = text.name;
    setHtml(this.#body, text.words);
    setHtml(this.#formula, `${text.formula ?? ''}${text.symbols}`);
    this.#more.root.hidden = text.formula === null;
    this.#formula.setAttribute('aria-label', t('glossary.formula'));
    this.#formula.setAttribute('role', 'group');
    setHtml(this.#entry, text.entry);
    this.#entry.prepend(t('glossary.entry'), gap(this.#words));
    this.#links.hidden = text.href === null || text.allHref === null;
    this.#entry.href = text.href ?? '';
    this.#all.href = text.allHref ?? '';
  }
}
