/** Past steps of a run that can be viewed, and the viewed step. */
import type { RunData } from './training/run-data.ts';
import type { Session } from './training/session.ts';

export interface LookedAt {
  /** Number of the run in the trainer; a step of another run is ignored. */
  readonly run: number;
  readonly step: number;
}

/** Snapshot data of the viewed step `step`; null if unavailable or not yet computed. */
export function seenAt(session: Session | null, step: number | null): RunData | null {
  const seen = session?.lookedAt.past?.seen ?? null;
  return step !== null && seen?.step === step ? seen : null;
}

/** Steps of a run with saved samples or attention, ascending. */
export function keptSteps(run: Pick<RunData, 'samples' | 'attentions'>): readonly number[] {
  const all = [...run.samples, ...run.attentions.entries].map(({ step }) => step);
  return [...new Set(all)].sort((a, b) => a - b);
}

/** Steps of a run that can be viewed. */
export interface Reach {
  /** The newest step. */
  readonly step: number;
  /** Steps with saved samples or attention, ascending. */
  readonly keptSteps: readonly number[];
  /** The first step from which every step can be viewed; null if only `keptSteps` can. */
  readonly firstStep: number | null;
}

/** The available step nearest to `step`; null for the newest. */
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

/** The last sample at or before `step`; the newest for null. */
export function sampleAt<Sample extends { readonly step: number }>(
  samples: readonly Sample[],
  step: number | null,
): Sample | undefined {
  return step === null ? samples.at(-1) : samples.filter((one) => one.step <= step).at(-1);
}

/** The viewed step of `run`; null for the newest. */
export function stepLookedAt(at: LookedAt | null, run: RunData | null): number | null {
  return at !== null && at.run === run?.number ? at.step : null;
}

/**
 * The texts of the viewed step; the last ones before it if its model is not available. Undefined
 * before the first.
 */
export function shownSample(
  session: Session | null,
  lookedAt: LookedAt | null,
): RunData['samples'][number] | undefined {
  const run = session?.run ?? null;
  const step = stepLookedAt(lookedAt, run);
  return seenAt(session, step)?.samples.at(-1) ?? sampleAt(run?.samples ?? [], step);
}
