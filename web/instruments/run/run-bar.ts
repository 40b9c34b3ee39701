/** State of the run bar, and the actions of its buttons. */
import type { ErrorFacts } from '../../engine/errors.ts';
import { placeOf } from '../../store/messages.ts';
import type { RunBarState } from '../../store/remote.ts';
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

/** `renew` starts a run with the changed settings. */
export type Deed = (typeof DEEDS)[RunBarState] | 'renew';

export type RunBar = ReturnType<typeof useRunBar>;

/** State shared by several parts of the run bar. */
export function useRunBar() {
  const { words, state, session, lesson } = useFirstInstrument();
  const now = session();
  const run = now?.run ?? null;
  const problem = state.loadError ?? run?.error ?? now?.error ?? null;
  const changed = now === null ? [] : changesOf(now, words);
  // A model that only generates has nothing to start; its message names the place to change that.
  const trains = run === null || now?.trains !== false;
  const at = runBarState(now, problem, state.awaitsText);
  const rests = at === 'paused' || at === 'finished';
  const isChanged = changed.length > 0;
  // The next run cannot start. Its button stays and leads to the mistake, because another button in
  // its place would train the old model.
  const isBarred = rests && isChanged && problem !== null && problem === now?.error;
  const isRenewable = isBarred || (isChanged && problem === null && now?.plan !== null);
  const renews = rests && isRenewable;
  const deed: Deed = renews ? 'renew' : DEEDS[at];
  // Further steps would change a setting.
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
    /** Whether a run with the changed settings can start. */
    isRenewable,
    /** Whether the large button starts that run, in place of the run that is at rest. */
    renews,
    deed,
    /** Whether the lesson fixes the settings, and with them the number of steps. */
    isFixed,
    /** Whether the large button can do nothing, and the message is the only help. */
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
    // On a phone, the curves are below the window.
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
