/**
 * A note that floats above the page beside its anchor. Escape, its button or a press elsewhere
 * closes it; the first two return the focus to the anchor.
 */
import { el, freshId } from './dom.ts';
import { placeBeside, whileMoving } from './place-beside.ts';
import { pressedTerm } from './term.ts';

export class FloatingNote {
  readonly title = el('h2', { id: freshId('note') });
  readonly #note: HTMLElement;
  /** Whether the note is in the top layer, above everything; false in browsers without popovers. */
  readonly #isLayered: boolean;
  /** The element that the note explains; null while the note is closed. */
  #anchor: HTMLElement | null = null;
  #stopFollowing: (() => void) | null = null;

  /** Creates the closed note in `container`. `close`: name of the button that closes it. */
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
    // Closes the note when Tab moves the focus out of it.
    this.#note.addEventListener('focusout', (event) => {
      const to = event.relatedTarget;
      if (to instanceof Node && !this.#note.contains(to)) this.#hide(false);
    });
    this.#note.hidden = true;
    container.append(this.#note);
    this.#isLayered = typeof this.#note.showPopover === 'function';
    if (this.#isLayered) this.#note.setAttribute('popover', 'manual');
  }

  /**
   * Opens the note beside `anchor`, which gets the focus when the note closes. `fill` sets the
   * contents.
   */
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

  /** Positions the note again after a change of its size. */
  place(): void {
    if (this.#anchor !== null) placeBeside(this.#note, this.#anchor);
  }

  /** Closes the note without moving the focus. */
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
    // On touch screens a press elsewhere only closes the note. Presses on another term or a control
    // have their usual effect.
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

/** Cancels the end of a touch, so that it causes no click. */
function swallow(event: Event): void {
  if (event.cancelable) event.preventDefault();
}

/** Whether an element is a control of the run bar, which must always react, or a text mark. */
function isControl(target: EventTarget): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.dataset['control'] !== undefined || target.classList.contains('text-mark');
}
