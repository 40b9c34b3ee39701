/** Where something that floats above the page stands: beside what it speaks of, within the window. */

const GAP = 8;

/**
 * Puts `note` (position: fixed) below `anchor`, or above it where there is no room, never over the
 * window's edge, nor over what `covered` says is taken at the bottom (in CSS pixels).
 */
export function placeBeside(note: HTMLElement, anchor: Element, covered = 0): void {
  const view = note.ownerDocument.documentElement;
  const around = anchor.getBoundingClientRect();
  const { width, height } = note.getBoundingClientRect();
  const right = view.clientWidth - GAP;
  const bottom = view.clientHeight - covered - GAP;
  const left = Math.max(GAP, Math.min(around.left, right - width));
  const below = around.bottom + GAP;
  const above = around.top - GAP - height;
  const top = below + height <= bottom || above < GAP ? below : above;
  note.style.left = `${String(Math.round(left))}px`;
  note.style.top = `${String(Math.round(Math.max(GAP, Math.min(top, bottom - height))))}px`;
}

/**
 * Puts `note` (position: fixed) to the side of a whole `section`, or, where the window is too narrow for
 * that, at its lower edge, above what `covered` says is taken there. At the side it stands below
 * `free`, which it must not cover.
 */
export function placeAtSide(
  note: HTMLElement,
  section: Element,
  covered = 0,
  free: DOMRect | null = null,
): void {
  const view = note.ownerDocument.documentElement;
  const around = section.getBoundingClientRect();
  const { width, height } = note.getBoundingClientRect();
  const lowest = view.clientHeight - covered - GAP - height;
  const right = around.right + GAP;
  const left = around.left - GAP - width;
  const levelAt = (x: number): number => {
    const beside = free === null || x >= free.right || x + width <= free.left;
    const highest = beside || free.bottom <= 0 ? GAP : free.bottom + GAP;
    return Math.max(GAP, Math.min(Math.max(highest, around.top), lowest));
  };
  let place = { x: Math.max(GAP, (view.clientWidth - width) / 2), y: Math.max(GAP, lowest) };
  if (right + width <= view.clientWidth) place = { x: right, y: levelAt(right) };
  else if (left >= GAP) place = { x: left, y: levelAt(left) };
  note.style.left = `${String(Math.round(place.x))}px`;
  note.style.top = `${String(Math.round(place.y))}px`;
}

/** Calls `place` whenever something may have moved, until the function that it returns is called. */
export function whileMoving(place: () => void): () => void {
  const options = { capture: true, passive: true } as const;
  window.addEventListener('scroll', place, options);
  window.addEventListener('resize', place);
  return () => {
    window.removeEventListener('scroll', place, options);
    window.removeEventListener('resize', place);
  };
}
