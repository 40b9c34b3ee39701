/** The status of an app's run, for its host. */
import { factsOf } from '../../engine/errors.ts';
import type { PageState } from '../page-state.ts';
import { runBarState } from '../training/run-bar-state.ts';
import type { Session } from '../training/session.ts';
import type { Status } from './host.ts';

/** `session`: null until the engine has started; `place`: the thread of the engine. */
export function statusOf(
  { textError, loadError, awaitsText }: PageState,
  session: Session | null,
  place: Status['place'],
): Status {
  const run = session?.run ?? null;
  const error = textError ?? loadError ?? run?.error ?? session?.error ?? null;
  return {
    // Ignores errors of the text until the engine has started: the state is `loading`.
    state: runBarState(session, session === null ? loadError : error, awaitsText),
    step: run?.step ?? 0,
    steps: run?.steps ?? 0,
    loss: run?.history.last ?? null,
    smoothedLoss: run?.history.smoothedLast() ?? null,
    validationLoss: run?.history.lastValidation?.loss ?? null,
    preset: session?.recipe.preset ?? '',
    place,
    error: error === null ? null : factsOf(error),
  };
}
