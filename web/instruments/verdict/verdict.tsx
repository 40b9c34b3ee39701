/**
 * The verdict on the shown texts: how much of them is new, always measured against chance. Appears
 * below them (`NewestNote`), and is announced when training rests.
 */
import { useEffect } from 'preact/hooks';
import { shownSample } from '../../store/timeline.ts';
import { KeptTrace } from '../../store/training/kept-trace.ts';
import type { RunData } from '../../store/training/run-data.ts';
import { usePlaceNote } from '../common/place-note.tsx';
import { panelWith, useInstrument } from '../component.tsx';
import { NewestNote } from '../newest-note.ts';
import { partsOf } from './sentence.ts';
import { VerdictState } from './state.ts';
import type { Shown } from './state.ts';

export const createVerdict = panelWith(Verdict, 'always');

/** Minimum bytes of a text whose lookup takes long enough to be announced. */
const LONG_TEXT = 500_000;

function Verdict() {
  const { words, session, state: page, kept, actions, startQuestions } = useInstrument();
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
  const isAsked = now !== null && trace?.refusal === null && isFree(now.run.data);
  useEffect(() => {
    if (isAsked) void state.look(trace, shown);
  });
  const verdict = state.verdict.value;
  // While the next texts are looked up, the verdict on the last ones stays.
  const isCurrent =
    now !== null &&
    verdict?.run === now.run.data.number &&
    (isAsked || verdict.entry === now.entry);
  const isSlow = isAsked && !isCurrent && (now.run.text?.content.size ?? 0) > LONG_TEXT;
  const presses = { place: openPlace, lookAt: actions.onLookAt };
  const parts = isCurrent
    ? partsOf(verdict, now.run.info.documents, words, presses)
    : isSlow
      ? [words.t('verdict.checking')]
      : [];
  const said = parts.map((part) => (typeof part === 'string' ? part : part.text)).join('');
  useEffect(() => {
    note.parts.value = parts;
  }, [said]);
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
 * Whether texts are looked up: once the run has begun, because that starts an engine; while it
 * trains, only on a core beyond its threads.
 */
function isFree({ step, state, threads }: RunData): boolean {
  return step > 0 && (state !== 'running' || navigator.hardwareConcurrency > threads);
}
