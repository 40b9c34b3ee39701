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

// A press finds the state that the press before it left, also within one frame.
for (const type of ['pointerdown', 'keydown']) {
  addEventListener(type, drawChanges, { capture: true });
}

options.debounceRendering = (process) => {
  flush = process;
  changed.request();
};

/**
 * An update of a panel with a turn of its own among the frames: panels that all render in one frame
 * make a long task on a phone.
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
    },
    cancel: () => {
      updates.delete(turn);
      turn.cancel();
    },
  };
}
