/** A note beside a copied passage: its places in the training text. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { characters } from '../../base/characters.ts';
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { FloatingNote } from '../../kit/floating-note.tsx';
import { useWords } from '../component.tsx';
import type { ShownRun } from './sentences.ts';

/** Opens the note beside the mark of a part of `text`. */
export type OpenPlace = (mark: HTMLElement, text: string, run: ShownRun) => void;

/**
 * The note, null while it is closed, and the function that opens it. `onLeaveOut` trains a run
 * without a line; null if that is impossible.
 */
export function usePlaceNote(
  onLeaveOut: ((line: number) => void) | null,
): readonly [VNode | null, OpenPlace] {
  const words = useWords();
  const { t, number } = words;
  const [shown, show] = useState<Parameters<OpenPlace> | null>(null);
  const open: OpenPlace = (...place) => show(place);
  if (shown === null) return [null, open];
  const [mark, text, run] = shown;
  const close = (): void => show(null);
  const leaveOut = (): void => {
    close();
    onLeaveOut?.(run.line);
  };
  const title = t('copied.place', { line: number(run.line) });
  const note = (
    <FloatingNote anchor={mark} title={title} close={t('glossary.close')} onClose={close}>
      <Place
        text={text}
        run={run}
        words={words}
        onLeaveOut={onLeaveOut === null ? null : leaveOut}
      />
    </FloatingNote>
  );
  return [note, open];
}

interface PlaceProps {
  readonly text: string;
  readonly run: ShownRun;
  readonly words: AllWords;
  readonly onLeaveOut: (() => void) | null;
}

function Place({ text, run, words, onLeaveOut }: PlaceProps) {
  const { t, number } = words;
  const next = characters(text.slice(run.end))[0] ?? '';
  const often =
    run.count === 1 ? t('copied.once') : t('copied.often', { count: number(run.count) });
  const further = next.trim() === '' || run.isLine ? '' : t('copied.next', { next });
  return (
    <>
      <p class="copied-place" translate={false} dir="auto">
        {run.before}
        <mark>{text.slice(run.start, run.end)}</mark>
        {run.after}
      </p>
      <p class="note">{sentences([often, further], words)}</p>
      {/* Starts a twin that never reads this line. */}
      {onLeaveOut === null ? null : (
        <button type="button" class="link" onClick={onLeaveOut}>
          {t('copied.left-out')}
        </button>
      )}
    </>
  );
}
