/** Reads the key of a keyboard event. */

/**
 * The keyCode of a key that an input method handles. Safari sets nothing else on the Enter that
 * ends a composition.
 */
const COMPOSING = 229;

/**
 * The key of a keydown event; empty if the key belongs to an input method, which ends or cancels a
 * composition by Enter or Escape, or if another handler has used it.
 */
export function keyOf(event: KeyboardEvent): string {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing else says it in Safari
  const isComposed = event.isComposing || event.keyCode === COMPOSING;
  return isComposed || event.defaultPrevented ? '' : event.key;
}
