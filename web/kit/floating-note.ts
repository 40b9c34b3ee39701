/**
 * A note that floats above the page beside what it speaks of. Escape, its button or a press
 * elsewhere closes it, and the focus goes back to where it came from.
 */
import { el, freshId } from './dom.ts';
import { placeBeside, whileMoving } from './place-beside.ts';
import { pressedTerm } from './term.ts';

export class FloatingNote {
  readonly title = el('h2', { id: freshId('note') });
  readonly #note: HTMLElement;
  /** In the top layer nothing can cover it; browsers without it get an ordinary layer. */
  readonly #isLayered: boolean;
  /** What it speaks of; null while it is closed. */
  #anchor: HTMLElement | null = null;
  #stopFollowing: (() => void) | null = null;

  /** Creates the note in `container`; it is closed. `close` names the button that closes it. */
  constructor(container: HTMLElement, close: string, ...parts: readonly HTMLElement[]) {
    const button = el('button', { type: 'button', class: 'note-close', title: close }, '×');
    button.setAttribute('aria-label', close);
    button.addEventListener('click', () => this.#hide(true));
    this.#note = el(
      'div',
      { class: 'term-note', role: 'dialog', 'aria-labelledby': this.title.id, tabindex: -1 },
      el('div', { class: 'note-head' }, this.title, button),
      ...parts,
    );
    // Tab leads out of the note to wherever it leads: then the note has been read.
    this.#note.addEventListener('focusout', (event) => {
      const to = event.relatedTarget;
      if (to instanceof Node && !this.#note.contains(to)) this.#hide(false);
    });
    this.#note.hidden = true;
    container.append(this.#note);
    this.#isLayered = typeof this.#note.showPopover === 'function';
    if (this.#isLayered) this.#note.setAttribute('popover', 'manual');
  }

  /** Shows it beside `anchor`, which gets the focus back at the end; `fill` says what is in it. */
  open(anchor: HTMLElement, fill: () => void): void {
    this.#hide(false);
    this.#anchor = anchor;
    fill();
    this.#note.hidden = false;
    if (this.#isLayered) this.#note.showPopover();
    this.place();
    this.#stopFollowing = whileMoving(() => this.place());
    document.addEventListener('pointerdown', this.#outside, true);
    document.addEventListener('keydown', this.#escape, true);
    this.#note.focus({ preventScroll: true });
  }

  /** Where it stands after its size has changed. */
  place(): void {
    if (this.#anchor !== null) placeBeside(this.#note, this.#anchor);
  }

  /** Closes it; the focus goes elsewhere. */
  close(): void {
    this.#hide(false);
  }

  destroy(): void {
    this.#hide(false);
    this.#note.remove();
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

/** Start, Pause and their like, which are always at hand; and marks in texts, with their notes. */
function isControl(target: EventTarget): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.dataset['control'] !== undefined || target.classList.contains('text-mark');
}
