/** Asks before the download of a run whether to include its text. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { keyOf } from '../../kit/keys.ts';
import { useInstrument } from '../component.tsx';

export interface DownloadFormProps {
  /** Size of the text. */
  readonly bytes: number;
  /** The reader's own text is included only on request. */
  readonly isOwnText: boolean;
  readonly onDownload: (withText: boolean) => void;
  /** Called when the form closes; must move the focus to the button that opened the form. */
  readonly onClose: () => void;
}

export function DownloadForm({ bytes, isOwnText, onDownload, onClose }: DownloadFormProps) {
  const { words } = useInstrument();
  const { t } = words;
  const [withText, setWithText] = useState(!isOwnText);
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => box.current!.focus(), []);
  return (
    <form
      class="runs-form runs-download"
      aria-label={t('runs.download.form')}
      onSubmit={(event) => {
        event.preventDefault();
        onClose();
        onDownload(withText);
      }}
      onKeyDown={(event) => {
        if (keyOf(event) !== 'Escape') return;
        event.preventDefault();
        onClose();
      }}
    >
      <label class="check">
        <input
          ref={box}
          type="checkbox"
          checked={withText}
          onChange={({ currentTarget }) => setWithText(currentTarget.checked)}
        />
        <span>{t('runs.download.text', { size: words.bytes(bytes) })}</span>
      </label>
      <button type="submit" class="secondary">
        {t('runs.download.go')}
      </button>
      <button type="button" class="link" onClick={onClose}>
        {t('runs.name.cancel')}
      </button>
      <p class="note">{t('runs.download.help')}</p>
    </form>
  );
}
