/**
 * The note that explains one word: what it means in plain words, its formula, and where to read on.
 * It floats above the page beside the word; Escape, its button or a press elsewhere closes it.
 */
import { gap } from '../../i18n/index.ts';
import type { Words } from '../../i18n/index.ts';
import { disclosure, el, freshId } from '../../kit/dom.ts';
import type { Disclosure } from '../../kit/dom.ts';
import { placeBeside, whileMoving } from '../../kit/place-beside.ts';
import { pressedTerm } from '../../kit/term.ts';
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
  readonly #title = el('h2', { id: freshId('term') });
  readonly #body = el('div', { class: 'term-words' });
  readonly #formula = el('div', { class: 'term-formula', tabindex: 0 });
  readonly #more: Disclosure;
  readonly #entry = el('a', { target: '_blank', rel: 'noopener' });
  readonly #all = el('a', { target: '_blank', rel: 'noopener' });
  readonly #links = el('p', { class: 'term-links' }, this.#entry, this.#all);
  readonly #note: HTMLElement;
  /** In the top layer nothing can cover it; browsers without it get an ordinary layer. */
  readonly #isLayered: boolean;
  /** The word that it is about; null while it is closed. */
  #anchor: HTMLElement | null = null;
  #stopFollowing: (() => void) | null = null;

  /** Creates the note in `container`; it is closed. */
  constructor(container: HTMLElement, words: Words) {
    const { t } = words;
    this.#words = words;
    this.#all.append(t('glossary.all'));
    // Once opened, formulas are open for the next word, too.
    this.#more = disclosure('term-more', t('glossary.formula'), () => this.#place(), this.#formula);
    this.#note = this.#create();
    this.#note.hidden = true;
    container.append(this.#note);
    this.#isLayered = typeof this.#note.showPopover === 'function';
    if (this.#isLayered) this.#note.setAttribute('popover', 'manual');
  }

  /** Shows `text` beside `button`, which gets the focus back at the end. */
  open(button: HTMLElement, text: TermText): void {
    this.#hide(false);
    this.#anchor = button;
    this.#fill(text);
    this.#note.hidden = false;
    if (this.#isLayered) this.#note.showPopover();
    this.#place();
    this.#stopFollowing = whileMoving(() => this.#place());
    document.addEventListener('pointerdown', this.#outside, true);
    document.addEventListener('keydown', this.#escape, true);
    this.#note.focus({ preventScroll: true });
  }

  close(): void {
    this.#hide(true);
  }

  destroy(): void {
    this.#hide(false);
    this.#note.remove();
  }

  #create(): HTMLElement {
    const name = this.#words.t('glossary.close');
    const close = el('button', { type: 'button', class: 'note-close', title: name }, '×');
    close.setAttribute('aria-label', name);
    close.addEventListener('click', () => this.#hide(true));
    const note = el(
      'div',
      { class: 'term-note', role: 'dialog', 'aria-labelledby': this.#title.id, tabindex: -1 },
      el('div', { class: 'note-head' }, this.#title, close),
      ...[this.#body, this.#more.root, this.#links],
    );
    // Tab leads out of the note to wherever it leads: then the note has been read.
    note.addEventListener('focusout', (event) => {
      const to = event.relatedTarget;
      if (to instanceof Node && !note.contains(to)) this.#hide(false);
    });
    return note;
  }

  #fill(text: TermText): void {
    const { t } = this.#words;
    this.#title.textContent = text.name;
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

  #place(): void {
    if (this.#anchor !== null) placeBeside(this.#note, this.#anchor);
  }

  #hide(refocus: boolean): void {
    if (this.#anchor === null) return;
    const back = this.#anchor;
    this.#anchor = null;
    this.#stopFollowing?.();
    this.#stopFollowing = null;
    document.removeEventListener('pointerdown', this.#outside, true);
    document.removeEventListener('keydown', this.#escape, true);
    if (this.#isLayered) this.#note.hidePopover();
    this.#note.hidden = true;
    if (refocus) back.focus();
  }

  readonly #outside = (event: PointerEvent): void => {
    const path = event.composedPath();
    if (path.includes(this.#note)) return;
    if (this.#anchor !== null && path.includes(this.#anchor)) return;
    this.#hide(false);
    // A finger has no other way to put the note away: what it happens to touch is not meant, but
    // for another word, and for what runs the training.
    const isMeant = pressedTerm(event) !== null || path.some(isControl);
    if (event.pointerType !== 'touch' || isMeant) return;
    event.stopPropagation();
    document.addEventListener('touchend', swallow, { capture: true, once: true, passive: false });
  };

  readonly #escape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    this.#hide(true);
  };
}

/** Without this end of the touch there is no press. */
function swallow(event: Event): void {
  if (event.cancelable) event.preventDefault();
}

/** Start, Pause and their like, which are always at hand. */
function isControl(target: EventTarget): boolean {
  return target instanceof HTMLElement && target.dataset['control'] !== undefined;
}
