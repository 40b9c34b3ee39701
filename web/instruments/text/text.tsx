/** The training text: sample texts, a field to type or paste in, and files. */
import { useRef, useState } from 'preact/hooks';
import { Segments } from '../../kit/segments.tsx';
import { useFreshId } from '../../kit/use-id.ts';
import {
  isAwaited as isAwaitedText,
  messageOf,
  textProblem,
  textProblemFor,
} from '../../store/messages.ts';
import { firstPanelWith, useArrival, useFirstInstrument } from '../component.tsx';
import { useDrops } from './file-drop.ts';
import { TextField } from './text-field.tsx';
import { TextNotes } from './text-notes.tsx';

export const createText = firstPanelWith(Text);

function Text() {
  const { words, state, session, lesson, samples, actions } = useFirstInstrument();
  const { t } = words;
  const { source, own } = state;
  const [fileId, noteId] = [useFreshId('file'), useFreshId('text-note')];
  const area = useRef<HTMLTextAreaElement>(null);
  /** The source that undo returns to; null before a replacement and after undo. */
  const before = useRef<string | null>(null);
  const isByPointer = useRef(false);
  /** Whether the reader was led here because a text is missing. */
  const [isMissed, setMissed] = useState(false);
  const problem = textProblem(state.textError, session());
  const isAwaited = problem !== null && isAwaitedText(problem);
  const isWrong = problem !== null && (!isAwaited || isMissed);
  if (isMissed && !isAwaited) setMissed(false);
  useArrival(() => {
    area.current?.focus();
    setMissed(isAwaited);
  });
  /** Wraps an action that shows a text from outside of the list of sources: it clears `before`. */
  const unlisted =
    <Given,>(act: (given: Given) => void) =>
    (given: Given): void => {
      before.current = null;
      act(given);
    };
  useDrops(unlisted(actions.onDrop));
  const choose = (id: string): void => {
    before.current = source;
    actions.onSource(id);
    // The focus stays in the list after a key press, so that arrow keys go on from here.
    if (id === 'own' && isByPointer.current) area.current?.focus();
  };
  const undo = (): void => {
    const { current } = before;
    before.current = null;
    if (current !== null) actions.onSource(current);
    else if (source === 'own' && own.isInPlaceOfAnother) actions.onBringBack();
  };
  const titles = new Map<string, string>(samples.map(({ id }) => [id, t(`text.${id}`)]));
  titles.set('own', own.givenName === '' ? t('text.own') : own.givenName);
  // A locked choice shows the chosen text alone.
  const offered = [...titles.keys()].filter((id) => id === source || !lesson.lock.has('text'));
  return (
    <>
      <div class="head-row">
        <h2>{t('text.title')}</h2>
        <span>
          <input
            id={fileId}
            type="file"
            class="visually-hidden"
            onChange={({ currentTarget }) => {
              const chosen = currentTarget.files?.[0];
              if (chosen !== undefined) unlisted(actions.onFile)(chosen);
              // The same file may be chosen again after it was changed.
              currentTarget.value = '';
            }}
          />
          <label class="link file-link" for={fileId}>
            {t('text.open')}
          </label>
        </span>
      </div>
      <fieldset
        class="sources"
        onPointerDown={() => {
          isByPointer.current = true;
        }}
        onKeyDown={() => {
          isByPointer.current = false;
        }}
      >
        <legend class="visually-hidden">{t('text.choose')}</legend>
        <Segments
          values={offered}
          value={source}
          textOf={(id) => titles.get(id)!}
          onValue={choose}
        />
      </fieldset>
      <TextField
        area={area}
        noteId={noteId}
        isInvalid={isWrong}
        onType={unlisted(actions.onType)}
        onUndo={undo}
      />
      {/* The alert exists before its text, otherwise screen readers would skip it. */}
      <p
        class={isWrong ? 'note error' : 'note'}
        role="alert"
        data-part="text-error"
        hidden={problem === null}
      >
        {problem === null ? '' : messageOf(textProblemFor(problem, lesson), words)}
      </p>
      <TextNotes id={noteId} />
    </>
  );
}
