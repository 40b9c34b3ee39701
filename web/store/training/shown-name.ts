/** What the shown run is called: wherever it is named by itself, and in the names of its files. */
import type { Words } from '../../i18n/index.ts';
import { runFile, runTitle } from './run-name.ts';
import type { Session } from './session.ts';

/** Knows the names that readers gave to runs, by the numbers that the runs have here. */
export interface GivenNames {
  /** Empty where the reader gave none. */
  readonly nameOf: (run: number) => string;
}

/** The name of the shown run; empty if absent. */
export function shownTitle(session: Session | null, given: GivenNames, words: Words): string {
  const named = session?.named ?? null;
  if (session === null || named === null) return '';
  return runTitle({ ...named, name: nameOf(session, given) }, session.table, words);
}

/** The same as a part of file names. */
export function shownFile(session: Session | null, given: GivenNames): string {
  const named = session?.named ?? null;
  if (session === null || named === null) return '';
  return runFile({ ...named, name: nameOf(session, given) }, session.table);
}

function nameOf({ run }: Session, given: GivenNames): string {
  return run === null ? '' : given.nameOf(run.number);
}
