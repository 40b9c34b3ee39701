/** The step of a run that is looked at, wherever a run is shown; without one, its newest. */
import type { RunData } from './training/run-data.ts';
import type { Session } from './training/session.ts';

export interface LookedAt {
  /** As the trainer counts runs: a step of another run is none of this one. */
  readonly run: number;
  readonly step: number;
}

/** What the model of the step that is looked at shows; null where it is not there, or not yet. */
export function seenAt(session: Session | null, step: number | null): RunData | null {
  const seen = session?.past?.seen ?? null;
  return step !== null && seen?.step === step ? seen : null;
}

/** Steps of a run of which texts or maps of attention are kept, in order. */
export function keptSteps(run: Pick<RunData, 'samples' | 'attentions'>): readonly number[] {
  const all = [...run.samples, ...run.attentions.entries].map(({ step }) => step);
  return [...new Set(all)].sort((a, b) => a - b);
}

/** Steps of a run that can be looked at. */
export interface Reach {
  /** That of the newest. */
  readonly step: number;
  /** Those of which something is kept, in order. */
  readonly keptSteps: readonly number[];
  /** The one from which on all can be looked at; null where none can but those. */
  readonly firstStep: number | null;
}

/** The step that can be looked at and is nearest to `step`; null for the newest. */
export function nearestStep(
  step: number,
  { step: newest, keptSteps, firstStep }: Reach,
): number | null {
  if (step >= newest) return null;
  if (firstStep !== null && step >= firstStep) return Math.round(step);
  const last = firstStep ?? keptSteps.at(-1) ?? 0;
  if (step >= last) return firstStep;
  const far = (one: number): number => Math.abs(one - step);
  return keptSteps.reduce((best, one) => (far(one) < far(best) ? one : best), last);
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
