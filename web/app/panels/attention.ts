/** The maps of attention on the probe text. */
import { createAttentionPanel } from '../../views/attention-panel.ts';
import { messageOf } from '../messages.ts';
import { panelOf } from './panel.ts';
import type { CreatePanel } from './panel.ts';

export const createAttention: CreatePanel = (container, context) => {
  const { words, state, actions, isDark, session } = context;
  const view = createAttentionPanel(container, {
    words,
    isDark,
    probe: state.probe,
    onProbe: actions.onProbe,
  });
  let probe = state.probe;
  return panelOf(view, () => {
    // Another text brings a probe text of its own.
    if (probe !== state.probe) {
      probe = state.probe;
      view.setProbe(probe);
    }
    const run = session()?.run ?? null;
    const error = run?.attentionError ?? null;
    // An empty field is no mistake worth a red line.
    const silent = error === null || error.code === 'empty';
    view.update({
      attention: run?.attention ?? null,
      omitted: run?.attention?.omitted ?? 0,
      error: silent ? '' : messageOf(error, words),
    });
  });
};
