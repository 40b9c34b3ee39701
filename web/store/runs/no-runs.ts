/** Replaces RunKeeper in forms without saved runs (KEPT is false), such as the notebook widget. */
import type { Runs } from './run-keeper.ts';

const nothing = (): void => undefined;
const later = (): Promise<void> => Promise.resolve();
const none = (): Promise<null> => Promise.resolve(null);

export class NoRuns implements Runs {
  readonly problems = { last: null, dismiss: nothing };
  readonly list = {
    records: [],
    undo: null,
    use: null,
    elsewhere: new Set<string>(),
    refresh: later,
    rename: later,
    persist: later,
  };
  readonly ready = false;
  readonly offer = null;
  readonly recognised = null;
  readonly lost = null;
  readonly isRefused = false;
  readonly good = null;
  readonly opening = false;
  readonly current = null;
  readonly keeps = null;
  readonly isUnfetched = false;
  readonly cost = 0;
  readonly pastBytes = 0;
  readonly gentler = null;
  readonly nameOf = (): string => '';
  readonly look = nothing;
  readonly dismissRecognised = nothing;
  readonly destroy = nothing;
  readonly begin = later;
  readonly save = later;
  readonly leave = later;
  readonly open = later;
  readonly openFile = none;
  readonly file = none;
  readonly lostFile = none;
  readonly dismissLost = nothing;
  readonly goBack = later;
  readonly dismissOffer = later;
  readonly restore = later;
  readonly remove = (): Promise<boolean> => Promise.resolve(false);
}
