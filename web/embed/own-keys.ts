/**
 * Stops key events that a control in the shadow tree uses: the surrounding page would see them on
 * the element itself, and turn its slides while somebody types. What is stopped is the whole press,
 * from its `keydown` to its `keyup`.
 */

/** Controls that use any key. */
const TYPED =
  'textarea, select, input:not([type=button], [type=checkbox], [type=radio], [type=range], [type=file])';

/** Controls that use certain keys. */
const PRESSED: readonly (readonly [selector: string, keys: readonly string[]])[] = [
  ['button, summary, input', [' ', 'Enter']],
  ['a[href]', ['Enter']],
  // The browser closes a modal dialog.
  ['dialog[open], dialog[open] *', ['Escape']],
  ['input[type=radio]', ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']],
  [
    'input[type=range]',
    ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown'],
  ],
];

function isUsed({ target, key, defaultPrevented }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  const takes = ([selector, keys]: (typeof PRESSED)[number]): boolean =>
    keys.includes(key) && target.matches(selector);
  // A picture or a list of tabs that handled the key has prevented its default.
  return defaultPrevented || target.matches(TYPED) || PRESSED.some(takes);
}

export function keepKeys(root: ShadowRoot): void {
  /** Codes of the used keys that are still down. */
  const down = new Set<string>();
  // On the window, because the press may have moved the focus out of the element.
  const release = (event: KeyboardEvent): void => {
    if (down.delete(event.code)) event.stopImmediatePropagation();
    if (down.size === 0) forget();
  };
  // A key that is released in another window sends no `keyup`.
  const forget = (): void => {
    down.clear();
    removeEventListener('keyup', release, true);
    removeEventListener('blur', forget);
  };
  const keep = (event: Event): void => {
    const pressed = event as KeyboardEvent;
    const { type, code } = pressed;
    if (type === 'keypress' ? !down.has(code) : !isUsed(pressed)) return;
    event.stopPropagation();
    down.add(code);
    addEventListener('keyup', release, true);
    addEventListener('blur', forget);
  };
  for (const type of ['keydown', 'keypress']) root.addEventListener(type, keep);
}
