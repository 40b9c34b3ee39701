/**
 * The check-up of the text: one line that says whether all is well, the findings and remedies
 * below.
 */
import type { AllWords } from '../../../i18n/index.ts';
import { arrange, disclosure, el, setSteadyText, setText } from '../../../kit/dom.ts';
import type { View } from '../../../kit/dom.ts';
import type { Folds } from '../../../kit/folds.ts';

/** A check-up whose remedies are known by keys of the type `K`. */
export interface DoctorRemedy<K> {
  readonly key: K;
  /** What can be done about it. */
  readonly label: string;
  /** The first place that it changes, before and after; empty if it changes no text. */
  readonly example: string;
  readonly done: boolean;
  /** It would do something again: what was done since has made it necessary. */
  readonly again: boolean;
}

export interface DoctorItem<K> {
  readonly id: string;
  /** Something to mend or to watch, rather than only to know. */
  readonly look: boolean;
  /** False once something that was done has made an end of it. */
  readonly found: boolean;
  readonly text: string;
  /** What is shown on request: what it does or comes from, and lines; either may be empty. */
  readonly why: string;
  readonly more: readonly string[];
  readonly remedies: readonly DoctorRemedy<K>[];
}

export interface DoctorData<K> {
  readonly busy: boolean;
  readonly items: readonly DoctorItem<K>[];
  /** Something else is wrong with the text, and said elsewhere. */
  readonly wrong: boolean;
  /** Why the text is not looked at, or empty. */
  readonly idle: string;
  /** What could not be looked at, if anything. */
  readonly note: string;
  /** Whether a press here was the last change: then nothing moves up to where it was. */
  readonly steady: boolean;
}

export interface DoctorOptions<K> {
  readonly words: AllWords;
  readonly folds: Folds;
  readonly onRemedy: (remedy: K) => void;
  readonly onUndo: (remedy: K) => void;
  readonly onUndoAll: () => void;
}

/** Whether it is worth a look still. */
function isOpen({ look, found }: DoctorItem<unknown>): boolean {
  return look && found;
}

/** What is drawn of one finding. */
interface Row<K> {
  readonly root: HTMLLIElement;
  readonly show: (item: DoctorItem<K>, steady: boolean) => void;
}

/** Creates the check-up in `container`. */
export function createDoctor<K>(
  container: HTMLElement,
  options: DoctorOptions<K>,
): View<DoctorData<K>> {
  const { words, folds } = options;
  const { t } = words;
  const list = el('ul', { class: 'findings' });
  const note = el('p', { class: 'note' });
  const undoAll = el('button', { type: 'button', class: 'link' }, t('doctor.undo.all'));
  undoAll.hidden = true;
  undoAll.addEventListener('click', () => {
    // The button rests now: the focus must not be lost with it.
    fold.root.querySelector('button')?.focus();
    setText(told, '');
    options.onUndoAll();
  });
  // Without room of its own: what stands below must not move.
  const told = el('p', { class: 'visually-hidden', role: 'status' });
  const nothing = (): void => undefined;
  const fineList = el('ul', { class: 'findings' });
  const fine = folds.keep('doctor.fine', disclosure('doctor-fine', '', nothing, fineList));
  const fineButton = fine.root.querySelector('button')!;
  const findings = disclosure(
    'doctor-fold',
    t('doctor.title'),
    nothing,
    ...[list, undoAll, fine.root, note],
  );
  const fold = folds.keep('doctor', findings);
  const summary = el('p', { class: 'note doctor-summary', role: 'status' });
  container.append(fold.root, summary, told);
  const rows = new Map<string, Row<K>>();

  /** One remedy with its way back. Nothing moves when it is carried out or taken back. */
  function makeRemedy({ key, label }: DoctorRemedy<K>) {
    const press = el('button', { type: 'button', class: 'link' }, label);
    const undo = el('button', { type: 'button', class: 'link' }, t('doctor.undo'));
    undo.setAttribute('aria-label', t('doctor.undo.one', { what: label }));
    const example = el('span', { class: 'note', translate: 'no' });
    const root = el('div', { class: 'remedy' }, press, undo, example);
    press.addEventListener('click', () => {
      setText(told, t('doctor.mended', { what: label }));
      options.onRemedy(key);
    });
    undo.addEventListener('click', () => {
      setText(told, '');
      options.onUndo(key);
    });
    const show = ({ done, again, example: shown }: DoctorRemedy<K>): void => {
      const focused = root.matches(':focus-within');
      const changed = undo.hidden === done;
      press.disabled = done && !again;
      undo.hidden = !done;
      setText(example, shown);
      // The button that had the focus rests now, or is gone.
      if (focused && changed) (done ? undo : press).focus({ preventScroll: true });
    };
    return { root, show };
  }

  function makeRow(id: string): Row<K> {
    const text = el('p', {});
    // What is crossed out is seen, and has to be said.
    const past = el('span', { class: 'visually-hidden' }, t('doctor.past'));
    const why = el('p', {});
    const lines = el('ul', {});
    const more = folds.keep(
      `doctor.more ${id}`,
      disclosure('finding-more', t('doctor.more'), nothing, why, lines),
    );
    const box = el('div', { class: 'remedies' });
    const gone = el('p', { class: 'note' }, t('doctor.gone'));
    const root = el(
      'li',
      { class: 'finding', 'data-finding': id },
      past,
      text,
      box,
      more.root,
      gone,
    );
    const remedies = new Map<K, ReturnType<typeof makeRemedy>>();
    const show = (item: DoctorItem<K>, steady: boolean): void => {
      root.classList.toggle('look', isOpen(item));
      root.classList.toggle('past', !item.found);
      past.hidden = item.found;
      if (steady) setSteadyText(text, item.text);
      else {
        setText(text, item.text);
        text.style.minHeight = '';
      }
      more.root.hidden = item.more.length === 0 && item.why === '';
      setText(why, item.why);
      if (lines.children.length !== item.more.length) {
        lines.replaceChildren(...item.more.map(() => el('li', {})));
      }
      for (const [index, line] of item.more.entries()) setText(lines.children[index]!, line);
      gone.hidden = item.found || item.remedies.some((one) => one.done);
      const made = item.remedies.map((remedy) => {
        const one = remedies.get(remedy.key) ?? makeRemedy(remedy);
        remedies.set(remedy.key, one);
        return one;
      });
      arrange(
        box,
        made.map((one) => one.root),
      );
      for (const [index, one] of made.entries()) one.show(item.remedies[index]!);
    };
    return { root, show };
  }

  function showIn(box: HTMLElement, items: readonly DoctorItem<K>[], steady: boolean): void {
    const shown = items.map((item) => {
      const row = rows.get(item.id) ?? makeRow(item.id);
      rows.set(item.id, row);
      return row;
    });
    arrange(
      box,
      shown.map(({ root }) => root),
    );
    for (const [index, row] of shown.entries()) row.show(items[index]!, steady);
  }

  return {
    update({ busy, items, idle, wrong, note: left, steady }) {
      container.hidden = !busy && items.length === 0 && idle === '';
      fold.root.hidden = idle !== '';
      const open = items.filter(isOpen);
      const allFine = wrong ? '' : t('doctor.fine');
      const said = open.length === 0 ? allFine : t('doctor.count', { count: open.length });
      setSteadyText(summary, idle !== '' ? idle : busy ? t('doctor.busy') : said);
      summary.classList.toggle('look', open.length > 0 && !busy);
      setText(note, left);
      note.hidden = left === '';
      const done = items.flatMap(({ remedies }) => remedies.filter((one) => one.done)).length;
      // Once it is there it stays: nothing else comes to lie in its place.
      if (done > 1) undoAll.hidden = false;
      // Of what was pressed for another text there is nothing to undo.
      else if (done === 0 && !steady) undoAll.hidden = true;
      undoAll.disabled = done === 0;
      const isFine = ({ look, remedies }: DoctorItem<K>): boolean => !look && remedies.length === 0;
      const fineItems = items.filter(isFine);
      const needy = items.filter((item) => !isFine(item));
      showIn(list, needy, steady);
      showIn(fineList, fineItems, steady);
      setText(fineButton, t('doctor.fine.count', { count: fineItems.length }));
      fine.root.hidden = fineItems.length === 0;
    },
    resize: () => undefined,
    destroy() {
      container.replaceChildren();
    },
  };
}
