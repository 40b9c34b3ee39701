/** Announces the newest text to screen readers: at intervals during training, and at its end. */
import { useRef } from 'preact/hooks';
import { withoutUnreadable } from '../../kit/unreadable.ts';
import type { SampleEntry } from '../../kit/written.ts';
import { useFirstInstrument } from '../component.tsx';

/** Milliseconds between two announcements; texts change much faster. */
const QUIET = 10_000;

/** The sentence to announce; empty before the first announcement. */
export function useSpoken(newest: SampleEntry | undefined, isTraining: boolean): string {
  const { t, number } = useFirstInstrument().words;
  const last = useRef<{
    readonly at: number;
    readonly of: SampleEntry | undefined;
    readonly said: string;
  }>({ at: 0, of: undefined, said: '' });
  const wasTraining = useRef(false);
  const { at, of, said } = last.current;
  // A finished run that was just opened is not announced.
  const isOpened = !isTraining && !wasTraining.current;
  wasTraining.current = isTraining;
  if (isOpened) last.current = { at, of: newest, said };
  else if (newest !== undefined && newest !== of) {
    const now = performance.now();
    if (isTraining && now - at < QUIET) return said;
    const text = newest.texts.find((one) => one.trim() !== '') ?? t('samples.nothing');
    const step = number(newest.step);
    const read = withoutUnreadable(text, t('token.unreadable'));
    last.current = { at: now, of: newest, said: t('samples.spoken', { step, text: read }) };
  }
  return last.current.said;
}
