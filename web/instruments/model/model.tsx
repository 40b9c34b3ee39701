/** Model files: opens them, describes the opened model and its use, and saves the shown model. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Folds } from '../../kit/folds.ts';
import { drawChanges } from '../../kit/render.ts';
import { useFreshId } from '../../kit/use-id.ts';
import { messageOf } from '../../store/messages.ts';
import { firstPanelWith, KeptFold, useFirstInstrument, useArrival } from '../component.tsx';
import { OpenedModel } from './opened-model.tsx';
import { SaveModel } from './save-model.tsx';

export const createModel = firstPanelWith(Models);

function Models() {
  const { words, session, home, kept, container } = useFirstInstrument();
  const { t } = words;
  const now = session();
  const isBusy = now?.opening ?? false;
  const model = now?.model ?? null;
  const isOpen = kept(Folds).isOpen('model', home === null);
  useArrival(() => {
    isOpen.value = true;
    drawChanges();
    const first = container.querySelector<HTMLElement>('.save button');
    first?.scrollIntoView({ block: 'center' });
    first?.focus({ preventScroll: true });
  });
  return (
    <>
      <KeptFold name="model" kind="model-file" title={t('model.title')}>
        {() => (
          <>
            {isBusy || model === null ? (
              <p class="note">{t(isBusy ? 'model.busy' : 'model.none')}</p>
            ) : null}
            <p class="links">
              <FileChooser text={t('model.open')} />{' '}
              <FileChooser text={t('model.open.folder')} isFolder />
            </p>
            {isBusy || model === null ? (
              <KeptFold name="model.which" kind="which-files" title={t('model.which')}>
                {() => <p class="note">{t('model.which.files')}</p>}
              </KeptFold>
            ) : null}
            <SaveModel />
          </>
        )}
      </KeptFold>
      {/* Outside the fold, because a model file can be dropped while the fold is closed. */}
      {model === null ? null : <OpenedModel model={model} />}
      <Mistake text={now?.modelError ? messageOf(now.modelError, words) : ''} />
    </>
  );
}

/** A link that chooses files or, if the browser supports it, a folder. */
function FileChooser({
  text,
  isFolder = false,
}: {
  readonly text: string;
  readonly isFolder?: boolean;
}) {
  const { actions } = useFirstInstrument();
  const id = useFreshId('model');
  if (isFolder && !('webkitdirectory' in HTMLInputElement.prototype)) return null;
  return (
    <span>
      <input
        type="file"
        class="visually-hidden"
        id={id}
        multiple={!isFolder}
        ref={(input) => {
          input?.toggleAttribute('webkitdirectory', isFolder);
        }}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])].filter(isAtTop);
          // The same file may be chosen again after it was changed.
          currentTarget.value = '';
          if (files.length > 0) actions.onModel(files);
        }}
      />
      <label class="link file-link" for={id}>
        {text}
      </label>
    </span>
  );
}

/** Whether a file of a chosen folder lies directly in it. */
function isAtTop({ webkitRelativePath: path }: File): boolean {
  return path.split('/').length <= 2;
}

/** The reason why a file was not opened, scrolled into view when new. */
function Mistake({ text }: { readonly text: string }) {
  const line = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    if (line.current === null || text === '') return;
    const { top, bottom } = line.current.getBoundingClientRect();
    // Aligned to the top, so that content above cannot push it away.
    if (top < 0 || bottom > innerHeight) line.current.scrollIntoView({ block: 'start' });
  }, [text]);
  return (
    <p ref={line} class="note error" role="alert" data-part="model-error" hidden={text === ''}>
      {text}
    </p>
  );
}
