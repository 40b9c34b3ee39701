/** Reads the newest text to those who hear the page: seldom while training, and once at its end. */
import { useRef } from 'preact/hooks';
import type { SampleEntry } from '../../kit/written.ts';
import { useFirstInstrument } from '../component.tsx';

/** Milliseconds between two announcements: texts change far faster. */
const QUIET = 10_000;

/** The sentence to read; empty before the first. */
export function useSpoken(newest: SampleEntry | undefined, isTraining: boolean): string {
  const { t, number } = useFirstInstrument().words;
  const last = useRef<{
    readonly at: number;
    readonly of: SampleEntry | undefined;
    readonly said: string;
  }>({ at: 0, of: undefined, said: '' });
  const wasTraining = useRef(false);
  const { at, of, said } = last.current;
  // Nothing is read of a run that was opened at its end.
  const isOpened = !isTraining && !wasTraining.current;
  wasTraining.current = isTraining;
  if (isOpened) last.current = { at, of: newest, said };
  else if (newest !== undefined && newest !== of) {
    const now = performance.now();
    if (isTraining && now - at < QUIET) return said;
    const text = newest.texts.find((one) => one.trim() !== '') ?? t('samples.nothing');
    const step = number(newest.step);
    last.current = { at: now, of: newest, said: t('samples.spoken', { step, text }) };
  }
  return last.current.said;
}
