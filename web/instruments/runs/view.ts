/** The runs that are kept: what each is, and what can be done with it. */
import { sentences } from '../../i18n/index.ts';
import { el, keepInPlace, perFrame, setText } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import { unitKey } from '../../data/loss-data.ts';
import type { LossUnit } from '../../data/loss-data.ts';
import { RunLine } from './run-row.ts';
import type { RunLineOptions, RunRow } from './run-row.ts';

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

export interface RunsTableOptions extends Omit<RunLineOptions, 'onDelete'> {
  readonly lead: string;
  /** Answers whether it was possible. */
  readonly onDelete: (id: string) => Promise<boolean>;
  readonly onUndo: () => void;
  readonly onPersist: () => void;
  /** What below the list stays where it stands, whatever comes into the list; null for nothing. */
  readonly kept: () => Element | null;
}

const HEADS = ['run', 'step', 'loss', 'saved', 'size', 'actions'] as const;

export class RunsTable implements View<RunsTableData> {
  readonly #container: HTMLElement;
  readonly #options: RunsTableOptions;
  readonly #rows = new Map<string, RunLine>();
  readonly #lead: HTMLElement;
  readonly #instead = el('p', { class: 'muted' });
  readonly #lossHead = el('span');
  readonly #body = el('tbody', { role: 'rowgroup' });
  readonly #table: HTMLElement;
  readonly #deleted: HTMLElement;
  readonly #deletedText = el('span', { role: 'status' });
  readonly #undo: HTMLElement;
  readonly #facts = el('span', {});
  readonly #persist: HTMLElement;
  readonly #draw = perFrame(() => {
    const [now, kept] = [this.#data, this.#options.kept()];
    if (now === null) return;
    if (kept === null) this.#show(now);
    else keepInPlace(kept, () => this.#show(now));
  });
  #data: RunsTableData | null = null;
  /**
   * What was deleted here last, and what is being deleted, or brought back: the focus goes with it.
   */
  #removed: string | null = null;
  #removing: string | null = null;
  #returning: string | null = null;

  /** Creates the list in `container`. */
  constructor(container: HTMLElement, options: RunsTableOptions) {
    const { t } = options.words;
    this.#container = container;
    this.#options = options;
    this.#table = this.#createTable();
    this.#undo = el('button', { type: 'button', class: 'link' }, t('runs.undo'));
    this.#undo.addEventListener('click', () => {
      this.#returning = this.#removed;
      options.onUndo();
    });
    this.#deleted = el('p', { class: 'runs-deleted' }, this.#deletedText, this.#undo);
    this.#persist = el('button', { type: 'button', class: 'link' }, t('runs.persist'));
    this.#persist.addEventListener('click', options.onPersist);
    this.#lead = el('p', { class: 'lead', tabindex: -1 }, options.lead);
    const facts = el('p', { class: 'note runs-facts' }, this.#facts, this.#persist);
    container.append(this.#lead, this.#deleted, this.#instead, this.#table, facts);
  }

  update(next: RunsTableData): void {
    this.#data = next;
    this.#draw.request();
  }

  resize(): void {
    // The style sheet does it.
  }

  destroy(): void {
    this.#draw.cancel();
    this.#container.replaceChildren();
  }

  #createTable(): HTMLElement {
    const { t } = this.#options.words;
    const heads = HEADS.map((head) => {
      const hidden = head === 'actions' ? { class: 'visually-hidden' } : {};
      const name = head === 'loss' ? this.#lossHead : el('span', hidden, t(`runs.col.${head}`));
      return el('th', { scope: 'col', role: 'columnheader', class: `runs-${head}` }, name);
    });
    return el(
      'table',
      // Said in words: where rows become blocks on a phone, browsers forget that this is a table.
      { class: 'runs-table stacked', role: 'table' },
      el('caption', { class: 'visually-hidden' }, t('runs.caption')),
      el('thead', { role: 'rowgroup' }, el('tr', { role: 'row' }, ...heads)),
      this.#body,
    );
  }

  #show(now: RunsTableData): void {
    const { words } = this.#options;
    const { t } = words;
    const before = this.#focused();
    const at = Array.from(this.#body.children).findIndex((row) => row.contains(before));
    const unit = t(unitKey(now.unit));
    setText(this.#lossHead, t(now.asUsual ? 'runs.col.loss.usual' : 'runs.col.loss', { unit }));
    setText(this.#instead, now.instead);
    this.#instead.hidden = now.instead === '';
    this.#table.hidden = now.rows.length === 0;
    this.#showRows(now);
    this.#deleted.hidden = now.deleted === '';
    setText(this.#deletedText, now.deleted === '' ? '' : t('runs.deleted', { name: now.deleted }));
    setText(this.#facts, sentences(now.facts, words));
    this.#persist.hidden = !now.canPersist;
    this.#keepFocus(now, before, at);
  }

  #showRows({ rows, unit, busy }: RunsTableData): void {
    const { children } = this.#body;
    const shown = rows.map((row) => {
      const line = this.#rows.get(row.id) ?? this.#createLine(row);
      line.update(row, unit, this.#lossHead.textContent, busy);
      return line.root;
    });
    const ids = new Set(rows.map(({ id }) => id));
    for (const id of this.#rows.keys()) if (!ids.has(id)) this.#rows.delete(id);
    // Moving a row would take the focus out of it: only a change of order does.
    const isSame =
      shown.length === children.length && shown.every((row, at) => row === children[at]);
    if (!isSame) this.#body.replaceChildren(...shown);
  }

  #createLine(row: RunRow): RunLine {
    const line = new RunLine(row, { ...this.#options, onDelete: (id) => this.#delete(id) });
    this.#rows.set(row.id, line);
    return line;
  }

  #delete(id: string): void {
    this.#removed = id;
    this.#removing = id;
    void this.#options.onDelete(id).then((gone) => {
      if (!gone && this.#removing === id) this.#removing = null;
    });
  }

  /** The element in the list that has the focus. */
  #focused(): HTMLElement | null {
    const active = (this.#container.getRootNode() as Document | ShadowRoot).activeElement;
    return active instanceof HTMLElement && this.#container.contains(active) ? active : null;
  }

  /**
   * What disappears would take the focus with it: that of a deleted run goes to where it comes
   * back, and from there to the run; any other to what is next to it. `at`: the place of its row
   * before.
   */
  #keepFocus({ rows }: RunsTableData, before: HTMLElement | null, at: number): void {
    const [removing, returning] = [this.#removing, this.#returning];
    const isFree = this.#focused() !== null || document.activeElement === document.body;
    if (removing !== null && !this.#rows.has(removing) && !this.#deleted.hidden) {
      this.#removing = null;
      if (isFree) this.#undo.focus();
    } else if (returning !== null && this.#rows.has(returning)) {
      if (isFree) this.#rows.get(returning)?.focus('delete');
      this.#returning = null;
    } else if (before !== null && removing === null && returning === null && !isSeen(before)) {
      const next = rows[Math.min(Math.max(at, 0), rows.length - 1)];
      if (next !== undefined) this.#rows.get(next.id)?.focus('open');
      else if (!this.#deleted.hidden) this.#undo.focus();
      else this.#lead.focus();
    } else if (before !== null && isSeen(before) && this.#focused() !== before) {
      before.focus({ preventScroll: true });
    }
  }
}

function isSeen(one: HTMLElement): boolean {
  return one.isConnected && one.closest('[hidden]') === null;
}
