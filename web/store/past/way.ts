/** Reports the progress of a recomputation that takes long enough to notice. */

export interface Going {
  readonly from: number;
  readonly done: number;
  readonly to: number;
  readonly secondsLeft: number;
}

/**
 * Milliseconds before the first report, because shorter recomputations end before it can be read;
 * also the minimum between two reports.
 */
const NOTICED = 400;

/**
 * Returns a listener for the steps of a recomputation up to `to`; it calls `tell` with the
 * progress.
 */
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
