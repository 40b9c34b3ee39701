/** Pages scale and zoom what they hold: what is seen has another size than the styles say. */

/** How many pixels of the window one of `element`'s own takes. */
export function scaleOf(element: HTMLElement): number {
  const { width } = element.getBoundingClientRect();
  const { offsetWidth } = element;
  // A part of a pixel is rounding.
  return offsetWidth === 0 || Math.abs(width - offsetWidth) < 1 ? 1 : width / offsetWidth;
}

/** Where a pointer is on `element`, in the element's own pixels. */
export function placeOn(
  element: HTMLElement,
  { clientX, clientY }: MouseEvent,
): { readonly x: number; readonly y: number } {
  const { left, top } = element.getBoundingClientRect();
  const scale = scaleOf(element);
  return { x: (clientX - left) / scale, y: (clientY - top) / scale };
}
