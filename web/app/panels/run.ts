/** The strip that starts, paces and ends the run. */
import type { ErrorFacts } from '../../engine/errors.ts';
import { createRunStrip } from '../../views/run-strip.ts';
import type { StripState } from '../../views/run-strip.ts';
import { messageOf, placeOf } from '../messages.ts';
import type { Session } from '../session.ts';
import { PACES } from '../state.ts';
import { panelOf } from './panel.ts';
import type { CreatePanel } from './panel.ts';

export const createRun: CreatePanel = (container, context) => {
  const { words, state, actions, session, goTo } = context;
  const view = createRunStrip(container, {
    words,
    paces: PACES,
    onPace: actions.onPace,
    onStart: () => {
      start('start');
    },
    onPause: () => session()?.pause(),
    onStep: () => {
      start('step');
    },
    onRewind: () => session()?.rewind(),
    onNewSeed: () => session()?.newSeed(),
    onExtend: () => session()?.extend(),
    onRestart: () => session()?.restart(true),
    onGentler: () => session()?.gentler(),
  });

  /** Starts or steps; where that is impossible, goes to the place where it can be mended. */
  function start(what: 'start' | 'step'): void {
    const now = session();
    if (now === null) return;
    const mendable = now.error === null ? null : placeOf(now.error);
    const option = mendable?.options[0];
    if (now.run?.step) {
      // A run under way can go on, whatever is wrong with plans for another.
    } else if (option !== undefined) {
      goTo({ option });
    } else if (mendable?.text === true) {
      goTo('text');
    }
    if (what === 'start') now.start();
    else now.step();
  }

  return panelOf(view, () => {
    const now = session();
    const run = now?.run ?? null;
    const problem = state.loadError ?? run?.error ?? now?.error ?? null;
    const changed = (now?.pending() ?? []).map((name) =>
      name === 'text' ? words.t('run.changed.text') : (words.find(`option.${name}`) ?? name),
    );
    view.update({
      state: stripState(now, problem),
      step: run?.step ?? 0,
      steps: run?.steps ?? 0,
      pace: state.pace,
      loss: run?.history.smoothedLast ?? null,
      tokensPerSecond: run?.tokensPerSecond ?? 0,
      stepsPerSecond: run?.stepsPerSecond ?? 0,
      extension: now?.extension ?? 0,
      changed,
      message: problem === null ? '' : messageOf(problem, words),
      messageIsError: true,
    });
  });
};

/** What the strip says of a run, or of what stands in its way. */
export function stripState(session: Session | null, problem: ErrorFacts | null): StripState {
  const run = session?.run ?? null;
  if (run !== null && (run.step > 0 || run.state === 'running' || run.state === 'diverged')) {
    // A run that is opened at its end has nothing to continue: it can be trained further.
    if (run.state === 'paused' && run.step >= run.steps && session?.trains === true)
      return 'finished';
    return run.state === 'none' ? 'ready' : run.state;
  }
  if (problem !== null) return 'blocked';
  return (session?.plan ?? null) === null ? 'loading' : 'ready';
}
