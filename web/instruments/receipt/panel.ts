/**
 * The receipt among the panels of a lesson that asks for it; its code and words come with the
 * lesson only.
 */
import { el } from '../../kit/dom.ts';
import { withWords } from '../lazily.ts';
import type { CreatePanel, Panel } from '../panel.ts';

export const createLessonReceipt: CreatePanel = (container, context) => {
  const box = el('div', { class: 'receipt' });
  container.append(box);
  let panel: Panel | null = null;
  let destroyed = false;
  withWords(
    () => import('./receipt.ts').then(({ receiptBelow }) => receiptBelow('h2')),
    context.words.lang,
  ).then(
    (create) => {
      if (destroyed) return;
      panel = create(box, context);
      panel.update();
    },
    // Without a network there is no receipt; the lesson goes on without it.
    () => undefined,
  );
  return {
    update: () => panel?.update(),
    resize: () => panel?.resize(),
    destroy: () => {
      destroyed = true;
      panel?.destroy();
    },
  };
};
