// Runs commands for the stages, and make in particular.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

export const minute = 60_000;

/** LONG=1 runs every test at its full length: `make test-all`. */
export const long = process.env.LONG === '1';

// A make started from here is a fresh one: it does not inherit the job slots of the make above,
// which would warn about them.
const environment = {
  ...process.env,
  // Log files get no colour codes.
  ...(process.stdout.isTTY ? {} : { NO_COLOR: '1', FORCE_COLOR: undefined }),
  UBSAN_OPTIONS: 'halt_on_error=1:print_stacktrace=1',
  TSAN_OPTIONS: 'halt_on_error=1',
};
for (const name of ['MAKEFLAGS', 'MFLAGS', 'MAKELEVEL', 'MAKEOVERRIDES']) delete environment[name];

/** Runs a command to its end; `quiet` keeps its output instead of passing it on. */
export function run(command, args, { quiet = false, limit = 30 * minute, env = {} } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      env: { ...environment, ...env },
      stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
      detached: true, // its own process group, so that a stuck one ends with all its children
    });
    let output = '';
    // Standard output alone: messages on standard error may arrive after its last line.
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
        // The process has already ended.
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

/** Seconds during which at least one make was running, since the last reset. */
export const building = {
  running: 0,
  since: 0,
  seconds: 0,
  reset() {
    this.seconds = 0;
  },
};

/** Builds targets, with as many jobs as there are cores. */
export async function make(targets, options) {
  if (building.running++ === 0) building.since = performance.now();
  try {
    const args = ['--no-print-directory', `-j${availableParallelism()}`, '--keep-going'];
    return await run('make', [...args, ...targets], options);
  } finally {
    if (--building.running === 0) building.seconds += (performance.now() - building.since) / 1000;
  }
}

/** Prints the output of a failed command, indented so that no line of it resembles the counts. */
export const quote = (text) =>
  console.log(
    text
      .trimEnd()
      .split('\n')
      .map((line) => `  | ${line}`)
      .join('\n'),
  );

/** Runs `work` on every item, one per core at a time, because most keep one core busy. */
export async function inParallel(items, work) {
  const left = [...items];
  const turn = async () => {
    while (left.length > 0) await work(left.shift());
  };
  await Promise.all(Array.from({ length: availableParallelism() }, turn));
}
