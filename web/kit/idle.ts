import { yieldTask } from '../base/yield-task.ts';

/** Maximum wait of an action, in milliseconds. */
const LATEST = 500;

/** Calls `action` when the browser is idle, for example after drawing the last change. */
export function whenIdle(action: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(action, { timeout: LATEST });
  else setTimeout(action, LATEST);
}

/** Resolves when the browser is idle. */
export function idle(): Promise<void> {
  return new Promise(whenIdle);
}

/**
 * Maximum wait before the next part of the page is made, in milliseconds, even if the browser is
 * busy.
 */
const NEXT = 100;

/**
 * Returns a function that yields to the browser before the next part of the page is made, but never
 * for longer than NEXT, because all parts are needed.
 */
export function makeRest(): () => Promise<void> {
  // Pending tasks at least run in between, if the browser has no idle callbacks.
  if (!('requestIdleCallback' in window)) return yieldTask;
  return () =>
    new Promise((resolve) => {
      requestIdleCallback(
        () => {
          resolve();
        },
        { timeout: NEXT },
      );
    });
}

/** Milliseconds after which a frame counts as drawn, because a covered window draws no frames. */
const FRAME = 100;

/** Resolves once the browser has drawn all changes so far, so that a press shows its effect. */
export function drawn(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, FRAME);
    requestAnimationFrame(() => {
      // This timer fires after the frame is drawn.
      setTimeout(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  });
}
