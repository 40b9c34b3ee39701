/**
 * The plan and the tokenizer that the page shows: of the run that has begun, or of the next run.
 */
import { choiceOf } from '../../engine/options.ts';
import type { Plan } from '../../engine/trainer.ts';
import type { Session } from './session.ts';

/** Whether the effect of Start is known, or the error that prevents it. */
export function isSettled(session: Session | null): boolean {
  return session !== null && (session.plan !== null || session.error !== null);
}

/** The plan to show: of the begun run, or else of the chosen settings. */
export function shownPlan(session: Session | null): Plan | null {
  const begun = (session?.run?.step ?? 0) > 0;
  // While a curve is shown, the figures belong to it.
  return (begun ? session?.current?.plan : session?.plan) ?? null;
}

/** Tokenizer of the shown run: 'byte', 'char' or 'bpe'; empty without a run. */
export function shownTokenizer(session: Session | null): string {
  const current = session?.current ?? null;
  return session === null || current === null
    ? ''
    : choiceOf(session.table, current.recipe, 'tokenizer');
}
