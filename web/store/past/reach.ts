/** How far back one can look, and what that may cost. */
import { KEPT } from '../../base/form.ts';
import type { CurrentRun } from '../training/current-run.ts';

/** Bytes of the state of a run for each weight: it, and its two moments of AdamW. */
export const STATE_BYTES = 12;
/** Gigabytes of a machine that is short of memory. */
const SHORT = 4;

/** Bytes of memory for snapshots of the run that trains, at most. */
export const PAST_BYTES = (deviceMemory() < SHORT ? 32 : 96) * 1e6;

/** Bytes of snapshots in a file, at most; none in forms that keep nothing in the browser. */
export const FILE_BYTES = KEPT ? 128e6 : 0;

function deviceMemory(): number {
  const { navigator: machine } = globalThis as {
    readonly navigator?: { readonly deviceMemory?: number };
  };
  return machine?.deviceMemory ?? Infinity;
}

/** Bytes at most that looking back takes; 0 for a model that is too large for it. */
export function pastBytes(parameters: number): number {
  // From a single snapshot every way would be long.
  return 2 * STATE_BYTES * parameters > PAST_BYTES ? 0 : PAST_BYTES;
}

/** The first step of a run from which on every one can be looked at; null where none can. */
export function firstStepOf(run: CurrentRun | null): number | null {
  if (run?.info.trains !== true || run.text === null) return null;
  return pastBytes(run.plan.parameters) === 0 ? null : run.firstStep;
}
