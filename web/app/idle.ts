/** Milliseconds after which what waits is done all the same. */
const LATEST = 500;

/** Does `action` when the browser has nothing better to do, such as drawing what has just changed. */
export function whenIdle(action: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(action, { timeout: LATEST });
  else setTimeout(action, LATEST);
}
