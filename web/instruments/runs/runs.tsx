/** The runs saved in this browser. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ErrorFacts } from '../../engine/errors.ts';
import { holdInPlace } from '../../kit/dom.ts';
import { saidSaved } from '../../kit/download.ts';
import { messageOf } from '../../store/messages.ts';
import type { RunRecord } from '../../store/runs/run-record.ts';
import { panelWith, useInstrument } from '../component.tsx';
import { Receipt } from '../common/receipt.tsx';
import { saveRun } from '../common/save-run.ts';
import { FileBox } from './file-box.tsx';
import { RunsTable } from './runs-table.tsx';

/** The tab of runs, with a receipt below them. */
export const createRuns = panelWith(Runs, 'open');

function Runs() {
  const { words, runs, session } = useInstrument();
  const { t } = words;
  /** Id of the run last opened here, and the number of the shown run after that; null before. */
  const [opened, setOpened] = useState<{ id: string; run: number | null } | null>(null);
  /** The run whose deletion failed. */
  const [refused, setRefused] = useState<string | null>(null);
  /** Why the last run file could not be opened; null if it could. */
  const [error, setError] = useState<ErrorFacts | null>(null);
  /** The run last saved as a file (null: this tab's run), and the name of the file. */
  const [saved, setSaved] = useState<{ id: string | null; name: string } | null>(null);
  const receipt = useInPlace();
  useEffect(() => void runs.list.refresh(), []);

  /** Number of the shown run. */
  const runNow = (): number => session()?.run?.number ?? -1;
  const openFile = async (file: File): Promise<void> => {
    setError(null);
    const id = await runs.openFile(file);
    setError(runs.problems.last);
    if (id !== null) setOpened({ id, run: runNow() });
  };
  const open = async (id: string): Promise<void> => {
    setOpened({ id, run: null });
    await runs.open(id);
    setOpened((last) => (last?.id === id ? { id, run: runNow() } : last));
  };
  const remove = async (id: string): Promise<boolean> => {
    const isGone = await runs.remove(id);
    setRefused(isGone ? null : id);
    return isGone;
  };
  const save = async (id: string | null, withText: boolean): Promise<void> => {
    setSaved(null);
    const found = await runs.file(id, withText);
    if (found === null) return;
    setSaved({ id, name: saveRun(found, session()?.table) });
  };

  const savedText = (id: string | null): string =>
    saved?.id === id ? saidSaved(t('export.saved', { name: saved.name }), words) : '';
  /** Messages in the row of a run, because the page's own message may be out of sight. */
  const toldOf = ({ id, step }: RunRecord): string => {
    if (refused === id && runs.list.elsewhere.has(id)) return t('runs.delete.elsewhere');
    if (saved?.id === id) return savedText(id);
    if (opened?.id !== id) return '';
    if (opened.run === null) return runs.opening ? t('runs.opening') : '';
    if (opened.run !== session()?.run?.number) return '';
    const { last } = runs.problems;
    return last === null ? t('runs.opened', { step }) : messageOf(last, words);
  };
  return (
    <>
      <FileBox
        told={error === null ? savedText(null) : messageOf(error, words)}
        isError={error !== null}
        onOpen={(file) => void openFile(file)}
        onDownload={(withText) => void save(null, withText)}
      />
      <RunsTable
        toldOf={toldOf}
        onOpen={(id) => void open(id)}
        onDownload={(id, withText) => void save(id, withText)}
        onDelete={remove}
      />
      <div ref={receipt} class="receipt">
        <Receipt heading="h3" />
      </div>
    </>
  );
}

/** Keeps a part at its screen position while it is hovered or focused. */
function useInPlace() {
  const part = useRef<HTMLDivElement>(null);
  const isUsed = part.current?.matches(':hover, :focus-within') === true;
  const settle = isUsed ? holdInPlace(part.current!) : null;
  useLayoutEffect(() => settle?.());
  return part;
}
