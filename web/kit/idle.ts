import { yieldTask } from '../base/yield-task.ts';

/** Maximum milliseconds that an action waits. */
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

/** Maximum milliseconds between two parts of the page, even if the browser is busy. */
const NEXT = 100;

/**
 * Returns a function that yields to the browser between two parts of the page that must be made
 * anyway.
 */
export function makeRest(): () => Promise<void> {
  // Browsers without idle callbacks run tasks that arrived meanwhile.
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

/** Milliseconds after which a frame counts as drawn; a covered window draws no frames. */
const FRAME = 100;

/** Resolves once the browser has drawn all changes so far, so that a press shows its effect. */
export function drawn(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, FRAME);
    requestAnimationFrame(() => {
      // The frame is drawn before this timer.
      setTimeout(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  });
}
