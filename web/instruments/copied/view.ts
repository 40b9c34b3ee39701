/**
 * What the model copied: whether it is marked in all that it writes, what its newest texts have of
 * the training text, beside how much any text would have of it, and a text to check. Below it what
 * tables of the last few tokens lose.
 */
import { characters } from '../../base/characters.ts';
import { unitKey } from '../../data/loss-data.ts';
import type { LossUnit } from '../../data/loss-data.ts';
import { tableName } from '../../data/table-name.ts';
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { AS_TYPED, el, freshId, perFrame, setAttribute, setText } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import { FloatingNote } from '../../kit/floating-note.ts';
import { termButton } from '../../kit/term.ts';
import type { TextMarks } from '../../kit/text-marks.ts';
import type { Folds } from '../../kit/folds.ts';
import { MemorisedPart } from './memorised.ts';
import type { MemorisedData } from './memorised.ts';
import { baseText, chanceOf, saidOf } from './sentences.ts';
import type { FoundParts, ShownBase, ShownRun } from './sentences.ts';

export interface CopiedData extends FoundParts {
  /** What is wrong, in the reader's language. */
  readonly error: string;
  /** How much of the text has been read, from 0 to 1; null if none is being read. */
  readonly progress: number | null;
  /** Whether the model has written anything at the step that is shown. */
  readonly hasTexts: boolean;
  readonly marks: boolean;
  /** Whether the tables are lines in the loss curve. */
  readonly lines: boolean;
  /** Losses of the tables and of the model, in `unit`; null until they are known. */
  readonly baselines: {
    readonly heldOut: boolean;
    readonly unit: LossUnit;
    readonly losses: readonly { readonly order: number; readonly loss: number }[];
    /** NaN until it has learned. */
    readonly model: number;
  } | null;
  /** Null without a run. */
  readonly memorised: MemorisedData | null;
}

export interface CopiedOptions {
  readonly words: AllWords;
  readonly folds: Folds;
  readonly textMarks: TextMarks;
  /** The text that was checked last. */
  readonly checked: string;
  readonly onMarks: (marks: boolean) => void;
  readonly onLines: (lines: boolean) => void;
  readonly onMemorised: (drawn: boolean) => void;
  readonly onChecked: (text: string) => void;
  /** Which parts of a text stand in the training text. */
  readonly onLookUp: (text: string) => Promise<readonly ShownRun[]>;
  /** What was found is to be a file. */
  readonly onSave: (form: 'json' | 'csv') => void;
  /** Answers what the table of `order` tokens writes. */
  readonly onWrite: (order: number) => Promise<string>;
  /** A run without this line is wanted; null where none can be. */
  readonly onLeaveOut: ((line: number) => void) | null;
}

/** Longer texts to check would hold the page up where they are shown with their marks. */
const CHECKED_LENGTH = 20_000;
/** The longest context that a table looks at, in tokens. */
const MOST_ORDER = 5;

interface BaselineRow {
  readonly root: HTMLElement;
  readonly bar: HTMLElement;
  readonly figure: HTMLElement;
}

/** A row whose name explains itself when pressed, by a `term` of the glossary; empty for none. */
function createBaseline(name: string, term: string): BaselineRow {
  const bar = el('span', { class: 'baseline-bar', 'aria-hidden': 'true' });
  const figure = el('span', { class: 'figure' });
  const named = el('span', {}, term === '' ? name : termButton(term, name));
  return { root: el('li', {}, named, bar, figure), bar, figure };
}

export class CopiedView implements View<CopiedData> {
  readonly #container: HTMLElement;
  readonly #options: CopiedOptions;
  readonly #status = el('p', { class: 'note', role: 'status', 'data-part': 'copied-status' });
  readonly #said = el('p', { 'data-part': 'copied-said' });
  readonly #base = el('p', { class: 'note', 'data-part': 'copied-base' });
  readonly #marks = el('input', { type: 'checkbox' });
  readonly #lines = el('input', { type: 'checkbox' });
  readonly #checked: HTMLTextAreaElement;
  readonly #found = el('p', {
    class: 'written',
    translate: 'no',
    dir: 'auto',
    'data-part': 'copied-found',
  });
  readonly #memorised: MemorisedPart;
  readonly #verdict = el('p', { class: 'note', role: 'status' });
  readonly #baselines: HTMLElement;
  readonly #baselinesLead = el('p', { class: 'note' });
  readonly #baselinesList = el('ol', { class: 'baselines', 'data-part': 'baselines' });
  /** By name. */
  readonly #baselineRows = new Map<string, BaselineRow>();
  readonly #baselinesSaid = el('p', { 'data-part': 'baselines-said' });
  readonly #save: HTMLElement;
  readonly #note: FloatingNote;
  readonly #noteBody = el('div');
  #data: CopiedData | null = null;
  /** The text that was looked up last, and beside which base rate. */
  #judged: readonly [string, ShownBase | null] = ['', null];
  readonly #draw = perFrame(() => this.#show());

  constructor(container: HTMLElement, options: CopiedOptions) {
    const { words, checked, onMarks, onLines } = options;
    const { t } = words;
    this.#container = container;
    this.#options = options;
    this.#marks.addEventListener('change', () => {
      onMarks(this.#marks.checked);
    });
    this.#lines.addEventListener('change', () => {
      onLines(this.#lines.checked);
    });
    this.#save = el(
      'p',
      { class: 'copied-save' },
      t('copied.save'),
      ...(['json', 'csv'] as const).map((form) => {
        const button = el('button', { type: 'button', class: 'link' }, form.toUpperCase());
        button.addEventListener('click', () => {
          options.onSave(form);
        });
        return button;
      }),
    );
    const id = freshId('check');
    this.#checked = el('textarea', { id, rows: 3, ...AS_TYPED });
    this.#checked.value = checked;
    this.#checked.addEventListener('input', () => {
      options.onChecked(this.#checked.value);
      this.#check();
    });
    this.#baselines = el(
      'div',
      { class: 'copied-baselines' },
      el('h3', {}, t('baseline.title')),
      this.#baselinesLead,
      this.#baselinesList,
      this.#baselinesSaid,
      el('label', { class: 'tick' }, this.#lines, el('span', {}, t('baseline.lines'))),
      this.#createTable(),
    );
    this.#memorised = new MemorisedPart(words, options.folds, options.onMemorised);
    container.append(
      el('p', { class: 'lead' }, t('copied.lead')),
      el('label', { class: 'tick' }, this.#marks, el('span', {}, t('copied.marks'))),
      this.#status,
      this.#said,
      this.#base,
      this.#save,
      el('label', { for: id, class: 'field-label' }, t('copied.check')),
      this.#checked,
      this.#verdict,
      this.#found,
      this.#memorised.root,
      this.#baselines,
    );
    this.#note = new FloatingNote(container, t('glossary.close'), this.#noteBody);
  }

  update(data: CopiedData): void {
    this.#data = data;
    this.#draw.request();
  }

  /** Shows beside `mark` where the part of `text` stands in the training text. */
  open(mark: HTMLElement, text: string, run: ShownRun): void {
    const { t, number } = this.#options.words;
    this.#note.open(mark, () => {
      setText(this.#note.title, t('copied.place', { line: number(run.line) }));
      const copied = el('mark', {}, text.slice(run.start, run.end));
      const next = characters(text.slice(run.end))[0] ?? '';
      const often =
        run.count === 1 ? t('copied.once') : t('copied.often', { count: number(run.count) });
      const further = next.trim() === '' || run.isLine ? '' : t('copied.next', { next });
      this.#noteBody.replaceChildren(
        el(
          'p',
          { class: 'copied-place', translate: 'no', dir: 'auto' },
          run.before,
          copied,
          run.after,
        ),
        el('p', { class: 'note' }, sentences([often, further], this.#options.words)),
        ...this.#without(run.line),
      );
    });
  }

  /** What it would write had it never read the line is one press away. */
  #without(line: number): readonly HTMLElement[] {
    const { words, onLeaveOut } = this.#options;
    if (onLeaveOut === null) return [];
    const button = el('button', { type: 'button', class: 'link' }, words.t('copied.left-out'));
    button.addEventListener('click', () => {
      this.#note.close();
      onLeaveOut(line);
    });
    return [button];
  }

  resize(): void {
    this.#note.place();
  }

  destroy(): void {
    this.#draw.cancel();
    this.#note.destroy();
    this.#container.replaceChildren();
  }

  #createTable(): HTMLElement {
    const { words, onWrite } = this.#options;
    const { t } = words;
    const order = el(
      'select',
      {},
      ...Array.from({ length: MOST_ORDER + 1 }, (_, value) =>
        el('option', { value }, tableName(value, words)),
      ),
    );
    order.value = '3';
    const written = el('p', {
      class: 'written',
      translate: 'no',
      dir: 'auto',
      role: 'status',
      'data-part': 'table-text',
    });
    const write = el('button', { type: 'button', class: 'secondary' }, t('baseline.write'));
    write.addEventListener('click', () => {
      void onWrite(Number(order.value)).then((text) => {
        setText(written, text);
      });
    });
    const label = el('label', {}, t('baseline.table'), ' ', order);
    return el('div', { class: 'copied-table' }, label, write, written);
  }

  #show(): void {
    const data = this.#data;
    if (data === null) return;
    const { words } = this.#options;
    const { t, number } = words;
    const { error, progress, marks } = data;
    this.#marks.checked = marks;
    this.#lines.checked = data.lines;
    const share = number(Math.floor((progress ?? 1) * 100));
    const waits = t(data.hasTexts ? 'copied.looking' : 'copied.wait');
    this.#status.classList.toggle('error', error !== '');
    const said = (progress ?? 1) < 1 ? t('copied.indexing', { share }) : waits;
    setText(this.#status, error === '' && data.newest !== null ? '' : error || said);
    setText(this.#said, error === '' ? saidOf(data, words) : '');
    setText(this.#base, error === '' ? baseText(data, words) : '');
    this.#save.hidden = data.newest === null || error !== '';
    this.#memorised.update(data.memorised);
    this.#baselines.hidden = data.baselines === null || error !== '';
    if (data.baselines !== null) this.#showBaselines(data.baselines);
    this.#check();
  }

  /** The text to check is shown again below, with its marks; they say what is found. */
  #check(): void {
    const { words, textMarks } = this.#options;
    const text = this.#checked.value;
    const isLong = text.length > CHECKED_LENGTH;
    this.#found.hidden = text === '' || this.#data?.base === null;
    const shown = isLong ? words.t('copied.check.long', { most: CHECKED_LENGTH }) : text;
    const isAsked = text !== '' && !isLong && !this.#found.hidden;
    textMarks.show(this.#found, shown, isAsked);
    void this.#judge(isAsked ? text : '');
  }

  /** Says how much of `text` was found, once for each text and index. */
  async #judge(text: string): Promise<void> {
    const { words, onLookUp } = this.#options;
    const base = this.#data?.base ?? null;
    const [of, by] = this.#judged;
    if (text === of && base === by) return;
    this.#judged = [text, base];
    if (text === '' || base === null) setText(this.#verdict, '');
    else {
      const runs = await onLookUp(text);
      if (this.#judged[0] !== text) return;
      const { t } = words;
      const chance = runs.filter((run) => chanceOf(run, base) !== null).length;
      const count = runs.length - chance;
      const said = [
        count > 0 ? t('copied.check.some', { count }) : '',
        chance > 0 ? t('copied.check.lines', { count: chance }) : '',
        runs.length === 0 ? t('copied.check.none') : '',
      ];
      setText(this.#verdict, sentences(said, words));
    }
  }

  #showBaselines({ heldOut, unit, losses, model }: NonNullable<CopiedData['baselines']>): void {
    const { t, number } = this.#options.words;
    setText(
      this.#baselinesLead,
      t(heldOut ? 'baseline.held-out' : 'baseline.left-out', { unit: t(unitKey(unit)) }),
    );
    const rows = losses.map(({ order, loss }) => ({
      name: tableName(order, this.#options.words),
      term: order < 0 ? 'random_guessing' : 'ngram',
      loss,
      own: false,
    }));
    if (Number.isFinite(model)) {
      rows.push({ name: t('baseline.model'), term: '', loss: model, own: true });
    }
    rows.sort((a, b) => b.loss - a.loss);
    const widest = rows[0]?.loss ?? 1;
    const shown = rows.map(({ name, term, loss, own }) => {
      const row = this.#baselineRows.get(name) ?? createBaseline(name, term);
      this.#baselineRows.set(name, row);
      row.bar.style.width = `${((100 * loss) / widest).toFixed(2)}%`;
      setText(row.figure, number(loss, 2));
      if (own) setAttribute(row.root, 'aria-current', 'true');
      return row.root;
    });
    // Moved, a row would lose the focus.
    const { children } = this.#baselinesList;
    if (children.length !== shown.length || shown.some((row, at) => row !== children[at])) {
      this.#baselinesList.replaceChildren(...shown);
    }
    const at = rows.findIndex(({ own }) => own);
    const [below, above] = [rows[at - 1]?.name, rows[at + 1]?.name];
    const between =
      above === undefined
        ? t('baseline.best')
        : t('baseline.between', { below: below ?? '', above });
    setText(this.#baselinesSaid, at < 0 ? '' : at === 0 ? t('baseline.worst') : between);
  }
}
