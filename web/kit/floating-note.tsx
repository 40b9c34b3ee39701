/**
 * A dialog that floats above the page beside the element that it explains. Escape, its button or a
 * press elsewhere closes it; the first two return the focus to that element.
 */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { keyOf } from './keys.ts';
import { placeBeside, whileMoving } from './place-beside.ts';
import { pressedTerm } from './term.ts';
import { useEvents } from './use-events.ts';
import { useFreshId } from './use-id.ts';

export interface FloatingNoteProps {
  /** The explained element. */
  readonly anchor: HTMLElement;
  readonly title: string;
  /** Accessible name of the button that closes the note. */
  readonly close: string;
  /** Called to close the note, perhaps more than once: the parent stops rendering it. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function FloatingNote({ anchor, title, close, onClose, children }: FloatingNoteProps) {
  const id = useFreshId('note');
  const box = useRef<HTMLDivElement>(null);
  const closeAndReturn = (): void => {
    onClose();
    anchor.focus();
  };
  useLayoutEffect(() => {
    const note = box.current!;
    const place = (): void => placeBeside(note, anchor);
    // A popover is in the top layer, which covers all else; older browsers show a fixed box.
    if (typeof note.showPopover === 'function') note.showPopover();
    place();
    const stopFollowing = whileMoving(place);
    const resized = new ResizeObserver(place);
    resized.observe(note);
    note.focus({ preventScroll: true });
    return () => {
      stopFollowing();
      resized.disconnect();
    };
  }, [anchor]);
  useEvents(
    document,
    {
      pointerdown: (event) => {
        const path = event.composedPath();
        if (path.includes(box.current!) || path.includes(anchor)) return;
        onClose();
        // A touch only closes the note, unless it is on a term, a mark or a control of the run.
        const isMeant = pressedTerm(event) !== null || path.some(isControl);
        if (event.pointerType !== 'touch' || isMeant) return;
        event.stopPropagation();
        const options = { capture: true, once: true, passive: false };
        document.addEventListener('touchend', swallow, options);
      },
      keydown: (event) => {
        if (keyOf(event) !== 'Escape') return;
        event.preventDefault();
        closeAndReturn();
      },
    },
    true,
  );
  return (
    <div
      ref={box}
      class="term-note"
      role="dialog"
      aria-labelledby={id}
      tabIndex={-1}
      popover="manual"
      onFocusOut={({ relatedTarget }) => {
        const isOutside = relatedTarget instanceof Node && !box.current?.contains(relatedTarget);
        if (isOutside) onClose();
      }}
    >
      <div class="note-head">
        <h2 id={id}>{title}</h2>
        <button
          type="button"
          class="note-close"
          title={close}
          aria-label={close}
          onClick={closeAndReturn}
        >
          ×
        </button>
      </div>
      {children}
    </div>
  );
}

/** Cancels the end of a touch, so that the browser makes no click of it. */
function swallow(event: Event): void {
  if (event.cancelable) event.preventDefault();
}

/** Whether an element is a control of the run, such as Start, or a mark in a text. */
function isControl(target: EventTarget): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.dataset['control'] !== undefined || target.classList.contains('text-mark');
}
