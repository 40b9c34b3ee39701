/**
 * The note that explains one word: what it means in plain words, its formula, and where to read on.
 * It floats above the page beside the word; Escape, its button or a press elsewhere closes it.
 */
import { gap } from '../../i18n/index.ts';
import type { Words } from '../../i18n/index.ts';
import { disclosure, el, freshId } from '../../kit/dom.ts';
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

export interface TermNote {
  /** Shows `text` beside `button`, which gets the focus back at the end. */
  open(button: HTMLElement, text: TermText): void;
  close(): void;
  destroy(): void;
}

/** Creates the note in `container`; it is closed. */
export function createTermNote(
  container: HTMLElement,
  options: { readonly words: Words },
): TermNote {
  const { t } = options.words;
  const titleId = freshId('term');
  const title = el('h2', { id: titleId });
  const close = el('button', { type: 'button', class: 'note-close', title: t('glossary.close') });
  close.setAttribute('aria-label', t('glossary.close'));
  close.append('×');
  const body = el('div', { class: 'term-words' });
  const formula = el('div', { class: 'term-formula', tabindex: 0 });
  let place = (): void => undefined;
  // Once opened, formulas are open for the next word, too.
  const more = disclosure(
    'term-more',
    t('glossary.formula'),
    () => {
      place();
    },
    formula,
  );
  const entry = el('a', { target: '_blank', rel: 'noopener' });
  const all = el('a', { target: '_blank', rel: 'noopener' }, t('glossary.all'));
  const links = el('p', { class: 'term-links' }, entry, all);
  const note = el(
    'div',
    { class: 'term-note', role: 'dialog', 'aria-labelledby': titleId, tabindex: -1 },
    el('div', { class: 'note-head' }, title, close),
    body,
    more.root,
    links,
  );
  note.hidden = true;
  container.append(note);
  // In the top layer nothing can cover it; browsers without it get an ordinary layer.
  const layered = typeof note.showPopover === 'function';
  if (layered) note.setAttribute('popover', 'manual');

  let anchor: HTMLElement | null = null;
  let stopFollowing: (() => void) | null = null;

  const outside = (event: PointerEvent): void => {
    const path = event.composedPath();
    if (path.includes(note) || (anchor !== null && path.includes(anchor))) return;
    hide(false);
    // A finger has no other way to put the note away: what it happens to touch is not meant, but
    // for another word, and for what runs the training.
    const isMeant = pressedTerm(event) !== null || path.some(isControl);
    if (event.pointerType !== 'touch' || isMeant) return;
    event.stopPropagation();
    document.addEventListener('touchend', swallow, { capture: true, once: true, passive: false });
  };
  // Without this end of the touch there is no press.
  const swallow = (event: Event): void => {
    if (event.cancelable) event.preventDefault();
  };
  const escape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    hide(true);
  };

  function hide(refocus: boolean): void {
    if (anchor === null) return;
    const back = anchor;
    anchor = null;
    stopFollowing?.();
    stopFollowing = null;
    document.removeEventListener('pointerdown', outside, true);
    document.removeEventListener('keydown', escape, true);
    if (layered) note.hidePopover();
    note.hidden = true;
    if (refocus) back.focus();
  }

  close.addEventListener('click', () => {
    hide(true);
  });
  // Tab leads out of the note to wherever it leads: then the note has been read.
  note.addEventListener('focusout', (event) => {
    const to = event.relatedTarget;
    if (to instanceof Node && !note.contains(to)) hide(false);
  });

  return {
    open(button, text) {
      hide(false);
      anchor = button;
      title.textContent = text.name;
      setHtml(body, text.words);
      setHtml(formula, `${text.formula ?? ''}${text.symbols}`);
      more.root.hidden = text.formula === null;
      formula.setAttribute('aria-label', t('glossary.formula'));
      formula.setAttribute('role', 'group');
      setHtml(entry, text.entry);
      entry.prepend(t('glossary.entry'), gap(options.words));
      links.hidden = text.href === null || text.allHref === null;
      entry.href = text.href ?? '';
      all.href = text.allHref ?? '';
      note.hidden = false;
      if (layered) note.showPopover();
      place = (): void => {
        placeBeside(note, button);
      };
      place();
      stopFollowing = whileMoving(place);
      document.addEventListener('pointerdown', outside, true);
      document.addEventListener('keydown', escape, true);
      note.focus({ preventScroll: true });
    },
    close() {
      hide(true);
    },
    destroy() {
      hide(false);
      note.remove();
    },
  };
}

/** Start, Pause and their like, which are always at hand. */
function isControl(target: EventTarget): boolean {
  return target instanceof HTMLElement && target.dataset['control'] !== undefined;
}
