/** The text check: one line that sums up, and what was found with its cures below. */
import type { AllWords } from '../../../i18n/index.ts';
import { arrange, disclosure, el, setSteadyText, setText } from '../../../kit/dom.ts';
import type { View } from '../../../kit/dom.ts';
import type { Folds } from '../../../kit/folds.ts';

export interface TextCheckRow {
  readonly id: string;
  /** False once something that was pressed has made an end of it. */
  readonly found: boolean;
  readonly text: string;
  /** What its button says; empty if nothing can be done with one press. */
  readonly label: string;
  /** The first place that the cure changes, before and after; empty if it changes no text. */
  readonly example: string;
  readonly canUndo: boolean;
}

export interface TextCheckData {
  readonly summary: string;
  /** Whether there is something to look at. */
  readonly look: boolean;
  readonly rows: readonly TextCheckRow[];
  /** What was not examined, or empty. */
  readonly note: string;
}

export interface TextCheckOptions {
  readonly words: AllWords;
  readonly folds: Folds;
  /** The cure of a row is wanted. */
  readonly onCure: (id: string) => void;
  /** The last press is to be undone. */
  readonly onUndo: () => void;
}

/** Creates the text check in `container`. */
export function createTextCheck(
  container: HTMLElement,
  options: TextCheckOptions,
): View<TextCheckData> {
  const { words, folds, onCure, onUndo } = options;
  const { t } = words;
  const list = el('ul', { class: 'findings' });
  const note = el('p', { class: 'note' });
  const findings = disclosure(
    'text-check-fold',
    t('text-check.title'),
    () => undefined,
    list,
    note,
  );
  const fold = folds.keep('text-check', findings);
  const summary = el('p', { class: 'note text-check-summary', role: 'status' });
  container.append(fold.root, summary);
  const rows = new Map<string, ReturnType<typeof makeRow>>();

  function makeRow(id: string) {
    const text = el('p', {});
    // What is crossed out is seen, and has to be said.
    const past = el('span', { class: 'visually-hidden' }, t('text-check.past'));
    const press = el('button', { type: 'button', class: 'link' });
    const undo = el('button', { type: 'button', class: 'link' }, t('text-check.undo'));
    const example = el('span', { class: 'note', translate: 'no' });
    const box = el('div', { class: 'remedy' }, press, undo, example);
    const root = el('li', { class: 'finding', 'data-finding': id }, past, text, box);
    press.addEventListener('click', () => {
      onCure(id);
    });
    undo.addEventListener('click', onUndo);
    const show = (row: TextCheckRow): void => {
      const focused = root.matches(':focus-within');
      root.classList.toggle('look', row.found);
      root.classList.toggle('past', !row.found);
      past.hidden = row.found;
      setText(text, row.text);
      box.hidden = row.label === '';
      setText(press, row.label);
      setText(example, row.example);
      press.disabled = !row.found;
      const changed = undo.hidden === row.canUndo;
      undo.hidden = !row.canUndo;
      undo.setAttribute('aria-label', t('text-check.undo.one', { what: row.label }));
      // The button that had the focus is disabled now, or gone.
      if (focused && changed) (row.canUndo ? undo : press).focus({ preventScroll: true });
    };
    return { root, show };
  }

  return {
    update(data) {
      setSteadyText(summary, data.summary);
      summary.classList.toggle('look', data.look);
      // A text in order needs no line; those who hear the page are told.
      summary.classList.toggle('visually-hidden', data.rows.length === 0);
      fold.root.hidden = data.rows.length === 0;
      setText(note, data.note);
      note.hidden = data.note === '';
      const shown = data.rows.map(({ id }) => {
        const row = rows.get(id) ?? makeRow(id);
        rows.set(id, row);
        return row;
      });
      arrange(
        list,
        shown.map(({ root }) => root),
      );
      for (const [index, row] of shown.entries()) row.show(data.rows[index]!);
    },
    resize: () => undefined,
    destroy() {
      container.replaceChildren();
    },
  };
}
