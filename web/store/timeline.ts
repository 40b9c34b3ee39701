/** The step of a run that is looked at, wherever a run is shown; without one, its newest. */
import type { RunData } from './training/run-data.ts';

export interface LookedAt {
  /** As the trainer counts runs: a step of another run is none of this one. */
  readonly run: number;
  readonly step: number;
}

/** Steps of a run of which texts or maps of attention are kept, in order. */
export function keptSteps(run: Pick<RunData, 'samples' | 'attentions'>): readonly number[] {
  const all = [...run.samples, ...run.attentions.entries].map(({ step }) => step);
  return [...new Set(all)].sort((a, b) => a - b);
}

/** What was written at the step that is looked at, or last before it; without one, the newest. */
export function sampleAt<Sample extends { readonly step: number }>(
  samples: readonly Sample[],
  step: number | null,
): Sample | undefined {
  return step === null ? samples.at(-1) : samples.filter((one) => one.step <= step).at(-1);
}

/** The step of `run` that is looked at; null for the newest. */
export function stepLookedAt(at: LookedAt | null, run: RunData | null): number | null {
  return at !== null && at.run === run?.number ? at.step : null;
}
