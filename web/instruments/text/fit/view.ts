/** What suits the text, in one line with what can be done about it; the reasons fold out below. */
import type { AllWords } from '../../../i18n/index.ts';
import { disclosure, el, setText } from '../../../kit/dom.ts';
import type { View } from '../../../kit/dom.ts';
import type { Folds } from '../../../kit/folds.ts';

export interface FitAction {
  readonly label: string;
  readonly act: () => void;
}

export interface FitLineData {
  readonly text: string;
  readonly reasons: readonly string[];
  readonly actions: readonly FitAction[];
}

export interface FitLineOptions {
  readonly words: AllWords;
  readonly folds: Folds;
}

/** Creates the line in `container`, which is empty while there is nothing to say (null). */
export function createFitLine(
  container: HTMLElement,
  { words, folds }: FitLineOptions,
): View<FitLineData | null> {
  // The region is there before its text: otherwise it would not be read out.
  const text = el('p', { class: 'fit-text', role: 'status' });
  const buttons = el('div', { class: 'buttons' });
  const list = el('ul', {});
  const why = folds.keep(
    'fit.why',
    disclosure('fit-why', words.t('fit.why'), () => undefined, list),
  );
  container.append(text, buttons, why.root);
  let actions: readonly FitAction[] = [];
  let shown = '';

  return {
    update(data) {
      container.classList.toggle('quiet', data === null);
      actions = data?.actions ?? [];
      setText(text, data?.text ?? '');
      why.root.hidden = (data?.reasons.length ?? 0) === 0;
      const wanted = JSON.stringify([actions.map(({ label }) => label), data?.reasons]);
      if (wanted === shown) return;
      shown = wanted;
      list.replaceChildren(...(data?.reasons ?? []).map((reason) => el('li', {}, reason)));
      const leaves = buttons.matches(':focus-within');
      buttons.replaceChildren(
        ...actions.map(({ label }, index) => {
          const button = el('button', { type: 'button', class: 'link' }, label);
          button.addEventListener('click', () => actions[index]?.act());
          return button;
        }),
      );
      // The button that was pressed is gone: what it did is said here.
      if (leaves) (buttons.querySelector('button') ?? why.root.querySelector('button'))?.focus();
    },
    resize: () => undefined,
    destroy() {
      container.replaceChildren();
    },
  };
}
