/** A note beside a copied passage: its places in the training text. */
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { characters } from '../../base/characters.ts';
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { el, setText } from '../../kit/dom.ts';
import { FloatingNote } from '../../kit/floating-note.ts';
import { render } from '../../kit/render.ts';
import { useResize } from '../../kit/resize.ts';
import { useWords } from '../component.tsx';
import type { ShownRun } from './sentences.ts';

/** Opens the note beside the mark of a part of `text`. */
export type OpenPlace = (mark: HTMLElement, text: string, run: ShownRun) => void;

/**
 * The note, initially closed, and the function that opens it. `onLeaveOut` trains a run without a
 * line; null if that is impossible.
 */
export function usePlaceNote(
  onLeaveOut: ((line: number) => void) | null,
): readonly [VNode, OpenPlace] {
  const words = useWords();
  const { t, number } = words;
  const box = useRef<HTMLDivElement>(null);
  const parts = useRef<{ readonly note: FloatingNote; readonly body: HTMLElement } | null>(null);
  useEffect(() => {
    const body = el('div');
    const note = new FloatingNote(box.current!, t('glossary.close'), body);
    parts.current = { note, body };
    return () => {
      note.destroy();
      render(null, body);
    };
  }, []);
  useResize(() => parts.current?.note.place());
  const open: OpenPlace = (mark, text, run) => {
    if (parts.current === null) return;
    const { note, body } = parts.current;
    const leaveOut = (): void => {
      note.close();
      onLeaveOut?.(run.line);
    };
    note.open(mark, () => {
      setText(note.title, t('copied.place', { line: number(run.line) }));
      const onPress = onLeaveOut === null ? null : leaveOut;
      render(<Place text={text} run={run} words={words} onLeaveOut={onPress} />, body);
    });
  };
  return [<div ref={box} style={{ display: 'contents' }} />, open];
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
