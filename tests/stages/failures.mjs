// The failures of a run. Each is printed when it happens, and again at the end: the output of a
// whole run is long.
import { quote } from './command.mjs';

/** Lines of a failure's message that are repeated at the end. */
const REPEATED = 8;

const failures = [];

/** Prints a failure with its output, and keeps it for `repeatFailures`. */
export function fail(title, output = '') {
  console.log(`FAIL  ${title}`);
  if (output !== '') quote(output);
  keepFailure(title, output);
}

/** Keeps a failure that Vitest has printed. */
export function keepFailure(title, message) {
  failures.push({ title, message });
}

/** Prints all failures again, each with the first lines of its message. */
export function repeatFailures() {
  for (const { title, message } of failures) {
    console.log(`\nfailed: ${title}`);
    quote(message.trim().split('\n').slice(0, REPEATED).join('\n'));
  }
}
