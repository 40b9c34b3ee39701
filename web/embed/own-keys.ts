/**
 * Stops key events that a control in the shadow tree uses: the surrounding page would see them on
 * the element itself, and turn its slides while somebody types.
 */

/** Controls that use any key. */
const TYPED =
  'textarea, select, input:not([type=button], [type=checkbox], [type=radio], [type=range], [type=file])';

/** Controls that use certain keys. */
const PRESSED: readonly (readonly [selector: string, keys: readonly string[]])[] = [
  ['button, summary, a[href], input', [' ', 'Enter']],
  ['input[type=radio]', ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']],
  [
    'input[type=range]',
    ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown'],
  ],
];

export function keepKeys(root: ShadowRoot): void {
  const keep = (event: Event): void => {
    const { target, key, defaultPrevented } = event as KeyboardEvent;
    if (!(target instanceof Element)) return;
    const takes = ([selector, keys]: (typeof PRESSED)[number]): boolean =>
      keys.includes(key) && target.matches(selector);
    // A picture or a list of tabs that handled the key has prevented its default.
    if (defaultPrevented || target.matches(TYPED) || PRESSED.some(takes)) event.stopPropagation();
  };
  for (const type of ['keydown', 'keypress', 'keyup']) root.addEventListener(type, keep);
}
