/**
 * Whether the page is at rest: all panels are made, and no drawing or download is pending. An app
 * reports this in `data-rest` of its element; measurements and tests wait for it.
 */
import { whenIdle } from './idle.ts';

let busy = 0;
const listeners = new Set<(rests: boolean) => void>();

function tell(rests: boolean): void {
  for (const listener of listeners) listener(rests);
}

/** Counts work as pending until the returned function is called; further calls do nothing. */
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

/**
 * Calls `listener` when work begins or all work has ended, until the returned function is called.
 */
export function watchRest(listener: (rests: boolean) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
