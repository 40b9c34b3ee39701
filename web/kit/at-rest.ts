/**
 * Whether the page is at rest: no panel is still to be made, nothing waits for a frame, no code is
 * on its way. An app says so in `data-rest` of its element; measurements and tests wait for that.
 */
import { whenIdle } from './idle.ts';

let busy = 0;
const listeners = new Set<(rests: boolean) => void>();

function tell(rests: boolean): void {
  for (const listener of listeners) listener(rests);
}

/**
 * Counts work as under way until the returned function is called; calling it again does nothing.
 */
export function beginWork(): () => void {
  if (++busy === 1) tell(false);
  let ended = false;
  return () => {
    if (ended) return;
    ended = true;
    if (--busy > 0) return;
    whenIdle(() => {
      if (busy === 0) tell(true);
    });
  };
}

/** Calls `listener` whenever work begins or has ended, until the returned function is called. */
export function watchRest(listener: (rests: boolean) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
