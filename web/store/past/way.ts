/** Tells of a way to a step that takes its time. */

export interface Going {
  readonly from: number;
  readonly done: number;
  readonly to: number;
  readonly secondsLeft: number;
}

/**
 * Milliseconds after which a way is told of, since shorter ones are over before they are read; and
 * between two words of it.
 */
const NOTICED = 400;

/** What hears the steps of a way to `to`, as the engine tells them. */
export function wayTo(to: number, tell: (going: Going) => void): (done: number) => void {
  let [from, began, told] = [-1, 0, 0];
  return (done) => {
    const now = performance.now();
    if (from < 0) [from, began] = [done, now];
    if (now - began < NOTICED || now - told < NOTICED) return;
    told = now;
    tell({ from, done, to, secondsLeft: ((now - began) / 1000 / (done - from)) * (to - done) });
  };
}
