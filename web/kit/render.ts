/** Renders components: changes of signals and state are drawn by the page's frame scheduler. */
import { options } from 'preact';
import { perFrame } from './dom.ts';

export { render } from 'preact';

type Turn = ReturnType<typeof perFrame>;

/** Pending updates of panels. */
const updates = new Set<Turn>();
let flush: () => void = () => undefined;
const changed = perFrame(() => flush(), 'first');

/** Draws pending changes now instead of in the next frames. */
export function drawChanges(): void {
  for (const { settle } of updates) settle();
  changed.settle();
}

/** Draws pending changes before the next press, which may come in the same frame. */
function drawBeforePress(): void {
  for (const type of ['pointerdown', 'keydown']) {
    addEventListener(type, drawChanges, { capture: true, once: true });
  }
}

options.debounceRendering = (process) => {
  flush = process;
  changed.request();
  drawBeforePress();
};

/**
 * Schedules the update of a panel as a drawing of its own: updating all panels in one frame would
 * be a long task on a phone.
 */
export function panelUpdate(update: () => void): Pick<Turn, 'request' | 'cancel'> {
  const turn: Turn = perFrame(() => {
    updates.delete(turn);
    update();
    changed.settle();
  });
  return {
    request: () => {
      updates.add(turn);
      turn.request();
      drawBeforePress();
    },
    cancel: () => {
      updates.delete(turn);
      turn.cancel();
    },
  };
}
