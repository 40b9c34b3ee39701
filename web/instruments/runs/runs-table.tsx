/** The table of saved runs, with actions on each. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { PLAIN_CHOICE, unitKey } from '../../data/loss-data.ts';
import type { OptionTable } from '../../engine/options.ts';
import type { AllWords } from '../../i18n/index.ts';
import { sentences } from '../../i18n/index.ts';
import { KEEP_AUTOMATIC } from '../../store/runs/run-record.ts';
import type { RunRecord } from '../../store/runs/run-record.ts';
import { runTitle, unnamedTitle } from '../../store/training/run-name.ts';
import { useInstrument } from '../component.tsx';
import { buttonOf, RunRow } from './run-row.tsx';
import type { RunActions } from './run-row.tsx';

const HEADS = ['run', 'step', 'loss', 'saved', 'size', 'actions'] as const;

export interface RunsTableProps extends Omit<RunActions, 'onDelete'> {
  /** Resolves to whether the run was deleted. */
  readonly onDelete: (id: string) => Promise<boolean>;
  /** Result of the last action on the run, as a sentence; may be empty. */
  readonly toldOf: (record: RunRecord) => string;
}

export function RunsTable({ onOpen, onDownload, onDelete, toldOf }: RunsTableProps) {
  const { words, runs, session, state } = useInstrument();
  const { t } = words;
  const { unit, smoothing } = state.lossChoice;
  const optionTable = session()?.table ?? null;
  const denied = runs.keeps === false;
  const unkept = denied ? t('runs.denied') : runs.isUnfetched ? t('runs.unfetched') : '';
  const { records, undo, use } = runs.list;
  const instead = unkept === '' && records.length === 0 && runs.ready ? t('runs.empty') : unkept;
  // Saved losses have the default smoothing, which the head names if the curve has another.
  const isUsual = smoothing !== PLAIN_CHOICE.smoothing;
  const lossHead = t(isUsual ? 'runs.col.loss.usual' : 'runs.col.loss', { unit: t(unitKey(unit)) });
  const focus = useFocus(records);
  return (
    <div ref={focus.list} class="runs-list">
      <p class="lead" tabIndex={-1}>
        {t('runs.lead', { count: KEEP_AUTOMATIC })}
      </p>
      {undo === null ? null : (
        <p class="runs-deleted">
          <span role="status">
            {t('runs.deleted', { name: runTitle(undo, optionTable, words) })}
          </span>
          <button
            type="button"
            class="link"
            onClick={() => {
              focus.restores(undo.id);
              void runs.restore();
            }}
          >
            {t('runs.undo')}
          </button>
        </p>
      )}
      {instead === '' ? null : <p class="muted">{instead}</p>}
      {records.length === 0 ? null : (
        // Explicit roles: browsers drop the table semantics of rows displayed as blocks.
        <table class="runs-table stacked" role="table">
          <caption class="visually-hidden">{t('runs.caption')}</caption>
          <thead role="rowgroup">
            <tr role="row">
              {HEADS.map((head) => (
                <th scope="col" role="columnheader" class={`runs-${head}`}>
                  <span class={head === 'actions' ? 'visually-hidden' : ''}>
                    {head === 'loss' ? lossHead : t(`runs.col.${head}`)}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {records.map((record) => (
              <RunRow
                key={record.id}
                record={record}
                unnamed={titleOf(record, records, optionTable, words)}
                lossHead={lossHead}
                told={toldOf(record)}
                onOpen={onOpen}
                onDownload={onDownload}
                onDelete={(id) => {
                  focus.deletes(id, onDelete(id));
                }}
              />
            ))}
          </tbody>
        </table>
      )}
      <p class="note runs-facts">
        <span>{unkept === '' ? <Facts /> : ''}</span>
        {unkept === '' && records.length > 0 && use?.persisted === false ? (
          <button type="button" class="link" onClick={() => void runs.list.persist()}>
            {t('runs.persist')}
          </button>
        ) : null}
      </p>
    </div>
  );
}

/** Title of a run without a name. If such runs share a title, the later ones are numbered. */
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

/** Used storage, whether the browser guarantees to keep it, and duration of a save. */
function Facts() {
  const { words, runs } = useInstrument();
  const { t } = words;
  const { cost, pastBytes, list } = runs;
  const { use } = list;
  const lines: string[] = [];
  if (use !== null && use.quota > 0) {
    lines.push(t('runs.use', { used: words.bytes(use.used), quota: words.bytes(use.quota) }));
  }
  if (pastBytes > 0) lines.push(t('runs.past', { used: words.bytes(pastBytes) }));
  if (use?.persisted === true) lines.push(t('runs.persisted'));
  if (cost > 0) lines.push(t('runs.cost', { milliseconds: words.short(cost) }));
  return <>{sentences(lines, words)}</>;
}

/** Focus around a deletion: from the run to Undo, and back. */
interface RunsFocus {
  readonly list: { current: HTMLDivElement | null };
  readonly deletes: (id: string, isGone: Promise<boolean>) => void;
  readonly restores: (id: string) => void;
}

/**
 * Moves the focus from a removed element: from a deleted run to Undo, from Undo to the restored
 * run, otherwise to a neighbour.
 */
function useFocus(records: readonly RunRecord[]): RunsFocus {
  const list = useRef<HTMLDivElement>(null);
  /** Ids of the runs being deleted and restored; null if none. */
  const moving = useRef<{ deleted: string | null; restored: string | null }>({
    deleted: null,
    restored: null,
  });
  const rowsOf = (): Element[] => [...(list.current?.querySelectorAll('tbody > tr') ?? [])];
  const focused = (): HTMLElement | null => {
    const root = list.current?.getRootNode() as Document | ShadowRoot | undefined;
    const active = root?.activeElement;
    return active instanceof HTMLElement && list.current!.contains(active) ? active : null;
  };
  // Reads the focus before the rendering.
  const before = focused();
  const at = rowsOf().findIndex((row) => row.contains(before));

  useLayoutEffect(() => {
    const { deleted, restored } = moving.current;
    const undo = list.current!.querySelector<HTMLElement>('.runs-deleted > button');
    const isFree = focused() !== null || document.activeElement === document.body;
    const rows = rowsOf();
    const indexOf = (id: string): number => records.findIndex((record) => record.id === id);
    if (deleted !== null && indexOf(deleted) < 0 && undo !== null) {
      moving.current.deleted = null;
      if (isFree) undo.focus();
    } else if (restored !== null && indexOf(restored) >= 0) {
      moving.current.restored = null;
      if (isFree) buttonOf(rows[indexOf(restored)]!, 'delete').focus();
    } else if (before !== null && !before.isConnected && deleted === null && restored === null) {
      const next = rows[Math.min(Math.max(at, 0), rows.length - 1)];
      if (next !== undefined) buttonOf(next, 'open').focus();
      else (undo ?? list.current!.querySelector<HTMLElement>('.lead'))?.focus();
    } else if (before?.isConnected === true && focused() !== before) {
      before.focus({ preventScroll: true });
    }
  });
  return {
    list,
    deletes(id, isGone) {
      moving.current.deleted = id;
      void isGone.then((gone) => {
        if (!gone && moving.current.deleted === id) moving.current.deleted = null;
      });
    },
    restores(id) {
      moving.current.restored = id;
    },
  };
}
