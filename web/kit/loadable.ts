/** What is not needed at once: nobody should have to wait for it before what is. */

import { beginWork } from './at-rest.ts';

/** Milliseconds before something that did not come is asked for again. */
const PATIENCE = 5_000;

export interface Loadable {
  /** Asks for it, unless that was done; until it comes, it is asked for again now and then. */
  want(): void;
  /** Asks for it at once if the last attempt has failed. */
  retry(): void;
  /** It is not wanted any more. */
  cancel(): void;
}

/**
 * Something that `load` brings when it is first wanted, and that `take` is then given; `missing`
 * is told of each attempt that fails.
 */
export function loadable<Thing>(
  load: () => Promise<Thing>,
  take: (thing: Thing) => void,
  missing: () => void = () => undefined,
): Loadable {
  let wanted = false;
  let cancelled = false;
  /** Runs while the last attempt has failed. */
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
