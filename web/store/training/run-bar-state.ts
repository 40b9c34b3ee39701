/** The state of a run as the run bar, the tour and host pages name it. */
import type { ErrorFacts } from '../../engine/errors.ts';
import type { RunBarState } from '../remote.ts';
import type { Session } from './session.ts';

/** What the run bar says of a run, or of what it waits for: `awaitsText`, a text on its way. */
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
