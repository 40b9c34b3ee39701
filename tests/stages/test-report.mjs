// A Vitest reporter for the stages. It writes JSON to the path in the environment variable
// TEST_REPORT:
//
//   files      [{ file, seconds, error }]
//                 error: null unless the file failed outside its tests
//   tests      [{ file, name, spoken, seconds, state, error }]
//                 name: the titles of suites and test joined by ' > '
//                 spoken: the same joined by ' ', which --testNamePattern matches
//                 state: passed, failed, skipped
//   unhandled  errors that belong to no test
//
// Vitest's own JSON reporter knows neither unhandled errors nor the time of imports.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';

const textOf = (errors = []) =>
  errors.map((error) => error.stack || error.message || String(error)).join('\n') || null;

/** The titles of the suites around a test and its own, joined by spaces. */
const spokenName = ({ name, parent }) =>
  parent.type === 'module' ? name : `${spokenName(parent)} ${name}`;

/** Errors of hooks, of a suite and of its nested suites. */
const suiteErrors = (suite) => [
  ...suite.errors(),
  ...[...suite.children.suites()].flatMap(suiteErrors),
];

export default class TestReport {
  onTestRunEnd(modules, unhandled) {
    const report = { files: [], tests: [], unhandled: unhandled.map((error) => textOf([error])) };
    for (const module of modules) {
      const file = relative(process.cwd(), module.moduleId);
      const { setupDuration, collectDuration, duration } = module.diagnostic();
      const seconds = (setupDuration + collectDuration + duration) / 1000;
      report.files.push({ file, seconds, error: textOf(suiteErrors(module)) });
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        report.tests.push({
          ...{ file, name: test.fullName, spoken: spokenName(test), error: textOf(errors) },
          state: state === 'pending' ? 'skipped' : state,
          seconds: (test.diagnostic()?.duration ?? 0) / 1000,
        });
      }
    }
    mkdirSync(dirname(process.env.TEST_REPORT), { recursive: true });
    writeFileSync(process.env.TEST_REPORT, JSON.stringify(report));
  }
}
