/** State of a run for the run bar, the tour and host pages. */
import type { ErrorFacts } from '../../engine/errors.ts';
import type { RunBarState } from '../host/host.ts';
import type { Session } from './session.ts';

/** The state of the run bar. `awaitsText`: a requested text is still loading. */
export function runBarState(
  session: Session | null,
  problem: ErrorFacts | null,
  awaitsText = false,
): RunBarState {
  const run = session?.run ?? null;
  if (run !== null && (run.step > 0 || run.state === 'running' || run.state === 'diverged')) {
    return run.state === 'none' ? 'ready' : run.state;
  }
  if (problem !== null) return 'blocked';
  return awaitsText || (session?.plan ?? null) === null ? 'loading' : 'ready';
}
