/** The loss curve. */
import { createLossChart } from '../../views/loss-chart.ts';
import { LossHistory } from '../../views/loss-history.ts';
import { shownPlan } from '../session.ts';
import { panelOf } from './panel.ts';
import type { CreatePanel } from './panel.ts';

const NO_LOSSES = new LossHistory();

export const createLoss: CreatePanel = (container, { words, session }) => {
  const view = createLossChart(container, { words });
  return panelOf(view, () => {
    const run = session()?.run ?? null;
    const plan = shownPlan(session());
    view.update({
      history: run?.history ?? NO_LOSSES,
      randomLoss: plan?.randomLoss ?? NaN,
      steps: run?.steps ?? 0,
      hasValidation: plan?.hasValidation ?? false,
    });
  });
};
