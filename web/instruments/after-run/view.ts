/** One line after a run that says what would help most, with at most one button. */
import { el, setText } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';

export interface AfterLineData {
  /** What would help most; empty while it is not known. */
  readonly text: string;
  /** What is done to find out; empty if nothing is. */
  readonly trying: string;
  /** Empty for no button. */
  readonly button: string;
}

/**
 * Creates the line in `container`, which is hidden if there is no line (null) and otherwise keeps
 * room for it: nothing below moves when it comes. `onLeave` takes the focus from a button that
 * goes.
 */
export function createAfterLine(
  container: HTMLElement,
  { onPress, onLeave }: { readonly onPress: () => void; readonly onLeave: () => void },
): View<AfterLineData | null> {
  // Only the result is read out, once. The region is there before its text.
  const text = el('p', { role: 'status' });
  const trying = el('p', { class: 'muted' });
  const button = el('button', { type: 'button', class: 'secondary', hidden: true });
  button.addEventListener('click', onPress);
  container.append(el('div', { class: 'after-line' }, el('div', {}, text, trying), button));
  container.hidden = true;
  return {
    update(data) {
      const leaves = button.matches(':focus') && (data?.button ?? '') === '';
      container.hidden = data === null;
      setText(text, data?.text ?? '');
      setText(trying, data?.trying ?? '');
      setText(button, data?.button ?? '');
      button.hidden = button.textContent === '';
      container.classList.toggle('says', text.textContent !== '');
      if (leaves) onLeave();
    },
    resize: () => undefined,
    destroy() {
      container.replaceChildren();
    },
  };
}
