/** CSS scale and zoom of an element: on screen its size differs from the one in its styles. */

/** Window pixels per pixel of `element`. */
export function scaleOf(element: HTMLElement): number {
  const { width } = element.getBoundingClientRect();
  const { offsetWidth } = element;
  // A difference below one pixel is rounding.
  return offsetWidth === 0 || Math.abs(width - offsetWidth) < 1 ? 1 : width / offsetWidth;
}

/** Position of a pointer in the pixels of `element`. */
export function placeOn(
  element: HTMLElement,
  { clientX, clientY }: MouseEvent,
): { readonly x: number; readonly y: number } {
  const { left, top } = element.getBoundingClientRect();
  const scale = scaleOf(element);
  return { x: (clientX - left) / scale, y: (clientY - top) / scale };
}
