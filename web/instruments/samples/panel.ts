/** Texts that the model writes while it trains. */
import { createSamples } from './view.ts';
import { shownTokenizer } from '../../store/training/session.ts';
import { panelOf } from '../panel.ts';
import type { CreatePanel } from '../panel.ts';

export const createSamplesPanel: CreatePanel = (container, { words, session }) => {
  const view = createSamples(container, { words });
  return panelOf(view, () => {
    const now = session();
    view.update({
      entries: now?.run?.samples ?? [],
      // A character of the text may be � itself.
      pieces: shownTokenizer(now) !== 'char',
      training: now?.run?.state === 'running',
    });
  });
};
