/** The loss curve of the run, and of earlier ones. */
import { createLossChart } from '../../views/loss-chart.ts';
import { unheldShown } from '../held-out.ts';
import { lossData } from '../loss-data-of.ts';
import { panelOf } from './panel.ts';
import type { CreatePanel } from './panel.ts';

/** A first run that is over within so many milliseconds is over before anybody could watch it. */
const QUICK = 10_000;
/** One of fewer steps was meant to be short. */
const MEANT = 1000;
/** What slows it down; a lesson can leave either out. */
const SLOWED: ReadonlySet<string> = new Set(['pace', 'rewind']);

export const createLoss: CreatePanel = (container, context) => {
  const { words, state, actions, session, lesson } = context;
  const view = createLossChart(container, {
    words,
    onChoice: actions.onLossChoice,
    onShow: (id, shown) => session()?.showEarlier(id, shown),
    onRemove: (id) => session()?.removeEarlier(id),
  });
  /** Which run was seen at work first, and when. */
  let seen: { readonly number: number; readonly since: number } | null = null;
  let took = Infinity;

  /** Whether slowing down has to be spoken of, and can be done here. */
  function wasQuick(): boolean {
    const now = session();
    const run = now?.run ?? null;
    if (run?.state === 'running') {
      if (seen?.number !== run.number) seen = { number: run.number, since: performance.now() };
      took = performance.now() - seen.since;
    }
    if (
      run?.state !== 'finished' ||
      run.number !== seen?.number ||
      run.steps < MEANT ||
      now?.earlier.all.length !== 0
    )
      return false;
    const canSlow = state.pace === 0 && ![...lesson.hide].some((one) => SLOWED.has(one));
    return canSlow && took < QUICK;
  }

  return panelOf(view, () => {
    const now = session();
    const opened = now?.runModel ?? null;
    view.update({
      ...lossData(now, words),
      choice: state.lossChoice,
      unheld: unheldShown(now, words),
      quick: wasQuick(),
      opened: opened === null ? null : { step: opened.facts.step, trains: now?.trains === true },
    });
  });
};
