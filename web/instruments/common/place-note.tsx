/** A note beside a copied passage: one place in the training text, and how often it occurs. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { characters } from '../../base/characters.ts';
import type { CopiedRun } from '../../engine/trainer.ts';
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { FloatingNote } from '../../kit/floating-note.tsx';
import { TAB_SECTION } from '../../store/address/lesson.ts';
import { LinesToLeave } from '../../store/training/lines-to-leave.ts';
import { useInstrument } from '../component.tsx';

/** Opens the note beside `mark`, the marked match `run` of `text`. */
export type OpenPlace = (mark: HTMLElement, text: string, run: CopiedRun) => void;

/** Returns the note, null while it is closed, and the function that opens it. */
export function usePlaceNote(): readonly [VNode | null, OpenPlace] {
  const { words, kept, actions, goTo, offers } = useInstrument();
  const { t, number } = words;
  const [shown, show] = useState<Parameters<OpenPlace> | null>(null);
  const open: OpenPlace = (...place) => show(place);
  if (shown === null) return [null, open];
  const [mark, text, run] = shown;
  const close = (): void => show(null);
  /** Opens the tab of twins with this line to leave out. */
  const leaveOut = (): void => {
    close();
    kept(LinesToLeave).ask(String(run.line));
    actions.onTab('twin');
    goTo(TAB_SECTION);
  };
  const title = t('copied.place', { line: number(run.line) });
  const note = (
    <FloatingNote anchor={mark} title={title} close={t('glossary.close')} onClose={close}>
      <Place text={text} run={run} words={words} onLeaveOut={offers('twin') ? leaveOut : null} />
    </FloatingNote>
  );
  return [note, open];
}

interface PlaceProps {
  readonly text: string;
  readonly run: CopiedRun;
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
      {/* Opens the tab of twins, with this line to leave out. */}
      {onLeaveOut === null ? null : (
        <button type="button" class="link" onClick={onLeaveOut}>
          {t('copied.left-out')}
        </button>
      )}
    </>
  );
}
