// Unsteady tests: they fail, but pass when repeated alone at the end of the stage.
import { existsSync, readFileSync } from 'node:fs';

/** A run with more unsteady tests than this fails. */
export const MOST_UNSTEADY = 3;

/** The runner retries at most this number of failures: more mean that the page is broken. */
export const MOST_AGAIN = 10;

/** The levels whose tests may run again. In C and in Node no test waits for a browser. */
const LEVELS = ['component', 'browser'];

/**
 * Never retried: a single failure of these tests is a finding. They test bits, receipts, saving and
 * races; listed by file name.
 */
const NEVER_AGAIN =
  /\/(bits|engines|homes-engines|receipts-page|kills|saved-models|kept-runs|interrupted-runs|runs|run-files|threads|refetch|soak)\.test\.[a-z]+$/;

/** Whether a failed test of this file may run again. */
export const mayRunAgain = (level, file) => LEVELS.includes(level) && !NEVER_AGAIN.test(file);

const LIST = 'tests/unsteady.txt';

/** The name under which a test is reported and listed. */
export const titleOf = ({ file, name }) => `${file} > ${name}`;

/** Whether the list has a line `FILE > TITLE: finding` for a title. */
export function isListed(title, list = existsSync(LIST) ? readFileSync(LIST, 'utf8') : '') {
  return list.split('\n').some((line) => line.startsWith(`${title}: `));
}

/** Prints an unsteady test with its first failure, and a hint if it is not in the list. */
export function printUnsteady(test, print = console.log) {
  const title = titleOf(test);
  print(`unsteady: ${title}`);
  const lines = (test.error ?? 'no message').split('\n').slice(0, 12);
  for (const line of lines) print(`  | ${line}`);
  if (!isListed(title)) print(`  not in ${LIST}: find the cause, or add the line "${title}: …"`);
}
