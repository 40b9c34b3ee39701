/** Buttons to open a run from a file, and to download the current run if it cannot be saved. */
import { useRef, useState } from 'preact/hooks';
import { useFreshId } from '../../kit/use-id.ts';
import { useInstrument } from '../component.tsx';
import { DownloadForm } from './download-form.tsx';

export interface FileBoxProps {
  /** The result of opening or saving a file, as a sentence; empty before the first. */
  readonly told: string;
  readonly isError: boolean;
  readonly onOpen: (file: File) => void;
  readonly onDownload: (withText: boolean) => void;
}

export function FileBox({ told, isError, onOpen, onDownload }: FileBoxProps) {
  const { t } = useInstrument().words;
  const id = useFreshId('run-file');
  return (
    <div class="runs-files">
      <span>
        <input
          id={id}
          type="file"
          class="visually-hidden"
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            // The same file may be chosen again after it was changed.
            currentTarget.value = '';
            if (file !== undefined) onOpen(file);
          }}
        />
        <label class="link file-link" for={id}>
          {t('runs.file.open')}
        </label>
      </span>
      <UnkeptRun onDownload={onDownload} />
      {told === '' ? null : (
        <p class={`note${isError ? ' error' : ''}`} role="status" data-part="run-file">
          {told}
        </p>
      )}
    </div>
  );
}

/** A link to download the current run, shown if the browser does not save runs. */
function UnkeptRun({ onDownload }: Pick<FileBoxProps, 'onDownload'>) {
  const { words, runs, session } = useInstrument();
  const button = useRef<HTMLButtonElement>(null);
  const [isAsking, setAsking] = useState(false);
  const { text = null, data } = session()?.current ?? {};
  if (runs.keeps === true || text === null || !data?.step) return null;
  return (
    <div class="runs-unkept">
      <button ref={button} type="button" class="link" onClick={() => setAsking(!isAsking)}>
        {words.t('runs.file.current')}
      </button>
      {isAsking ? (
        <DownloadForm
          bytes={text.content.size}
          isOwnText={text.source === 'own'}
          onDownload={onDownload}
          onClose={() => {
            setAsking(false);
            button.current?.focus();
          }}
        />
      ) : null}
    </div>
  );
}
