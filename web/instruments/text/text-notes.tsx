/** Notes below the field about the opened file and the text, with buttons for their remedies. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { createReservedSpaces } from '../../kit/reserved-space.ts';
import { useEvents } from '../../kit/use-events.ts';
import { textProblem } from '../../store/messages.ts';
import { useFirstInstrument } from '../component.tsx';
import { explainPlan } from './explain-plan.ts';
import { FileLine } from './file-line.tsx';
import { broughtLine, broughtNow, suggestedPreset } from './text-lines.ts';

/** `id`: id of the notes that describe the text. */
export function TextNotes({ id }: { readonly id: string }) {
  const { words, state, session, lesson, actions } = useFirstInstrument();
  const { t } = words;
  const { source, shown, own, fileName, fileSize, reading } = state;
  const now = session();
  const isLocked = lesson.lock.has('settings');
  const preset = isLocked ? '' : suggestedPreset(state, now);
  const from = isLocked ? undefined : broughtNow(state, now)?.from;
  const isOwn = source === 'own';
  const replaced = !isOwn || !own.isInPlaceOfAnother ? null : own.isOfRun ? 'run' : 'text';
  const notes = [
    isOwn && shown !== '' && own.isUnkept ? t('text.unkept') : '',
    ...usePlanNotes(),
    broughtLine(state, now, words),
  ].filter(Boolean);
  const all = [preset, from?.preset, replaced, fileName, fileSize, reading, notes];
  const root = useReservedHeight(JSON.stringify(all));
  return (
    <div ref={root}>
      <div class="notes">
        {replaced === null ? null : (
          <p class="note">
            <span>{t(replaced === 'run' ? 'text.replaced' : 'text.aside')}</span>{' '}
            <button type="button" class="link" onClick={actions.onBringBack}>
              {t('text.replaced.back')}
            </button>
          </p>
        )}
        <FileLine />
        <div id={id} class="notes">
          {notes.map((note, index) => (
            <p key={index} class="note">
              {note}
              {from === undefined || index < notes.length - 1 ? null : (
                <>
                  {' '}
                  <button type="button" class="link" onClick={() => actions.onRecipe(from)}>
                    {t('text.brought.keep', { preset: from.preset })}
                  </button>
                </>
              )}
            </p>
          ))}
        </div>
        {preset === '' ? null : (
          <p class="note">
            <span>{t('text.suggest', { preset })}</span>{' '}
            <button type="button" class="link" onClick={actions.onSuggestion}>
              {t('text.suggest.use', { preset })}
            </button>
          </p>
        )}
      </div>
    </div>
  );
}

/** Notes on how the text will be read; they stay while a setting is impossible. */
function usePlanNotes(): readonly string[] {
  const { words, state, session } = useFirstInstrument();
  const last = useRef({ version: -1, notes: [] as readonly string[] });
  const now = session();
  const error = now?.plan === null ? now.error : null;
  const isSetting = error !== null && textProblem(state.textError, now) === null;
  if (!isSetting || last.current.version !== state.version) {
    last.current = { version: state.version, notes: explainPlan(state, now, words) };
  }
  return last.current.notes;
}

/**
 * Keeps the height of the notes when `content` changes while the focus is outside of the panel, so
 * that a pressed control below them stays in place. Releases the height once the focus enters the
 * panel, or the pointer moves above or beside the notes.
 */
function useReservedHeight(content: string): RefObject<HTMLDivElement | null> {
  const { container } = useFirstInstrument();
  const root = useRef<HTMLDivElement>(null);
  const last = useRef(content);
  const [reserved] = useState(createReservedSpaces);
  const { current } = root;
  if (current !== null && content !== last.current) {
    // Reads the height before the new notes are rendered.
    if (container.matches(':focus-within')) reserved.release(current);
    else reserved.reserve(current, current.offsetHeight, true);
  }
  last.current = content;
  const release = (): void => reserved.release(root.current!);
  useEvents(container, { focusin: release });
  useEvents(container.getRootNode(), {
    pointerover: ({ clientX: x, clientY: y }) => {
      if (!root.current!.classList.contains('reserves-space')) return;
      // Only a pointer below the notes may be about to press a control that would move.
      const { left, right, top } = root.current!.getBoundingClientRect();
      if (y < top || x < left || x > right) release();
    },
  });
  useLayoutEffect(() => () => reserved.destroy(), []);
  return root;
}
