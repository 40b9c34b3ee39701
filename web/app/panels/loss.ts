/** The loss curve of the run, and of earlier ones. */
import { createLossChart } from '../../views/loss-chart.ts';
import { lossData } from '../loss-data-of.ts';
import { panelOf } from './panel.ts';
import type { CreatePanel } from './panel.ts';

export const createLoss: CreatePanel = (container, { words, state, actions, session }) => {
  const view = createLossChart(container, {
    words,
    onChoice: actions.onLossChoice,
    onShow: (id, shown) => session()?.showEarlier(id, shown),
    onRemove: (id) => session()?.removeEarlier(id),
  });
  return panelOf(view, () => {
    const now = session();
    const opened = now?.runModel ?? null;
    view.update({
      ...lossData(now, words),
      choice: state.lossChoice,
      opened: opened === null ? null : { step: opened.facts.step, trains: now?.trains === true },
    });
  });
};
