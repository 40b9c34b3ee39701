// Runs the test stages and adds up what they counted.
//
//     node tests/run.mjs [check] [c] [node] [browser]      (all of them when none is named)
//
// A stage that crashes, does not build, or finds files but no tests counts as one failure. The very
// last line is `N passed, N failed`; the exit status is 0 only when nothing failed. Environment:
//   CHECKS   make targets of the check stage (set by the Makefile, which owns the list)
//   ONLY     run only the test files whose path contains this text
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stageC } from './stages/c.mjs';
import { stageCheck } from './stages/check.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
process.chdir(root);

const only = process.env.ONLY ?? '';
const jobs = `-j${availableParallelism()}`;
const minute = 60_000;

// A make started from here is a fresh one: the job slots of the make above us are not inherited by
// way of Node, and it would warn about them.
const environment = {
  ...process.env,
  // Colours are for people: a log gets plain text.
  ...(process.stdout.isTTY ? {} : { NO_COLOR: '1', FORCE_COLOR: undefined }),
  ASAN_OPTIONS:
    'halt_on_error=1:detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1',
  UBSAN_OPTIONS: 'halt_on_error=1:print_stacktrace=1',
  TSAN_OPTIONS: 'halt_on_error=1',
};
for (const name of ['MAKEFLAGS', 'MFLAGS', 'MAKELEVEL', 'MAKEOVERRIDES']) delete environment[name];

/** Runs a command to its end; `quiet` keeps its output instead of passing it on. */
function run(command, args, { quiet = false, limit = 30 * minute } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      env: environment,
      stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
      detached: true, // its own process group, so that a stuck one ends with all its children
    });
    let output = '';
    // By itself, too: what a program says of its work on the way may arrive after its last line.
    let answer = '';
    let late = false;
    child.stdout?.on('data', (chunk) => {
      output += chunk;
      answer += chunk;
    });
    child.stderr?.on('data', (chunk) => (output += chunk));
    const end = (signal) => {
      try {
        process.kill(-child.pid, signal);
      } catch {
        // It has ended already.
      }
    };
    const timer = setTimeout(() => {
      late = true;
      end('SIGKILL');
    }, limit);
    const interrupt = () => {
      end('SIGTERM');
      process.exit(130);
    };
    process.once('SIGINT', interrupt);
    process.once('SIGTERM', interrupt);
    const finish = (ok, note) => {
      clearTimeout(timer);
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', interrupt);
      resolve({ ok, answer, output: note ? `${output}\n${note}` : output });
    };
    child.on('error', (error) => finish(false, String(error)));
    child.on('close', (code, signal) => {
      if (late) finish(false, `ended after ${limit / minute} minutes`);
      else finish(code === 0, signal ? `ended by ${signal}` : '');
    });
  });
}

const make = (targets, options) =>
  run('make', ['--no-print-directory', jobs, '--keep-going', ...targets], options);

/** Output of a failed command, marked so that no line of it can be taken for the sums. */
const quote = (text) =>
  console.log(
    text
      .trimEnd()
      .split('\n')
      .map((line) => `  | ${line}`)
      .join('\n'),
  );

const wanted = (path) => path.includes(only);

const filesIn = (folder, pattern) =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => pattern.test(name))
        .map((name) => `${folder}/${name}`)
        .filter(wanted)
        .sort()
    : [];

/** Does `work` on every item. Most keep one core busy: as many at a time as there are cores. */
async function inParallel(items, work) {
  const left = [...items];
  const turn = async () => {
    while (left.length > 0) await work(left.shift());
  };
  await Promise.all(Array.from({ length: availableParallelism() }, turn));
}

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

const long = Boolean(process.env.LONG);
const helpers = { run, make, quote, wanted, only, inParallel, minute, long };

const stages = {
  check: () => stageCheck(helpers),
  c: () => stageC(helpers),
  node: () =>
    stageVitest('node', ['tests', 'tests/examples'], ['wasm', 'bench-modules', 'cli', 'package']),
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
const total = { passed: 0, failed: 0 };
for (const name of names.length > 0 ? names : Object.keys(stages)) {
  console.log(`\n== ${name}`);
  const start = performance.now();
  let sum;
  try {
    sum = await stages[name]();
  } catch (error) {
    console.log(`FAIL  the ${name} stage crashed`);
    quote(String(error?.stack ?? error));
    sum = { passed: 0, failed: 1 };
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  lines.push(`${name}: ${sum.passed} passed, ${sum.failed} failed (${seconds} s)`);
  total.passed += sum.passed;
  total.failed += sum.failed;
}
console.log(`\n${lines.join('\n')}`);
// Set rather than exit at once: a pipe that reads us gets every line first.
process.exitCode = total.failed > 0 ? 1 : 0;
console.log(`${total.passed} passed, ${total.failed} failed`);
