import { yieldTask } from '../base/yield-task.ts';

/** Milliseconds after which what waits is done all the same. */
const LATEST = 500;

/**
 * Does `action` when the browser has nothing better to do, such as drawing what has just changed.
 */
export function whenIdle(action: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(action, { timeout: LATEST });
  else setTimeout(action, LATEST);
}

/** Resolves when the browser has nothing better to do. */
export function idle(): Promise<void> {
  return new Promise(whenIdle);
}

/** Milliseconds after which the next part of the page is made, however busy the browser is. */
const NEXT = 100;

/**
 * Lets the browser do what is due first, between parts of the page that it has to make in any case.
 */
export function makeRest(): () => Promise<void> {
  // Where the browser does not say when it rests, what has come meanwhile goes first.
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

/**
 * Milliseconds after which a frame counts as drawn where the browser draws none, behind another
 * window.
 */
const FRAME = 100;

/**
 * Resolves once the browser has drawn what was changed until now, so that a press shows its effect.
 */
export function drawn(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, FRAME);
    requestAnimationFrame(() => {
      // The frame is drawn behind this.
      setTimeout(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  });
}
