/** Name of the shown run, on the page and in file names. */
import type { Words } from '../../i18n/index.ts';
import { runFile, runTitle } from './run-name.ts';
import type { Session } from './session.ts';

/** Looks up readers' names of runs by run number. */
export interface GivenNames {
  /** The reader's name; empty for none. */
  readonly nameOf: (run: number) => string;
}

/** Name of the shown run; empty without a run. */
export function shownTitle(session: Session | null, given: GivenNames, words: Words): string {
  const named = session?.named ?? null;
  if (session === null || named === null) return '';
  return runTitle({ ...named, name: nameOf(session, given) }, session.table, words);
}

/** Name of the shown run in file names; empty without a run. */
export function shownFile(session: Session | null, given: GivenNames): string {
  const named = session?.named ?? null;
  if (session === null || named === null) return '';
  return runFile({ ...named, name: nameOf(session, given) }, session.table);
}

function nameOf({ run }: Session, given: GivenNames): string {
  return run === null ? '' : given.nameOf(run.number);
}
