/** Limits on viewing past steps: memory for snapshots, and the first available step. */
import { KEPT } from '../../base/form.ts';
import type { CurrentRun } from '../training/current-run.ts';

/** Bytes of a run's state per weight: the weight and AdamW's two moments, as float32. */
export const STATE_BYTES = 12;
/** Gigabytes of memory below which a device gets the smaller budget. */
const SHORT = 4;

/** Maximum bytes of snapshots in memory for the current run. */
export const PAST_BYTES = (deviceMemory() < SHORT ? 32 : 96) * 1e6;

/** Maximum bytes of snapshots in a file; 0 in forms that store nothing in the browser. */
export const FILE_BYTES = KEPT ? 128e6 : 0;

function deviceMemory(): number {
  const { navigator: machine } = globalThis as {
    readonly navigator?: { readonly deviceMemory?: number };
  };
  return machine?.deviceMemory ?? Infinity;
}

/** Maximum bytes of snapshots for a model of this size; 0 if the model is too large. */
export function pastBytes(parameters: number): number {
  // A single snapshot would make every recomputation long.
  return 2 * STATE_BYTES * parameters > PAST_BYTES ? 0 : PAST_BYTES;
}

/** The first step of a run from which every step can be recomputed; null if none can. */
export function firstStepOf(run: CurrentRun | null): number | null {
  if (run?.info.trains !== true || run.text === null) return null;
  return pastBytes(run.plan.parameters) === 0 ? null : run.firstStep;
}
