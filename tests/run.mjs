// Runs the test stages and adds up what they counted.
//
//     node tests/run.mjs [check] [c] [node] [component] [browser]      (default: all of them)
//
// A stage that crashes, does not build, or finds files but no tests counts as one failure. At the
// end it prints the time of each stage, the slowest files and tests, and the tests that stand out
// (slow.mjs). The very last line is `N passed, N failed`; the exit status is 0 only when nothing
// failed. An unsteady test (unsteady.mjs) counts as passed. Environment:
//   CHECKS   make targets of the check stage (set by the Makefile, which owns the list)
//   ONLY     run only the test files whose path contains this text
//   FAST=1   leave out what needs a browser, another program or a slow build (files.mjs)
//   LONG=1   run every test at its full length
import { inParallel, long, make, minute, quote, run, building } from './stages/command.mjs';
import { fast, filesIn, only } from './stages/files.mjs';
import { reportSlow } from './stages/slow.mjs';
import { stageVitest } from './stages/vitest.mjs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stageC } from './stages/c.mjs';
import { stageCheck } from './stages/check.mjs';

process.chdir(join(dirname(fileURLToPath(import.meta.url)), '..'));

<<<<<<< HEAD
/** Every check tool counts as one test. */
async function stageCheck() {
  const sum = { passed: 0, failed: 0 };
  const targets = (process.env.CHECKS ?? 'check').split(' ').filter(Boolean);
  await inParallel(targets, async (target) => {
    const { ok, output } = await make([target], { quiet: true });
    console.log(`${ok ? 'ok  ' : 'FAIL'}  ${target}`);
    if (!ok) quote(output);
    sum[ok ? 'passed' : 'failed']++;
  });
  return sum;
}

/**
 * Flavours that a test of the engine runs in: threads also under the detector of data races,
 * later options in a build that has some. */
function flavours(name) {
  if (name.endsWith('_double')) return ['double'];
  if (name.endsWith('_later')) return ['later'];
  return name.endsWith('_threads') ? ['sanitize', 'races'] : ['sanitize'];
}

/**
 * Every tests/c/test_*.c and tests/fuzz/fuzz_*.c (which replays its corpus) is a program; it
 * prints its own sums as its last line. */
async function stageC() {
  const sum = { passed: 0, failed: 0 };
  const files = [...filesIn('tests/c', /^test_.*\.c$/), ...filesIn('tests/fuzz', /^fuzz_.*\.c$/)];
  const programs = files.flatMap((file) => {
    const name = file.replace(/\.c$/, '');
    return flavours(name).map((flavour) => `build/${flavour}/${name}`);
  });
  if (programs.length === 0) return sum;
  const build = await make(programs, { quiet: true });
  if (!build.ok) quote(build.output);
  await inParallel(programs, async (program) => {
    // Without the build, an older program could be lying there and pass.
    const current = build.ok || (await make([program], { quiet: true })).ok;
    if (!current) {
      console.log(`FAIL  ${program}: does not build`);
      sum.failed++;
      return;
    }
    const { ok, answer, output } = await run(program, [], { quiet: true, limit: 10 * minute });
    const last = /(?:^|\n)(\d+) passed, (\d+) failed\s*$/.exec(answer);
    const passed = Number(last?.[1] ?? 0);
    let failed = Number(last?.[2] ?? 0);
    if (failed === 0 && (!ok || passed === 0)) failed = 1;
    console.log(`${failed ? 'FAIL' : 'ok  '}  ${program}: ${passed} passed, ${failed} failed`);
    if (failed) quote(output);
    sum.passed += passed;
    sum.failed += failed;
  });
  return sum;
}

/** Make targets of the Node stage. FAST leaves out the files that need more than the engine. */
const NODE_TARGETS = fast ? ['wasm'] : ['wasm', 'bench-modules', 'cli', 'package'];
=======
/** Runs one project of vitest.config.ts after building the make targets that it needs. */
async function stageVitest(project, folder, targets) {
  const files = [folder].flat().flatMap((name) => filesIn(name, /\.test\.ts$/));
  if (files.length === 0) return { passed: 0, failed: 0 };
  const build = await make(targets, { quiet: true });
  if (!build.ok) {
    console.log(`FAIL  make ${targets.join(' ')}`);
    quote(build.output);
    return { passed: 0, failed: 1 };
  }
  const report = `build/vitest-${project}.json`;
  rmSync(report, { force: true });
  const { ok } = await run(
    'node_modules/.bin/vitest',
    [
      'run',
      `--project=${project}`,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...(only ? files : []),
    ],
    // Every test has a limit of its own; this one is for a runner that hangs, not for a slow
    // machine.
    { limit: 60 * minute },
  );
  if (!existsSync(report)) return { passed: 0, failed: 1 };
  const result = JSON.parse(readFileSync(report, 'utf8'));
  const passed = result.numPassedTests;
  let failed = result.numFailedTests;
  // A file that cannot be loaded has no failed test in it, yet nothing of it ran.
  for (const file of result.testResults) {
    const tests = file.assertionResults;
    if (file.status === 'failed' && !tests.some((test) => test.status === 'failed')) failed++;
  }
  if (failed === 0 && (!ok || passed === 0)) failed = 1;
  return { passed, failed };
}
>>>>>>> wt-c

const long = Boolean(process.env.LONG);
const helpers = { run, make, quote, wanted, only, inParallel, minute, long };

const stages = {
<<<<<<< HEAD
  check: stageCheck,
  c: stageC,
  node: () => stageVitest('node', ['tests', 'tests/examples'], NODE_TARGETS),
  component: () => stageVitest('component', 'tests/component', ['wasm', 'build/component/index.html']),
=======
  check: () => stageCheck(helpers),
  c: () => stageC(helpers),
  node: () =>
    stageVitest('node', ['tests', 'tests/examples'], ['wasm', 'bench-modules', 'cli', 'package']),
>>>>>>> wt-c
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
    console.log(`FAIL  the ${name} stage crashed`);
    quote(String(error?.stack ?? error));
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
console.log(`\n${lines.join('\n')}`);
// Set rather than exit at once: a pipe that reads us gets every line first.
process.exitCode = total.failed > 0 ? 1 : 0;
console.log(`${total.passed} passed, ${total.failed} failed`);
