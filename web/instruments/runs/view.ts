/** The runs that are kept: what each is, and what can be done with it. */
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { el, freshId, keepInPlace, perFrame, setAttribute, setText } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import { unitKey } from '../../data/loss-data.ts';
import type { LossUnit } from '../../data/loss-data.ts';
import { DownloadForm } from './download-form.ts';

export interface RunRow {
  readonly id: string;
  /** Given by the reader, or empty. */
  readonly name: string;
  /** What it learned. */
  readonly text: string;
  readonly preset: string;
  readonly step: number;
  readonly steps: number;
  /** In `unit`, which is another than that of the table where that one is not known. */
  readonly loss: number | null;
  readonly unit: LossUnit;
  /** Milliseconds since 1970. */
  readonly saved: number;
  readonly bytes: number;
  /** Of its text, and whether that is the reader's own. */
  readonly textBytes: number;
  readonly isOwnText: boolean;
  readonly place: 'here' | 'elsewhere' | '';
  /** What came of opening, downloading or deleting it here, as a sentence; or empty. */
  readonly told: string;
}

export interface RunsTableData {
  readonly rows: readonly RunRow[];
  /** Of the losses. */
  readonly unit: LossUnit;
  /** Their smoothing is not that of the curve on screen, and is named. */
  readonly asUsual: boolean;
  /** A sentence in place of the table: nothing is kept, or can be; or empty. */
  readonly instead: string;
  /** Room used, promises of the browser, cost of a save: a sentence each. */
  readonly facts: readonly string[];
  readonly canPersist: boolean;
  /** Name of the run that was just deleted, or empty. */
  readonly deleted: string;
  readonly busy: boolean;
}

export interface RunsTableOptions {
  readonly words: AllWords;
  readonly lead: string;
  readonly onOpen: (id: string) => void;
  readonly onRename: (id: string, name: string) => void;
  readonly onDownload: (id: string, withText: boolean) => void;
  /** Answers whether it was possible. */
  readonly onDelete: (id: string) => Promise<boolean>;
  readonly onUndo: () => void;
  readonly onPersist: () => void;
  /** What below the list stays where it stands, whatever comes into the list; null for nothing. */
  readonly kept: () => Element | null;
}

interface Row {
  readonly root: HTMLTableRowElement;
  update(row: RunRow, unit: LossUnit, busy: boolean): void;
  focus(action: (typeof ACTIONS)[number]): void;
}

const NAME_LENGTH = 80;

/** Milliseconds in which a second Enter still belongs to the first. */
const DOUBLE = 500;

const ACTIONS = ['open', 'rename', 'download', 'delete'] as const;

/** Creates the list in `container`. */
export function createRunsTable(
  container: HTMLElement,
  options: RunsTableOptions,
): View<RunsTableData> {
  const { words } = options;
  const { t, number } = words;
  const rows = new Map<string, Row>();
  let data: RunsTableData | null = null;
  /**
   * What was deleted here last, and what is being deleted, or brought back: the focus goes with it.
   */
  let removed: string | null = null;
  let removing: string | null = null;
  let returning: string | null = null;

  const instead = el('p', { class: 'muted' });
  const heads = ['run', 'step', 'loss', 'saved', 'size', 'actions'] as const;
  const headText = (head: (typeof heads)[number]): string => {
    const unit = t(unitKey(data?.unit ?? 'nats'));
    return head === 'loss' && data?.asUsual ? t('runs.col.loss.usual', { unit }) : t(`runs.col.${head}`, { unit }); // prettier-ignore
  };
  const headNames = new Map(
    heads.map((head) => {
      const hidden = head === 'actions' ? { class: 'visually-hidden' } : {};
      return [head, el('span', hidden, headText(head))];
    }),
  );
  const body = el('tbody', { role: 'rowgroup' });
  const table = el(
    'table',
    // Said in words: where rows become blocks on a phone, browsers forget that this is a table.
    { class: 'runs-table stacked', role: 'table' },
    el('caption', { class: 'visually-hidden' }, t('runs.caption')),
    el(
      'thead',
      { role: 'rowgroup' },
      el(
        'tr',
        { role: 'row' },
        ...[...headNames].map(([head, name]) =>
          el('th', { scope: 'col', role: 'columnheader', class: `runs-${head}` }, name),
        ),
      ),
    ),
    body,
  );
  const deletedText = el('span', { role: 'status' });
  const undo = el('button', { type: 'button', class: 'link' }, t('runs.undo'));
  undo.addEventListener('click', () => {
    returning = removed;
    options.onUndo();
  });
  const deleted = el('p', { class: 'runs-deleted' }, deletedText, undo);
  const facts = el('span', {});
  const persist = el('button', { type: 'button', class: 'link' }, t('runs.persist'));
  persist.addEventListener('click', options.onPersist);
  const lead = el('p', { class: 'lead', tabindex: -1 }, options.lead);
  container.append(
    lead,
    deleted,
    instead,
    table,
    el('p', { class: 'note runs-facts' }, facts, persist),
  );

  const titleOf = ({ name, text }: RunRow): string => (name === '' ? text : name);

  function makeRow(first: RunRow): Row {
    let now = first;
    let busy = false;
    /**
     * When a name was saved last: the focus is on a button then, which a second Enter would press.
     */
    let savedAt = -Infinity;
    const { id } = first;
    const title = el('span', { class: 'runs-name' });
    const place = el('span', { class: 'runs-place', id: freshId('run-place') });
    const about = el('span', { class: 'runs-about muted' });
    const label = el('div', {}, title, place, about);
    const input = el('input', {
      type: 'text',
      id: freshId('run-name'),
      maxlength: NAME_LENGTH,
      'aria-label': t('runs.name'),
    });
    const form = el(
      'form',
      { class: 'runs-form' },
      input,
      el('button', { type: 'submit', class: 'secondary' }, t('runs.name.save')),
    );
    const cancel = el('button', { type: 'button', class: 'link' }, t('runs.name.cancel'));
    form.append(cancel);
    form.hidden = true;
    const cell = (name: (typeof heads)[number]): HTMLTableCellElement =>
      el('td', { role: 'cell', class: `runs-${name}`, 'data-label': headText(name) });
    const [step, loss, saved, size] = [cell('step'), cell('loss'), cell('saved'), cell('size')];
    const isOpen = (): boolean => busy || now.place === 'here';
    const buttons = ACTIONS.map((action) => {
      const button = el('button', { type: 'button', class: 'link' }, t(`runs.${action}`));
      if (action === 'delete') button.setAttribute('aria-describedby', place.id);
      button.addEventListener('click', () => {
        if (action === 'open') {
          if (!isOpen()) options.onOpen(id);
        } else if (action === 'download') download.toggle();
        else if (action === 'delete') {
          removed = id;
          removing = id;
          void options.onDelete(id).then((gone) => {
            if (!gone && removing === id) removing = null;
          });
        } else edit(true);
      });
      if (action === 'rename') {
        button.addEventListener('keydown', (event) => {
          const isDouble = event.repeat || performance.now() - savedAt < DOUBLE;
          if (event.key === 'Enter' && isDouble) event.preventDefault();
        });
      }
      return { action, button };
    });
    const download = new DownloadForm({
      words,
      text: () => ({ bytes: now.textBytes, isOwn: now.isOwnText }),
      onDownload: (withText) => {
        options.onDownload(id, withText);
      },
      onClose: () => {
        buttons.find(({ action }) => action === 'download')?.button.focus();
      },
    });
    const told = el('p', { class: 'note runs-told', role: 'status' });
    const root = el(
      'tr',
      { role: 'row' },
      el('th', { scope: 'row', role: 'rowheader', class: 'runs-run' }, label, form),
      step,
      loss,
      saved,
      size,
      el(
        'td',
        { role: 'cell', class: 'runs-actions' },
        ...buttons.map(({ button }) => button),
        download.root,
        told,
      ),
    );

    /**
     * The name as it stood in the field at first: unchanged, it does not become one that was given.
     */
    let shown = '';
    function edit(open: boolean): void {
      form.hidden = !open;
      label.hidden = open;
      if (open) {
        shown = titleOf(now).slice(0, NAME_LENGTH);
        input.value = shown;
        input.focus();
        input.select();
      } else {
        buttons.find(({ action }) => action === 'rename')?.button.focus();
      }
    }
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      savedAt = performance.now();
      if (input.value !== shown) options.onRename(id, input.value);
      edit(false);
    });
    cancel.addEventListener('click', () => {
      edit(false);
    });
    form.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') edit(false);
    });

    return {
      root,
      focus(wanted) {
        buttons.find(({ action }) => action === wanted)?.button.focus();
      },
      update(row, unit, isBusy) {
        now = row;
        busy = isBusy;
        setText(title, titleOf(row));
        const { place: at } = row;
        setText(place, at === '' ? '' : t(`runs.${at}`));
        const { text, preset } = row;
        setText(about, row.name === '' ? preset : t('runs.about', { text, preset }));
        const [done, all] = [number(row.step), number(row.steps)];
        setText(step, t('runs.of', { step: done, steps: all }));
        const value = row.loss === null ? '–' : number(row.loss, 2);
        const named = { loss: value, unit: t(unitKey(row.unit)) };
        setText(loss, row.loss === null || row.unit === unit ? value : t('runs.loss', named));
        setAttribute(loss, 'data-label', headText('loss'));
        setText(saved, words.moment(row.saved));
        setText(size, words.bytes(row.bytes));
        setText(told, row.told);
        for (const { action, button } of buttons) {
          const name = t('runs.on', { action: t(`runs.${action}`), name: titleOf(row) });
          if (button.getAttribute('aria-label') !== name) button.setAttribute('aria-label', name);
          // Keeps the focus for a reader who uses the keyboard.
          if (action === 'open') setAttribute(button, 'aria-disabled', String(isOpen()));
          // Pressed all the same, it says why, or that the other tab is gone.
          if (action === 'delete')
            setAttribute(button, 'aria-disabled', String(at === 'elsewhere'));
        }
      },
    };
  }

  /** The element in the list that has the focus. */
  function focused(): HTMLElement | null {
    const active = (container.getRootNode() as Document | ShadowRoot).activeElement;
    return active instanceof HTMLElement && container.contains(active) ? active : null;
  }

  /**
   * What disappears would take the focus with it: that of a deleted run goes to where it comes
   * back, and from there to the run; any other to what is next to it. `at`: the place of its row
   * before.
   */
  function keepFocus(before: HTMLElement | null, at: number): void {
    const isFree = focused() !== null || document.activeElement === document.body;
    if (removing !== null && !rows.has(removing) && !deleted.hidden) {
      removing = null;
      if (isFree) undo.focus();
    } else if (returning !== null && rows.has(returning)) {
      if (isFree) rows.get(returning)?.focus('delete');
      returning = null;
    } else if (before !== null && removing === null && returning === null && !isSeen(before)) {
      const next = data?.rows[Math.min(Math.max(at, 0), data.rows.length - 1)];
      if (next !== undefined) rows.get(next.id)?.focus('open');
      else if (!deleted.hidden) undo.focus();
      else lead.focus();
    } else if (before !== null && isSeen(before) && focused() !== before) {
      before.focus({ preventScroll: true });
    }
  }

  const isSeen = (one: HTMLElement): boolean => one.isConnected && one.closest('[hidden]') === null;

  function show(now: RunsTableData): void {
    const before = focused();
    const at = Array.from(body.children).findIndex((row) => row.contains(before));
    const { unit, busy } = now;
    const lossName = headNames.get('loss');
    if (lossName !== undefined) setText(lossName, headText('loss'));
    setText(instead, now.instead);
    instead.hidden = now.instead === '';
    table.hidden = now.rows.length === 0;
    const shown = now.rows.map((row) => {
      const made = rows.get(row.id) ?? makeRow(row);
      rows.set(row.id, made);
      made.update(row, unit, busy);
      return made.root;
    });
    const ids = new Set(now.rows.map(({ id }) => id));
    for (const id of rows.keys()) if (!ids.has(id)) rows.delete(id);
    // Moving a row would take the focus out of it: only a change of order does.
    if (
      shown.some((root, at) => body.children[at] !== root) ||
      shown.length !== body.children.length
    )
      body.replaceChildren(...shown);
    deleted.hidden = now.deleted === '';
    setText(deletedText, now.deleted === '' ? '' : t('runs.deleted', { name: now.deleted }));
    setText(facts, sentences(now.facts, words));
    persist.hidden = !now.canPersist;
    keepFocus(before, at);
  }

  const draw = perFrame(() => {
    const [now, kept] = [data, options.kept()];
    if (now === null) return;
    if (kept === null) show(now);
    else keepInPlace(kept, () => show(now));
  });

  return {
    update(next) {
      data = next;
      draw.request();
    },
    resize: () => undefined,
    destroy() {
      draw.cancel();
      container.replaceChildren();
    },
  };
}
