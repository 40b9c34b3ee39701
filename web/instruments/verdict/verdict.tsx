/**
 * The verdict on the shown texts: how much of them is new, always measured against chance. It
 * appears below the texts (`NewestNote`); screen readers announce it unless the run is training.
 */
import { useEffect } from 'preact/hooks';
import { shownSample } from '../../store/timeline.ts';
import { KeptTrace } from '../../store/training/kept-trace.ts';
import { LARGEST_TRACED_TEXT } from '../../store/training/text-trace.ts';
import type { RunData } from '../../store/training/run-data.ts';
import { usePlaceNote } from '../common/place-note.tsx';
import { panelWith, useInstrument } from '../component.tsx';
import { NewestNote } from '../newest-note.ts';
import { partsOf } from './sentence.ts';
import { VerdictState } from './state.ts';
import type { Shown } from './state.ts';

export const createVerdict = panelWith(Verdict, 'always');

/** Bytes of training text above which the lookup takes long enough to show `verdict.checking`. */
const LONG_TEXT = 500_000;

function Verdict() {
  const { words, session, state: page, kept, actions, goTo, startQuestions } = useInstrument();
  const state = kept(VerdictState);
  const note = kept(NewestNote);
  const trace = kept(KeptTrace).of({ session, startQuestions });
  const [place, openPlace] = usePlaceNote();
  const shown = (): Shown | null => {
    const run = session()?.current ?? null;
    const entry = shownSample(session(), page.lookedAt);
    return run === null || entry === undefined ? null : { run, entry };
  };
  const now = shown();
  const size = now?.run.text?.content.size ?? 0;
  const isAsked = now !== null && trace?.refusal === null && mayLookUp(now.run.data, size);
  useEffect(() => {
    if (isAsked) void state.look(trace, shown);
  });
  const verdict = state.verdict.value;
  // While a run trains, the verdict on the last texts stays until that on the newest is known.
  const isLive = isAsked && now.run.data.state === 'running' && page.lookedAt === null;
  const isCurrent =
    now !== null && verdict?.run === now.run.data.number && (isLive || verdict.entry === now.entry);
  const isSlow = isAsked && !isCurrent && size > LONG_TEXT;
  const lookAt = (step: number): void => {
    actions.onLookAt(step);
    // The pressed button disappears.
    goTo('run');
  };
  const presses = { place: openPlace, lookAt };
  const parts = isCurrent
    ? partsOf(verdict, now.run.info.documents, words, presses)
    : isSlow
      ? [words.t('verdict.checking')]
      : [];
  const said = parts.map((part) => (typeof part === 'string' ? part : part.text)).join('');
  useEffect(() => {
    note.parts.value = parts;
  }, [said, verdict]);
  useEffect(
    () => () => {
      note.parts.value = [];
    },
    [],
  );
  return (
    <>
      <p class="visually-hidden" role="status">
        {now?.run.data.state === 'running' ? '' : said}
      </p>
      {place}
    </>
  );
}

/**
 * Whether texts may be looked up in a training text of `size` bytes. A lookup starts a second
 * engine: not before the first step; and while the run trains only in a short text, and if the
 * machine has more cores than the run has threads.
 */
function mayLookUp({ step, state, threads }: RunData, size: number): boolean {
  if (step === 0 || size > LARGEST_TRACED_TEXT) return false;
  return state !== 'running' || (size <= LONG_TEXT && navigator.hardwareConcurrency > threads);
}
