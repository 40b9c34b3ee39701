/** State of the run bar, and the actions of its buttons. */
import type { ErrorFacts } from '../../engine/errors.ts';
import { placeOf } from '../../store/messages.ts';
import type { RunBarState } from '../../store/host/host.ts';
import { stepLookedAt } from '../../store/timeline.ts';
import { runBarState } from '../../store/training/run-bar-state.ts';
import { useFirstInstrument } from '../component.tsx';
import { leadToMistake } from '../lead-to-mistake.ts';
import { changesOf, runBarMessage } from './messages.ts';

/** Action of the large button in each state of the run. */
const DEEDS = {
  loading: 'wait',
  blocked: 'start',
  ready: 'start',
  running: 'pause',
  paused: 'continue',
  finished: 'extend',
  diverged: 'rewind',
} as const satisfies Record<RunBarState, string>;

/** Action of the large button; `renew` starts a run with the changed settings. */
export type Deed = (typeof DEEDS)[RunBarState] | 'renew';

export type RunBar = ReturnType<typeof useRunBar>;

/** State shared by several parts of the run bar. */
export function useRunBar() {
  const { words, state, session, lesson } = useFirstInstrument();
  const now = session();
  const run = now?.run ?? null;
  const problem = state.loadError ?? run?.error ?? now?.error ?? null;
  const changed = now === null ? [] : changesOf(now, words);
  // A model that can only generate has no run to start; its message says what is missing.
  const trains = run === null || now?.trains !== false;
  const at = runBarState(now, problem, state.awaitsText);
  const rests = at === 'paused' || at === 'finished';
  const isChanged = changed.length > 0;
  // The next run cannot start. The large button still offers it and leads to the mistake, because
  // "Continue" in its place would train the old model.
  const isBarred = rests && isChanged && problem !== null && problem === now?.error;
  const isRenewable = isBarred || (isChanged && problem === null && now?.plan !== null);
  const renews = rests && isRenewable;
  const deed: Deed = renews ? 'renew' : DEEDS[at];
  // Further steps would change a setting, the number of steps.
  const isFixed = lesson.lock.has('settings');
  const cannotExtend = isFixed && deed === 'extend';
  const message = runBarMessage(problem, now, trains, { words, lesson });
  return {
    now,
    run,
    at,
    problem,
    changed,
    trains,
    /**
     * Whether to offer a run with the changed settings: it can start, or the button leads to the
     * mistake that prevents it.
     */
    isRenewable,
    /**
     * Whether the large button offers a run with the changed settings instead of continuing the
     * paused or finished run.
     */
    renews,
    deed,
    /** Whether the lesson fixes the settings, and with them the number of steps. */
    isFixed,
    /** Whether the large button has no effect, so that only the message helps. */
    isStuck:
      cannotExtend || (problem !== null && !isMendable(problem) && (at === 'blocked' || isBarred)),
    message: message === '' && cannotExtend ? words.t('run.extend.fixed') : message,
    step: run?.step ?? 0,
    steps: run?.steps ?? 0,
    lookedAt: stepLookedAt(state.lookedAt, run),
    /** Steps that “Train … more” adds. */
    extension: now?.current?.info.steps ?? 0,
  };
}

/** Whether the text or a setting causes the problem. */
function isMendable(problem: ErrorFacts): boolean {
  const { options, text } = placeOf(problem);
  return options.length > 0 || text;
}

/** Returns the actions of the buttons by name. */
export function useDeeds() {
  const { actions, session, goTo, reveal } = useFirstInstrument();
  const start = (act: () => void, reveals: boolean): void => {
    const now = session();
    if (now === null) return;
    // A started run can continue, even if the settings of the next run are invalid.
    const led = !now.run?.step && leadToMistake(now, goTo);
    // Scrolls to the output of the run, which is below the window on a phone.
    if (reveals && !led && now.error === null) reveal();
    act();
  };
  const revealed = (act: () => void): void => {
    reveal();
    act();
  };
  return {
    wait: () => undefined,
    start: () => start(actions.onStart, true),
    pause: () => session()?.pause(),
    step: () => start(actions.onStep, false),
    rewind: () => session()?.rewind(),
    seed: actions.onNewSeed,
    extend: () => revealed(actions.onExtend),
    continue: () => revealed(() => session()?.start()),
    renew: () => {
      if (!leadToMistake(session(), goTo)) revealed(() => session()?.restart(true));
    },
    tune: () => revealed(actions.onTune),
  };
}
