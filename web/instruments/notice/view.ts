/** One quiet line that says something and offers what to do about it. */
import { el, setText } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';

export interface NoticeAction {
  readonly label: string;
  readonly primary: boolean;
  readonly act: () => void;
}

export interface NoticeData {
  readonly text: string;
  readonly actions: readonly NoticeAction[];
}

/**
 * Creates the line in `container`, which is hidden while there is nothing to say (null). `onLeave`
 * is for the focus, where it was on a button that goes.
 */
export function createNoticeLine(
  container: HTMLElement,
  { onLeave }: { readonly onLeave: () => void },
): View<NoticeData | null> {
  // The region is there before its text: otherwise it would not be read out.
  const text = el('p', { role: 'status' });
  const buttons = el('div', { class: 'buttons' });
  const line = el('div', { class: 'notice' }, text, buttons);
  container.append(line);
  let shown = '';
  let actions: readonly NoticeAction[] = [];

  return {
    update(data) {
      container.classList.toggle('quiet', data === null);
      line.classList.toggle('visually-hidden', data === null);
      actions = data?.actions ?? [];
      setText(text, data?.text ?? '');
      const wanted = actions.map(({ label }) => label).join('\n');
      if (wanted === shown) return;
      shown = wanted;
      const leaves = buttons.matches(':focus-within');
      buttons.replaceChildren(
        ...actions.map(({ label, primary }, index) => {
          const button = el(
            'button',
            { type: 'button', class: primary ? 'primary' : 'secondary' },
            label,
          );
          button.addEventListener('click', () => actions[index]?.act());
          return button;
        }),
      );
      if (leaves) onLeave();
    },
    resize: () => undefined,
    destroy() {
      container.replaceChildren();
    },
  };
}
