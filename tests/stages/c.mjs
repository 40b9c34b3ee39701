// The native tests of the engine: every tests/c/test_*.c and tests/fuzz/fuzz_*.c (which replays its
// corpus) is a program that prints its own sums as its last line.
import { inParallel, make, minute, quote, run } from './command.mjs';
import { filesIn } from './files.mjs';

/**
 * Builds that a program runs in. `sanitize` looks for faults of memory and undefined behaviour,
 * `races` for data races, in the one program about threads; `double` computes gradients in double
 * precision; `later` is an engine with options of the future.
 */
function flavours(name) {
  if (name.endsWith('_double')) return ['double'];
  if (name.endsWith('_later')) return ['later'];
  return name.endsWith('_threads') ? ['sanitize', 'races'] : ['sanitize'];
}

/** Programs that take longest, begun first so that none of them ends alone. */
const SLOW = [
  /races\//,
  /test_allocation/,
  /test_memorising/,
  /fuzz_format_export/,
  /test_threads/,
];

const rank = (program) => {
  const place = SLOW.findIndex((pattern) => pattern.test(program));
  return place < 0 ? SLOW.length : place;
};

/**
 * The last option: what the sanitizer notes of large blocks is written over, because taking fresh
 * pages from the system costs a third of a test's time.
 */
const ADDRESS_OPTIONS =
  'halt_on_error=1:detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1:' +
  'clear_shadow_mmap_threshold=1000000000';

/** Builds the programs and runs them; test_allocation needs what only Linux's linker can do. */
export async function stageC() {
  const sum = { passed: 0, failed: 0, timings: [] };
  const programs = [...filesIn('tests/c', /^test_.*\.c$/), ...filesIn('tests/fuzz', /^fuzz_.*\.c$/)]
    .map((file) => file.replace(/\.c$/, ''))
    .filter((name) => process.platform === 'linux' || !name.endsWith('test_allocation'))
    .flatMap((name) => flavours(name).map((flavour) => `build/${flavour}/${name}`))
    .sort((a, b) => rank(a) - rank(b));
  if (programs.length === 0) return sum;
  const start = performance.now();
  const build = await make(programs, { quiet: true });
  sum.timings.push({ name: 'building the programs', seconds: (performance.now() - start) / 1000 });
  if (!build.ok) quote(build.output);
  await inParallel(programs, async (program) => {
    // Without the build, an older program could be lying there and pass.
    const current = build.ok || (await make([program], { quiet: true })).ok;
    if (!current) {
      console.log(`FAIL  ${program}: does not build`);
      sum.failed++;
      return;
    }
    const begin = performance.now();
    const { ok, answer, output } = await run(program, [], {
      ...{ quiet: true, limit: 10 * minute },
      env: { ASAN_OPTIONS: ADDRESS_OPTIONS },
    });
    const seconds = (performance.now() - begin) / 1000;
    sum.timings.push({ name: program, seconds });
    const last = /(?:^|\n)(\d+) passed, (\d+) failed\s*$/.exec(answer);
    const passed = Number(last?.[1] ?? 0);
    let failed = Number(last?.[2] ?? 0);
    if (failed === 0 && (!ok || passed === 0)) failed = 1;
    console.log(
      `${failed ? 'FAIL' : 'ok  '}  ${program}: ${passed} passed, ${failed} failed (${seconds.toFixed(1)} s)`,
    );
    if (failed) quote(output);
    sum.passed += passed;
    sum.failed += failed;
  });
  return sum;
}
