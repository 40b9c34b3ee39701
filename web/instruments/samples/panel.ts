/** Texts that the model writes while it trains. */
import { createSamples } from './view.ts';
import { shownTokenizer } from '../../store/training/session.ts';
import { stepLookedAt } from '../../store/timeline.ts';
import { panelOf } from '../panel.ts';
import type { CreatePanel } from '../panel.ts';

export const createSamplesPanel: CreatePanel = (container, { words, session, state }) => {
  const view = createSamples(container, { words });
  return panelOf(view, () => {
    const now = session();
    view.update({
      entries: now?.run?.samples ?? [],
      lookedAt: stepLookedAt(state.lookedAt, now?.run ?? null),
      // A character of the text may be � itself.
      pieces: shownTokenizer(now) !== 'char',
      training: now?.run?.state === 'running',
    });
  });
};
