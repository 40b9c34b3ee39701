/** Loads code or data on demand, with retries. */

import { beginWork } from './at-rest.ts';

/** Milliseconds before a retry. */
const PATIENCE = 5_000;

export interface Loadable {
  /** Starts loading at the first call. After a failure, retries until it succeeds. */
  want(): void;
  /** Retries at once if the last attempt failed. */
  retry(): void;
  /** Ends loading; a result that still arrives is ignored. */
  cancel(): void;
}

/**
 * Calls `load` at the first `want`, and `take` with the result; calls `missing` after each failed
 * attempt.
 */
export function loadable<Thing>(
  load: () => Promise<Thing>,
  take: (thing: Thing) => void,
  missing: () => void = () => undefined,
): Loadable {
  let wanted = false;
  let cancelled = false;
  /** Timer of the next retry; undefined unless the last attempt failed. */
  let timer: ReturnType<typeof setTimeout> | undefined;
  const attempt = (): void => {
    const end = beginWork();
    load()
      .then(
        (thing) => {
          if (cancelled) return;
          removeEventListener('online', retry);
          take(thing);
        },
        () => {
          if (cancelled) return;
          timer = setTimeout(retry, PATIENCE);
          missing();
        },
      )
      .finally(end);
  };
  const retry = (): void => {
    if (timer === undefined || cancelled) return;
    clearTimeout(timer);
    timer = undefined;
    attempt();
  };
  return {
    want() {
      if (wanted || cancelled) return;
      wanted = true;
      addEventListener('online', retry);
      attempt();
    },
    retry,
    cancel() {
      cancelled = true;
      clearTimeout(timer);
      removeEventListener('online', retry);
    },
  };
}
