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
  /** Something else is wrong with the text, and said elsewhere. */
  readonly wrong: boolean;
  /** What could not be looked at, if anything. */
  readonly note: string;
  /** What was mended, the last at the end: it can be undone. */
  readonly mended: readonly string[];
}

export interface DoctorOptions {
  readonly words: Words;
  /** A remedy was chosen: of which finding, and which of its remedies. */
  readonly onRemedy: (id: string, remedy: number) => void;
  /** Takes the last remedy back. */
  readonly onUndo: () => void;
  readonly onUndoAll: () => void;
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
  const undoButton = (text: string, act: () => void): HTMLButtonElement => {
    const button = el('button', { type: 'button', class: 'link' }, text);
    button.addEventListener('click', () => {
      // The button may go away: the focus must not be lost with it.
      fold.root.querySelector('button')?.focus();
      act();
    });
    return button;
  };
  const undo = undoButton(t('doctor.undo'), options.onUndo);
  const undoAll = undoButton(t('doctor.undo.all'), options.onUndoAll);
  const undoLine = el('p', { class: 'note doctor-undo' }, mended, ' ', undo, ' ', undoAll);
  // The way back stands where it is in sight of whoever pressed, however much is found below.
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
    update({ busy, items, wrong, note: left, mended: done }) {
      container.hidden = !busy && items.length === 0 && done.length === 0;
      const looks = items.filter(({ look }) => look).length;
      const fine = wrong ? '' : t('doctor.fine');
      const said = looks === 0 ? fine : t('doctor.count', { count: looks });
      setText(summary, busy ? t('doctor.busy') : said);
      summary.classList.toggle('look', looks > 0 && !busy);
      undoLine.hidden = done.length === 0;
      const names = done.map((what) => t('doctor.mended.one', { what }));
      setText(mended, t('doctor.mended', { what: names.join(t('list.separator')) }));
      undoAll.hidden = done.length < 2;
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
