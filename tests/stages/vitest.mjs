// Runs one project of a Vitest configuration as a stage.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { long, make, minute, run } from './command.mjs';
import { fail, keepFailure } from './failures.mjs';
import { fast, filesIn, only } from './files.mjs';
import { MOST_AGAIN, MOST_UNSTEADY, mayRunAgain, printUnsteady, titleOf } from './unsteady.mjs';

/** Ends a hanging runner; every test has its own limit. */
const LIMIT = (long ? 300 : 60) * minute;

/** Path of the report of a project's last run. LongestFirst reads it to order the next run. */
const reportPath = (project, part = '') => `build/tests/${project}${part}.json`;

/** Runs Vitest and returns its report (test-report.mjs); null if it ended without one. */
async function vitest(project, report, args, { quiet, env } = {}) {
  rmSync(report, { force: true });
  const { ok } = await run(
    'node_modules/.bin/vitest',
    [
      'run',
      `--project=${project}`,
      `--project=${project}-alone`,
      '--reporter=./tests/stages/test-report.mjs',
      ...args,
    ],
    { limit: LIMIT, env: { TEST_REPORT: report, ...env }, quiet },
  );
  return existsSync(report) ? { ok, ...JSON.parse(readFileSync(report, 'utf8')) } : null;
}

const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/**
 * Retries failed tests, each alone. Returns the tests whose retry passed, each with the number of
 * passed tests: several if a hook had failed, because its whole file runs again.
 */
async function runAgain({ project, level, args, env }, failures) {
  if (failures.length > MOST_AGAIN) return [];
  const unsteady = [];
  for (const test of failures) {
    if (!mayRunAgain(level, test.file)) continue;
    const name = test.spoken === undefined ? [] : ['-t', `^${escaped(test.spoken)}$`];
    const again = await vitest(
      project,
      reportPath(project, '-again'),
      [test.file, ...name, '--maxWorkers=1', ...args],
      { quiet: true, env },
    );
    const passed = again?.tests.filter(({ state }) => state === 'passed').length ?? 0;
    if (again?.ok && passed > 0) unsteady.push({ ...test, passed });
    if (unsteady.length > MOST_UNSTEADY) break;
  }
  return unsteady;
}

/**
 * Runs files of a project (all if none is named; `args` and `env` go to Vitest). The result counts
 * an unsteady test as passed, and one failure more if too many are unsteady.
 */
export async function runProject(project, files, { level = project, args = [], quiet, env } = {}) {
  const run = ['--reporter=default', ...args, ...files];
  const report = await vitest(project, reportPath(project), run, { quiet, env });
  if (report === null) {
    fail(`Vitest of ${level} wrote no report`);
    return { passed: 0, failed: 1, timings: [], tests: [] };
  }
  const failures = report.tests.filter(({ state }) => state === 'failed');
  // A file that fails to load, or whose hook fails, may contain no failed test.
  for (const { file, error } of report.files) {
    if (error === null || failures.some((test) => test.file === file)) continue;
    failures.push({ file, name: '(outside its tests)', error });
  }
  const passedOf = (file) =>
    report.tests.filter((test) => test.state === 'passed' && test.file === file).length;
  let passed = report.tests.filter(({ state }) => state === 'passed').length;
  const unsteady = await runAgain({ project, level, args, env }, failures);
  for (const test of unsteady) {
    printUnsteady(test);
    passed += test.spoken === undefined ? test.passed - passedOf(test.file) : 1;
  }
  for (const test of failures) {
    if (!unsteady.some(({ file, name }) => file === test.file && name === test.name)) {
      keepFailure(titleOf(test), test.error ?? 'no message');
    }
  }
  for (const error of report.unhandled) keepFailure(`${level}, outside its tests`, error);
  let failed = failures.length - unsteady.length + report.unhandled.length;
  if (unsteady.length > MOST_UNSTEADY) {
    fail(`more than ${MOST_UNSTEADY} tests are unsteady`);
    failed++;
  }
  // Vitest may fail for another reason, and a run without tests proves nothing.
  const explained = report.ok || failures.length + report.unhandled.length > 0;
  if (failed === 0 && (!explained || passed === 0)) {
    fail(`Vitest of ${level} ran no test, or failed for a reason that it does not report`);
    failed = 1;
  }
  const timings = report.files.map(({ file, seconds }) => ({ name: file, seconds }));
  const tests = report.tests
    .filter(({ state }) => state !== 'skipped')
    .map((test) => ({ name: titleOf(test), seconds: test.seconds }));
  return { passed, failed, timings, tests };
}

/** The stage of a project: builds the make targets that it needs, and runs its files. */
export async function stageVitest(project, folders, targets) {
  const files = [folders].flat().flatMap((name) => filesIn(name, /\.test\.ts$/));
  if (files.length === 0) return { passed: 0, failed: 0, timings: [], tests: [] };
  const build = await make(targets, { quiet: true });
  if (!build.ok) {
    fail(`make ${targets.join(' ')}`, build.output);
    return { passed: 0, failed: 1, timings: [], tests: [] };
  }
  return runProject(project, only || fast ? files : []);
}
