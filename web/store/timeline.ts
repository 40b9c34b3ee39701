/** The step of a run that is looked at, wherever a run is shown; without one, its newest. */
import type { RunData } from './training/run-data.ts';

export interface LookedAt {
  /** As the trainer counts runs: a step of another run is none of this one. */
  readonly run: number;
  readonly step: number;
}

/** The step of `run` that is looked at; null for the newest. */
export function stepLookedAt(at: LookedAt | null, run: RunData | null): number | null {
  return at !== null && at.run === run?.number ? at.step : null;
}
