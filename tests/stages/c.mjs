// Native tests of the engine: every tests/c/test_*.c and tests/fuzz/fuzz_*.c (which replays its
// corpus) is a program that prints its counts as its last line.
import { inParallel, make, minute, quote, run } from './command.mjs';
import { fail } from './failures.mjs';
import { filesIn } from './files.mjs';

/**
 * Builds of a program. `sanitize` detects memory errors and undefined behaviour; `races` detects
 * data races, in the one program about threads; `double` computes gradients in double precision;
 * `later` is an engine with options of future versions.
 */
function flavours(name) {
  if (name.endsWith('_double')) return ['double'];
  if (name.endsWith('_later')) return ['later'];
  return name.endsWith('_threads') ? ['sanitize', 'races'] : ['sanitize'];
}

/** The slowest programs start first, so that none runs alone at the end. */
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
 * The last option makes the sanitizer overwrite the shadow of large blocks instead of mapping fresh
 * pages, which costs a third of a test's time.
 */
const ADDRESS_OPTIONS =
  'halt_on_error=1:detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1:' +
  'clear_shadow_mmap_threshold=1000000000';

/** Builds and runs the programs; test_allocation needs a feature of Linux's linker. */
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
    // Skips a program that was not built: an outdated binary could pass.
    const current = build.ok || (await make([program], { quiet: true })).ok;
    if (!current) {
      fail(`${program}: does not build`);
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
    const line = `${program}: ${passed} passed, ${failed} failed (${seconds.toFixed(1)} s)`;
    if (failed) fail(line, output);
    else console.log(`ok    ${line}`);
    sum.passed += passed;
    sum.failed += failed;
  });
  return sum;
}
