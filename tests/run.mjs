// Runs the test stages and adds up what they counted.
//
//     node tests/run.mjs [check] [c] [node] [component] [browser]      (default: all of them)
//
// A stage that crashes, does not build, or finds files but no tests counts as one failure. At the
// end it prints the slowest files and tests, the tests that stand out (slow.mjs), all failures
// again (failures.mjs) and the time of each stage. The very last line is `N passed, N failed`; the
// exit status is 0 only when nothing failed. An unsteady test (unsteady.mjs) counts as passed.
// Environment:
//   CHECKS   make targets of the check stage (set by the Makefile, which owns the list)
//   ONLY     run only the test files whose path contains this text
//   FAST=1   leave out what needs a browser, another program or a slow build (files.mjs)
//   LONG=1   run every test at its full length
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stageC } from './stages/c.mjs';
import { stageCheck } from './stages/check.mjs';
import { building, long } from './stages/command.mjs';
import { fail, repeatFailures } from './stages/failures.mjs';
import { fast, only } from './stages/files.mjs';
import { reportSlow } from './stages/slow.mjs';
import { stageVitest } from './stages/vitest.mjs';

process.chdir(join(dirname(fileURLToPath(import.meta.url)), '..'));

/** Make targets of the Node stage. FAST leaves out the files that need more than the engine. */
const NODE_TARGETS = fast ? ['wasm'] : ['wasm', 'bench-modules', 'cli', 'package'];

const stages = {
  check: stageCheck,
  c: stageC,
  node: () => stageVitest('node', ['tests', 'tests/examples'], NODE_TARGETS),
  component: () =>
    stageVitest('component', 'tests/component', ['wasm', 'build/component/index.html']),
  browser: () => stageVitest('browser', 'tests/browser', ['site', 'wasm']),
};

const names = process.argv.slice(2);
for (const name of names) {
  if (!(name in stages)) {
    console.error(`no stage is called ${name}: choose from ${Object.keys(stages).join(', ')}`);
    process.exit(2);
  }
}

const lines = [];
const levels = {};
const total = { passed: 0, failed: 0 };
for (const name of names.length > 0 ? names : Object.keys(stages)) {
  console.log(`\n== ${name}`);
  const start = performance.now();
  building.reset();
  let sum;
  try {
    sum = await stages[name]();
  } catch (error) {
    fail(`the ${name} stage crashed`, String(error?.stack ?? error));
    sum = { passed: 0, failed: 1 };
  }
  levels[name] = sum;
  const seconds = (performance.now() - start) / 1000;
  // The checks are make targets themselves: all their time is the tests'.
  const builds = name === 'check' ? 0 : building.seconds;
  const times = `build ${builds.toFixed(1)} s, tests ${(seconds - builds).toFixed(1)} s`;
  lines.push(`${name}: ${sum.passed} passed, ${sum.failed} failed (${times})`);
  total.passed += sum.passed;
  total.failed += sum.failed;
}
// A few files, or tests at their full length, have no common measure.
total.failed += reportSlow(levels, { judge: only === '' && !long });
repeatFailures();
console.log(`\n${lines.join('\n')}`);
// Set rather than exit at once: a pipe that reads us gets every line first.
process.exitCode = total.failed > 0 ? 1 : 0;
console.log(`${total.passed} passed, ${total.failed} failed`);
