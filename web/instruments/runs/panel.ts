/** The runs that are kept in this browser. */
import { el } from '../../kit/dom.ts';
import { RunsTable } from './view.ts';
import type { RunRow } from './run-row.ts';
import { knownUnit, PLAIN_CHOICE, unitFactor, UNKNOWN_TOKENS } from '../../data/loss-data.ts';
import { fileName } from '../../base/file-name.ts';
import type { ErrorFacts } from '../../engine/errors.ts';
import type { OptionTable } from '../../engine/options.ts';
import type { AllWords } from '../../i18n/index.ts';
import { download, saidSaved } from '../../kit/download.ts';
import { messageOf } from '../../store/messages.ts';
import { KEEP_AUTOMATIC } from '../../store/runs/run-record.ts';
import type { RunFile } from '../../store/runs/run-files.ts';
import type { Runs } from '../../store/runs/run-keeper.ts';
import type { RunRecord } from '../../store/runs/run-record.ts';
import { runFile, runTitle, unnamedTitle } from '../../store/training/run-name.ts';
import type { CreateLaterPanel, LaterContext, Panel } from '../panel.ts';
import { receiptBelow } from '../receipt-below.ts';
import { FileBox } from './file-box.ts';

/** The tab of runs, with the receipt of the shown one below them. */
export const createRuns: CreateLaterPanel = (container, context) =>
  new RunsPanel(container, context, receiptBelow('h3'));

class RunsPanel implements Panel {
  readonly #container: HTMLElement;
  readonly #context: LaterContext;
  readonly #files: FileBox;
  readonly #receipt: Panel;
  readonly #list: RunsTable;
  /** The run that was opened here last, and its number once it is there. */
  #opened: { readonly id: string; readonly run: number | null } | null = null;
  /** The run that could not be deleted. */
  #refused: string | null = null;
  /** The run file that was opened last, and why it could not be if it could not. */
  #opening: { readonly name: string; readonly error: ErrorFacts | null } | null = null;
  /** The run that was saved as a file last, and the name of that; null for none. */
  #saved: { readonly id: string | null; readonly name: string } | null = null;
  #destroyed = false;

  constructor(container: HTMLElement, context: LaterContext, createReceipt: CreateLaterPanel) {
    const { words, runs } = context;
    this.#container = container;
    this.#context = context;
    const list = el('div', { class: 'runs-list' });
    const box = el('div', { class: 'receipt' });
    this.#files = new FileBox({
      words,
      onOpen: (file) => void this.#openFile(file),
      onDownload: (withText) => void this.#save(null, withText),
    });
    container.append(this.#files.root, list, box);
    this.#receipt = createReceipt(box, context);
    this.#list = new RunsTable(list, {
      words,
      lead: words.t('runs.lead', { count: KEEP_AUTOMATIC }),
      onOpen: (id) => void this.#open(id),
      onRename: (id, name) => void runs.list.rename(id, name),
      onDownload: (id, withText) => void this.#save(id, withText),
      onDelete: (id) => this.#delete(id),
      onUndo: () => void runs.restore(),
      onPersist: () => void runs.list.persist(),
      // What the reader is about to press there.
      kept: () => (box.matches(':hover, :focus-within') ? box : null),
    });
    void runs.list.refresh();
  }

  update(): void {
    if (this.#destroyed) return;
    const { words, state, runs } = this.#context;
    const { t } = words;
    this.#receipt.update();
    this.#updateFiles();
    const rows = runs.list.records.map((record) => this.#rowOf(record));
    const denied = runs.keeps === false;
    const unkept = denied ? t('runs.denied') : runs.isUnfetched ? t('runs.unfetched') : '';
    const { undo, use } = runs.list;
    this.#list.update({
      rows,
      unit: state.lossChoice.unit,
      // What is kept does not change with how one looks at it.
      asUsual: state.lossChoice.smoothing !== PLAIN_CHOICE.smoothing,
      instead: unkept === '' && rows.length === 0 && runs.ready ? t('runs.empty') : unkept,
      facts: unkept !== '' ? [] : factsOf(runs, words),
      canPersist: unkept === '' && rows.length > 0 && use?.persisted === false,
      deleted: undo === null ? '' : runTitle(undo, this.#table, words),
      busy: runs.opening,
    });
  }

  resize(): void {
    this.#list.resize();
  }

  destroy(): void {
    this.#destroyed = true;
    this.#list.destroy();
    this.#receipt.destroy();
    this.#container.replaceChildren();
  }

  get #table(): OptionTable | null {
    return this.#context.session()?.table ?? null;
  }

  /** The number of the run that is shown. */
  get #runNow(): number {
    return this.#context.session()?.run?.number ?? -1;
  }

  async #openFile(file: File): Promise<void> {
    const { runs } = this.#context;
    this.#opening = null;
    const id = await runs.openFile(file);
    this.#opening = { name: file.name, error: runs.problems.last };
    if (id !== null) this.#opened = { id, run: this.#runNow };
    this.update();
  }

  async #open(id: string): Promise<void> {
    this.#opened = { id, run: null };
    await this.#context.runs.open(id);
    if (this.#opened.id === id) this.#opened = { id, run: this.#runNow };
    this.update();
  }

  async #delete(id: string): Promise<boolean> {
    const gone = await this.#context.runs.remove(id);
    this.#refused = gone ? null : id;
    this.update();
    return gone;
  }

  async #save(id: string | null, withText: boolean): Promise<void> {
    this.#saved = null;
    const found = await this.#context.runs.file(id, withText);
    if (found !== null) {
      const name = nameOfFile(found.facts, this.#table);
      this.#saved = { id, name };
      download(found.file, name);
    }
    this.update();
  }

  #updateFiles(): void {
    const { runs, session } = this.#context;
    const { text = null, data } = session()?.current ?? {};
    const isListed = runs.keeps === true || text === null || !data?.step;
    this.#files.update({
      unkept: isListed ? null : { bytes: text.content.size, isOwn: text.source === 'own' },
      told: this.#fileTold(),
      isError: this.#opening !== null && this.#opening.error !== null,
    });
  }

  /** Why the last file was not opened, or what the run without a row was saved as. */
  #fileTold(): string {
    const { words } = this.#context;
    if (this.#opening?.error) return messageOf(this.#opening.error, words);
    return this.#saved?.id === null ? this.#saidSaved(this.#saved.name) : '';
  }

  #saidSaved(name: string): string {
    const { words } = this.#context;
    return saidSaved(words.t('export.saved', { name }), words);
  }

  /** What its row says of that: what the page says of it stands above, out of sight. */
  #toldOf({ id, step }: RunRecord): string {
    const { words, runs } = this.#context;
    const { t } = words;
    if (this.#refused === id && runs.list.elsewhere.has(id)) return t('runs.delete.elsewhere');
    if (this.#saved?.id === id) return this.#saidSaved(this.#saved.name);
    if (this.#opened?.id !== id) return '';
    if (this.#opened.run === null) return runs.opening ? t('runs.opening') : '';
    if (this.#opened.run !== this.#context.session()?.run?.number) return '';
    const { last } = runs.problems;
    return last === null ? t('runs.opened', { step }) : messageOf(last, words);
  }

  #rowOf(record: RunRecord): RunRow {
    const { words, state, runs } = this.#context;
    const { id, name, step, steps, loss, updated, bytes, recipe, text } = record;
    const tokens = { ...UNKNOWN_TOKENS, train: record.tokensPerCharacter ?? NaN };
    const unit = knownUnit(state.lossChoice.unit, tokens);
    const elsewhere = runs.list.elsewhere.has(id) ? 'elsewhere' : '';
    return {
      id,
      name,
      text: titleOf(record, runs.list.records, this.#table, words),
      preset: recipe.preset,
      step,
      steps,
      loss: loss === null ? null : loss * unitFactor({ unit }, tokens.train),
      unit,
      saved: updated,
      bytes,
      textBytes: text.bytes,
      isOwnText: text.source === 'own',
      place: id === runs.current ? 'here' : elsewhere,
      told: this.#toldOf(record),
    };
  }
}

/**
 * What a run is called in the list when the reader gave it no name: of those that would be called
 * the same, the later ones are numbered.
 */
function titleOf(
  record: RunRecord,
  all: readonly RunRecord[],
  table: OptionTable | null,
  words: AllWords,
): string {
  const title = unnamedTitle(record, table, words);
  const before = all.filter(
    (one) =>
      one.name === '' && one.created < record.created && unnamedTitle(one, table, words) === title,
  );
  const number = before.length + 1;
  return record.name !== '' || number === 1 ? title : words.t('runs.again', { title, number });
}

/** The file of a run, called as all that is saved of it. */
function nameOfFile(facts: RunFile['facts'], table: OptionTable | null): string {
  const textKey = facts.text.key;
  const run = table === null ? '' : runFile({ ...facts, textKey }, table);
  return `${fileName('run', run, facts.step)}.glasshouse`;
}

/** Room used, promises of the browser, cost of a save. */
function factsOf({ cost, pastBytes, list: { use } }: Runs, words: AllWords): string[] {
  const { t } = words;
  const lines: string[] = [];
  if (use !== null && use.quota > 0) {
    lines.push(t('runs.use', { used: words.bytes(use.used), quota: words.bytes(use.quota) }));
  }
  if (pastBytes > 0) lines.push(t('runs.past', { used: words.bytes(pastBytes) }));
  if (use?.persisted === true) lines.push(t('runs.persisted'));
  if (cost > 0) lines.push(t('runs.cost', { milliseconds: words.short(cost) }));
  return lines;
}
