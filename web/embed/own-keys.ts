/**
 * Stops key events that a control or a scroll box in the shadow tree uses: the surrounding page
 * would see them on the element itself, and turn its slides while somebody types. Stops the whole
 * press, from its `keydown` to its `keyup`.
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

/** Directions in which keys scroll a box: 1 is right and down. */
const SCROLLED: Readonly<Record<string, readonly [axis: 'x' | 'y', direction: 1 | -1]>> = {
  ArrowLeft: ['x', -1],
  ArrowRight: ['x', 1],
  ArrowUp: ['y', -1],
  ArrowDown: ['y', 1],
  PageUp: ['y', -1],
  PageDown: ['y', 1],
  Home: ['y', -1],
  End: ['y', 1],
  ' ': ['y', 1],
};

/** True if the key scrolls the focused element, or a box around it, further. */
function scrolls(focused: Element, { key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent) {
  const scrolled = SCROLLED[key];
  if (!scrolled || altKey || ctrlKey || metaKey) return false;
  const [axis, forwards] = scrolled;
  const direction = key === ' ' && shiftKey ? -1 : forwards;
  for (let box: Element | null = focused; box; box = box.parentElement) {
    const { overflowX, overflowY, direction: reading } = getComputedStyle(box);
    const [overflow, position, hidden] =
      axis === 'x'
        ? [overflowX, box.scrollLeft, box.scrollWidth - box.clientWidth]
        : [overflowY, box.scrollTop, box.scrollHeight - box.clientHeight];
    // From right to left, `scrollLeft` runs from minus `hidden` to 0.
    const before = axis === 'x' && reading === 'rtl' ? hidden + position : position;
    const rest = direction < 0 ? before : hidden - before;
    // A box with less than 1 pixel left is at its end: positions have fractions, sizes do not.
    if (rest >= 1 && /auto|scroll/.test(overflow)) return true;
  }
  return false;
}

function isUsed(event: KeyboardEvent): boolean {
  const { target, key, defaultPrevented } = event;
  if (!(target instanceof Element)) return false;
  const takes = ([selector, keys]: (typeof PRESSED)[number]): boolean =>
    keys.includes(key) && target.matches(selector);
  // A picture or a list of tabs that handled the key has prevented its default.
  return defaultPrevented || target.matches(TYPED) || PRESSED.some(takes) || scrolls(target, event);
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
    const { type, code, repeat } = pressed;
    const isOfPress = type === 'keypress' || repeat;
    // While a key that scrolls a box is held down, its repeats stay inside the element, even after
    // the box has reached its end.
    if (!(isOfPress && down.has(code)) && (type === 'keypress' || !isUsed(pressed))) return;
    event.stopPropagation();
    down.add(code);
    addEventListener('keyup', release, true);
    addEventListener('blur', forget);
  };
  for (const type of ['keydown', 'keypress']) root.addEventListener(type, keep);
}
