/** Texts that the model writes while it trains. */
import { createSamples } from '../../views/samples.ts';
import { panelOf } from './panel.ts';
import type { CreatePanel } from './panel.ts';

export const createSamplesPanel: CreatePanel = (container, { words, session }) => {
  const view = createSamples(container, { words });
  return panelOf(view, () => {
    view.update({ entries: session()?.run?.samples ?? [] });
  });
};
