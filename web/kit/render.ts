/** Renders components: changes of signals and state are drawn by the page's frame scheduler. */
import { options } from 'preact';
import { perFrame } from './dom.ts';

export { render } from 'preact';

let flush: () => void = () => undefined;
const turn = perFrame(() => flush(), 'first');

/** Draws pending changes now instead of in the next frame. */
export const drawChanges = turn.settle;

options.debounceRendering = (process) => {
  flush = process;
  turn.request();
  // A press within the frame finds the state that the press before it left.
  for (const type of ['pointerdown', 'keydown']) {
    addEventListener(type, drawChanges, { capture: true, once: true });
  }
};
