/** What a recipe makes of the text, in figures. */
import { createPlanLine } from '../../views/plan-line.ts';
import { UNKNOWN_TOKENS } from '../../views/loss-data.ts';
import { shownPlan } from '../session.ts';
import { panelOf } from './panel.ts';
import type { CreatePanel } from './panel.ts';

export const createPlan: CreatePanel = (container, { words, state, session }) => {
  const view = createPlanLine(container, { words });
  return panelOf(view, () => {
    const now = session();
    const changed = now !== null && now.pending().length > 0;
    view.update({
      plan: shownPlan(now),
      next: changed ? now.plan : null,
      unit: state.lossChoice.unit,
      tokensPerCharacter: now?.tokensPerCharacter ?? UNKNOWN_TOKENS,
    });
  });
};
