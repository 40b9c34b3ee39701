/**
 * Keys that are meant for what has the focus in a shadow tree do not reach the page around it, to
 * which they would come from the element itself: slides would turn while somebody types.
 */

/** What takes any key. */
const TYPED =
  'textarea, select, input:not([type=button], [type=checkbox], [type=radio], [type=range], [type=file])';

/** What takes some keys by itself. */
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
    // What a picture or a list of tabs has acted on is its own, too.
    if (defaultPrevented || target.matches(TYPED) || PRESSED.some(takes)) event.stopPropagation();
  };
  for (const type of ['keydown', 'keypress', 'keyup']) root.addEventListener(type, keep);
}
