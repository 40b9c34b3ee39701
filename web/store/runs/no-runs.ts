/** Keeps no runs, in a form whose notebook does. */
import type { Runs } from './run-keeper.ts';

const nothing = (): void => undefined;
const later = (): Promise<void> => Promise.resolve();

export class NoRuns implements Runs {
  readonly ready = false;
  readonly offer = null;
  readonly problem = null;
  readonly recognised = null;
  readonly undo = null;
  readonly good = null;
  readonly use = null;
  readonly elsewhere = new Set<string>();
  readonly opening = false;
  readonly records = [];
  readonly current = null;
  readonly keeps = null;
  readonly isUnfetched = false;
  readonly cost = 0;
  readonly gentler = null;
  readonly nameOf = (): string => '';
  readonly look = nothing;
  readonly dismissRecognised = nothing;
  readonly dismissProblem = nothing;
  readonly destroy = nothing;
  readonly begin = later;
  readonly save = later;
  readonly open = later;
  readonly goBack = later;
  readonly dismissOffer = later;
  readonly rename = later;
  readonly restore = later;
  readonly persist = later;
  readonly refresh = later;
  readonly remove = (): Promise<boolean> => Promise.resolve(false);
  readonly file = (): Promise<null> => Promise.resolve(null);
}
