/**
 * Draws text that the model wrote. Each run of unreadable characters (U+FFFD for bytes that form no
 * character, and control characters) is a pale placeholder. The text itself stays in the document,
 * for copying.
 */
import { withControlSigns } from '../data/attention-data.ts';
import { el } from './dom.ts';

const UNREADABLE = /((?:\uFFFD|(?![\n\t])\p{Cc})+)/u;
/** Maximum number of boxes of a placeholder. */
const MOST_BOXES = 3;

export function hasUnreadable(text: string): boolean {
  return UNREADABLE.test(text);
}

/** Replaces each run of unreadable characters by `name`, for texts that are announced. */
export function withoutUnreadable(text: string, name: string): string {
  return text.split(UNREADABLE).reduce((said, part, at) => said + (at % 2 === 0 ? part : name), '');
}

/** Sign in place of an unreadable character where no box can be drawn. */
export const UNREADABLE_SIGN = '▯';

/** Replaces each run of unreadable characters by at most MOST_BOXES signs, for plain text. */
export function withUnreadableSigns(text: string): string {
  return text.replaceAll(new RegExp(UNREADABLE, 'gu'), (part) =>
    UNREADABLE_SIGN.repeat(Math.min(part.length, MOST_BOXES)),
  );
}

/** `text` in parts to append to an element; `name` is read in place of a placeholder. */
export function drawnParts(text: string, name: string): (string | HTMLElement)[] {
  return text.split(UNREADABLE).map((part, at) => {
    if (at % 2 === 0) return part;
    const attributes = {
      class: 'unreadable',
      role: 'img',
      'aria-label': name,
      'data-count': Math.min(part.length, MOST_BOXES),
    };
    return el('span', attributes, withControlSigns(part));
  });
}

/**
 * Shows `text` in `element`. Does nothing if it is shown already, because a part may be selected.
 */
export function showDrawn(element: HTMLElement, text: string, name: string): void {
  const isMarked = element.querySelector('.text-mark') !== null;
  if (!isMarked && element.textContent === withControlSigns(text)) return;
  element.replaceChildren(...drawnParts(text, name));
}
