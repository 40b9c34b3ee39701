/** Playback of a run: shows steps one after the other. */
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { seenAt, stepLookedAt } from '../../store/timeline.ts';
import { useInstrument } from '../component.tsx';
import { filmSteps } from './film-steps.ts';

/** Minimum milliseconds per step. */
const BEAT = 150;

interface Playing {
  /** The requested step, and the step shown when it was requested; null is the newest step. */
  readonly step: number | null;
  readonly before: number | null;
  /** The steps to show after `step`. */
  readonly rest: readonly number[];
}

export interface Play {
  readonly isPlaying: boolean;
  readonly start: () => void;
  readonly stop: () => void;
}

/** Playback of the shown run. Ends if the reader chooses a step. */
export function usePlay(): Play {
  const { session, state, actions } = useInstrument();
  const [playing, setPlaying] = useState<Playing | null>(null);
  const now = session();
  const lookedAt = (): number | null => stepLookedAt(state.lookedAt, session()?.run ?? null);
  const at = lookedAt();
  const show = ([step = 0, ...rest]: readonly number[]): void => {
    const shown = step >= (session()?.run?.step ?? 0) ? null : step;
    setPlaying(rest.length > 0 ? { step: shown, before: lookedAt(), rest } : null);
    actions.onLookAt(shown);
  };
  useLayoutEffect(() => {
    if (playing === null || at === playing.before) return;
    // The page shows `before` until it shows the requested step. Any other step was chosen by the
    // reader and ends the playback.
    setPlaying(at === playing.step ? { ...playing, before: at } : null);
  });
  const hasFailed = playing !== null && (now?.lookedAt.past?.error ?? null) !== null;
  useLayoutEffect(() => {
    if (hasFailed) setPlaying(null);
  }, [hasFailed]);
  const isSeen = playing !== null && at === playing.step && seenAt(now, at) !== null;
  useEffect(() => {
    const timer = isSeen ? setTimeout(() => show(playing.rest), BEAT) : undefined;
    return () => clearTimeout(timer);
  }, [isSeen, at]);
  return {
    isPlaying: playing !== null,
    start() {
      const now = session();
      const run = now?.run ?? null;
      const firstStep = now?.lookedAt.firstStep ?? null;
      if (run === null || firstStep === null) return;
      const steps = filmSteps(firstStep, run.step);
      // Continues after the shown step; from the newest step, starts again at the first.
      const rest = steps.filter((step) => step > (lookedAt() ?? Infinity));
      show(rest.length > 0 ? rest : steps);
    },
    stop: () => setPlaying(null),
  };
}
