/** The check-up of the text: one line that says whether all is well, the findings and remedies below. */
import type { Words } from '../i18n/index.ts';
import { disclosure, el, setText } from './dom.ts';
import type { View } from './dom.ts';

export interface DoctorItem {
  readonly id: string;
  /** Something to mend or to watch, rather than only to know. */
  readonly look: boolean;
  readonly text: string;
  /** Names of what can be done about it. */
  readonly remedies: readonly string[];
}

export interface DoctorData {
  readonly busy: boolean;
  readonly items: readonly DoctorItem[];
  /** What could not be looked at, if anything. */
  readonly note: string;
  /** What the last press mended, or empty: it can be undone. */
  readonly mended: string;
}

export interface DoctorOptions {
  readonly words: Words;
  /** A remedy was chosen: of which finding, and which of its remedies. */
  readonly onRemedy: (id: string, remedy: number) => void;
  readonly onUndo: () => void;
}

/** Creates the check-up in `container`. */
export function createDoctor(container: HTMLElement, options: DoctorOptions): View<DoctorData> {
  const { words } = options;
  const { t } = words;
  const list = el('ul', { class: 'findings' });
  const note = el('p', { class: 'note' });
  const fold = disclosure('doctor-fold', t('doctor.title'), () => undefined, list, note);
  const summary = el('p', { class: 'note doctor-summary', role: 'status' });
  const mended = el('span', {});
  const undo = el('button', { type: 'button', class: 'link' }, t('doctor.undo'));
  const undoLine = el('p', { class: 'note' }, mended, ' ', undo);
  undo.addEventListener('click', () => {
    // The button goes away: the focus must not be lost with it.
    fold.root.querySelector('button')?.focus();
    options.onUndo();
  });
  container.append(fold.root, summary, undoLine);
  let shown = '';

  function row({ id, look, text, remedies }: DoctorItem): HTMLLIElement {
    const buttons = remedies.map((label, index) => {
      const button = el('button', { type: 'button', class: 'link' }, label);
      button.addEventListener('click', () => {
        fold.root.querySelector('button')?.focus();
        options.onRemedy(id, index);
      });
      return button;
    });
    return el(
      'li',
      { class: look ? 'finding look' : 'finding', 'data-finding': id },
      el('span', {}, text),
      buttons.length > 0 ? el('span', { class: 'remedies' }, ...buttons) : null,
    );
  }

  return {
    update({ busy, items, note: left, mended: done }) {
      container.hidden = !busy && items.length === 0 && done === '';
      const looks = items.filter(({ look }) => look).length;
      const said = looks === 0 ? t('doctor.fine') : t('doctor.count', { count: looks });
      setText(summary, busy ? t('doctor.busy') : said);
      summary.classList.toggle('look', looks > 0 && !busy);
      undoLine.hidden = done === '';
      setText(mended, done === '' ? '' : t('doctor.mended', { what: done }));
      setText(note, left);
      note.hidden = left === '';
      const wanted = JSON.stringify(items);
      if (wanted === shown) return;
      shown = wanted;
      list.replaceChildren(...items.map(row));
    },
    resize: () => undefined,
    destroy() {
      container.replaceChildren();
    },
  };
}
