/** Texts that the model writes while it trains. */
import { SITE } from '../../base/form.ts';
import { createSamples } from './view.ts';
import { shows } from '../../store/address/lesson.ts';
import { shownTokenizer } from '../../store/training/session.ts';
import { seenAt, stepLookedAt } from '../../store/timeline.ts';
import { panelOf } from '../panel.ts';
import type { CreatePanel } from '../panel.ts';

export const createSamplesPanel: CreatePanel = (container, context) => {
  const { words, session, state, lesson, goTo, textMarks } = context;
  const onShare = (): void => {
    goTo('card');
  };
  const hasCard = SITE && shows(lesson, 'card');
  const view = createSamples(container, { words, textMarks, onShare: hasCard ? onShare : null });
  return panelOf(view, () => {
    const now = session();
    const lookedAt = stepLookedAt(state.lookedAt, now?.run ?? null);
    view.update({
      entries: now?.run?.samples ?? [],
      lookedAt,
      exact: seenAt(now, lookedAt)?.samples.at(-1) ?? null,
      // A character of the text may be � itself.
      pieces: shownTokenizer(now) !== 'char',
      stream: now?.current?.info.documents === false,
      training: now?.run?.state === 'running',
    });
  });
};
