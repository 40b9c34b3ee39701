/** The runs that are kept in this browser. */
import { el } from '../../kit/dom.ts';
import { RunsTable } from './view.ts';
import type { RunRow } from './run-row.ts';
import { knownUnit, PLAIN_CHOICE, unitFactor, UNKNOWN_TOKENS } from '../../data/loss-data.ts';
import { fileName } from '../../base/file-name.ts';
import type { ErrorFacts } from '../../engine/errors.ts';
import { download } from '../../kit/download.ts';
import { messageOf } from '../../store/messages.ts';
import { KEEP_AUTOMATIC } from '../../store/runs/run-record.ts';
import type { RunFile } from '../../store/runs/run-files.ts';
import type { RunRecord } from '../../store/runs/run-record.ts';
import { runFile, runTitle, unnamedTitle } from '../../store/training/run-name.ts';
import { panelOf } from '../panel.ts';
import type { CreateLaterPanel } from '../panel.ts';
import { FileBox } from './file-box.ts';
import { receiptBelow } from './receipt.ts';

export const createRuns: CreateLaterPanel = (container, context) => {
  const { words, state, runs, session } = context;
  const { t } = words;
  const list = el('div', { class: 'runs-list' });
  const box = el('div', { class: 'receipt' });
  const files = new FileBox({
    words,
    onOpen: (file) => {
      told = null;
      void runs.openFile(file).then((id) => {
        told = { name: file.name, error: runs.problems.last };
        if (id !== null) opened = { id, run: session()?.run?.number ?? -1 };
        panel.update();
      });
    },
    onDownload: (withText) => void save(null, withText),
  });
  container.append(files.root, list, box);
  const receipt = receiptBelow('h3')(box, context);
  const view = new RunsTable(list, {
    words,
    lead: t('runs.lead', { count: KEEP_AUTOMATIC }),
    onOpen: (id) => {
      opened = { id, run: null };
      void runs.open(id).then(() => {
        if (opened?.id === id) opened = { id, run: session()?.run?.number ?? -1 };
        panel.update();
      });
    },
    onRename: (id, name) => void runs.list.rename(id, name),
    onDownload: (id, withText) => void save(id, withText),
    onDelete: async (id) => {
      const gone = await runs.remove(id);
      refused = gone ? null : id;
      panel.update();
      return gone;
    },
    onUndo: () => void runs.restore(),
    onPersist: () => void runs.list.persist(),
    // What the reader is about to press there.
    kept: () => (box.matches(':hover, :focus-within') ? box : null),
  });
  void runs.list.refresh();

  const table = () => session()?.table ?? null;
  /** The run that was opened here last, and its number once it is there. */
  let opened: { readonly id: string; readonly run: number | null } | null = null;

  /** The run that could not be deleted. */
  let refused: string | null = null;

  /** The run file that was opened last, and why it could not be if it could not. */
  let told: { readonly name: string; readonly error: ErrorFacts | null } | null = null;

  /** The run that was saved as a file last, and the name of that; null for none. */
  let saved: { readonly id: string | null; readonly name: string } | null = null;

  async function save(id: string | null, withText: boolean): Promise<void> {
    saved = null;
    const found = await runs.file(id, withText);
    if (found !== null) {
      saved = { id, name: nameOfFile(found.facts) };
      download(found.file, saved.name);
    }
    panel.update();
  }

  /** Why the last file was not opened, or what the run without a row was saved as. */
  function fileTold(): string {
    if (told?.error) return messageOf(told.error, words);
    return saved?.id === null ? t('export.saved', { name: saved.name }) : '';
  }

  /** What its row says of that: what the page says of it stands above, out of sight. */
  function toldOf({ id, step }: RunRecord): string {
    if (refused === id && runs.list.elsewhere.has(id)) return t('runs.delete.elsewhere');
    if (saved?.id === id) return t('export.saved', { name: saved.name });
    if (opened?.id !== id) return '';
    if (opened.run === null) return runs.opening ? t('runs.opening') : '';
    if (opened.run !== session()?.run?.number) return '';
    return runs.problems.last === null
      ? t('runs.opened', { step })
      : messageOf(runs.problems.last, words);
  }

  /**
   * What a run is called in the list when the reader gave it no name: of those that would be called
   * the same, the later ones are numbered.
   */
  function titleOf(record: RunRecord): string {
    const title = unnamedTitle(record, table(), words);
    const before = runs.list.records.filter(
      (one) =>
        one.name === '' &&
        one.created < record.created &&
        unnamedTitle(one, table(), words) === title,
    );
    const number = before.length + 1;
    return record.name !== '' || number === 1 ? title : t('runs.again', { title, number });
  }

  /** The file of a run, called as all that is saved of it. */
  function nameOfFile(facts: RunFile['facts']): string {
    const options = table();
    const textKey = facts.text.key;
    const run = options === null ? '' : runFile({ ...facts, textKey }, options);
    return `${fileName('run', run, facts.step)}.glasshouse`;
  }

  function rowOf(record: RunRecord): RunRow {
    const { id, name, step, steps, loss, updated, bytes, recipe, text } = record;
    const tokens = { ...UNKNOWN_TOKENS, train: record.tokensPerCharacter ?? NaN };
    const unit = knownUnit(state.lossChoice.unit, tokens);
    const elsewhere = runs.list.elsewhere.has(id) ? 'elsewhere' : '';
    return {
      id,
      name,
      text: titleOf(record),
      preset: recipe.preset,
      step,
      steps,
      loss: loss === null ? null : loss * unitFactor({ unit }, tokens.train),
      unit,
      saved: updated,
      ...{ bytes, textBytes: text.bytes, isOwnText: text.source === 'own' },
      place: id === runs.current ? 'here' : elsewhere,
      told: toldOf(record),
    };
  }

  function facts(): string[] {
    const { cost } = runs;
    const { use } = runs.list;
    const lines: string[] = [];
    if (use !== null && use.quota > 0) {
      lines.push(t('runs.use', { used: words.bytes(use.used), quota: words.bytes(use.quota) }));
    }
    if (use?.persisted === true) lines.push(t('runs.persisted'));
    if (cost > 0) lines.push(t('runs.cost', { milliseconds: words.short(cost) }));
    return lines;
  }

  const panel = panelOf(view, () => {
    receipt.update();
    const { text = null, data } = session()?.current ?? {};
    const isOwn = text?.source === 'own';
    files.update({
      unkept:
        runs.keeps === true || text === null || !data?.step
          ? null
          : { bytes: text.content.size, isOwn },
      told: fileTold(),
      isError: told?.error !== null && told !== null,
    });
    const rows = runs.list.records.map(rowOf);
    const denied = runs.keeps === false;
    const unkept = denied ? t('runs.denied') : runs.isUnfetched ? t('runs.unfetched') : '';
    view.update({
      rows,
      unit: state.lossChoice.unit,
      // What is kept does not change with how one looks at it.
      asUsual: state.lossChoice.smoothing !== PLAIN_CHOICE.smoothing,
      instead: unkept === '' && rows.length === 0 && runs.ready ? t('runs.empty') : unkept,
      facts: unkept !== '' ? [] : facts(),
      canPersist: unkept === '' && rows.length > 0 && runs.list.use?.persisted === false,
      deleted: runs.list.undo === null ? '' : runTitle(runs.list.undo, table(), words),
      busy: runs.opening,
    });
  });
  return {
    ...panel,
    destroy: () => {
      panel.destroy();
      receipt.destroy();
      container.replaceChildren();
    },
  };
};
