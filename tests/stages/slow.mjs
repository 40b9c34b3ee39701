// Reports the slowest parts of a run, and fails a level in which single tests stand out.

/** A test stands out if it takes more than this many times the median of its level ... */
const TIMES_MEDIAN = 10;

/**
 * ... and more than this share of all tests of its level. In Node the median is a millisecond, so
 * the ratio alone would name every test that trains. Both are ratios: on a busy machine all tests
 * take longer.
 */
const SHARE = 0.03;

/** A level with more outstanding tests than this fails. */
const MOST_OUTSTANDING = 5;

/** Levels with this limit; in other levels an entry is a whole program. */
const LIMITED = ['node', 'component', 'browser'];

/** Length of each list of slowest entries. */
const LISTED = 10;

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** The tests ({ name, seconds }) of one level that stand out, slowest first. */
export function outstanding(tests) {
  const times = tests.map(({ seconds }) => seconds);
  const limit = Math.max(
    TIMES_MEDIAN * median(times),
    SHARE * times.reduce((sum, seconds) => sum + seconds, 0),
  );
  return slowest(tests.filter(({ seconds }) => seconds > limit));
}

const slowest = (entries) => [...entries].sort((a, b) => b.seconds - a.seconds);

const lineOf = ({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`;

/**
 * Prints the slowest files and tests of all levels, and the outstanding tests of each level.
 * `levels` maps the name of a level to { timings, tests }; `tests` defaults to `timings`. Returns
 * the number of levels with too many outstanding tests; 0 without `judge`.
 */
export function reportSlow(levels, { judge = true, print = console.log } = {}) {
  const entries = Object.entries(levels);
  const list = (title, all) => {
    if (all.length === 0) return;
    print(`\n${title}`);
    for (const entry of slowest(all).slice(0, LISTED)) print(lineOf(entry));
  };
  list(
    'the slowest files:',
    entries.flatMap(([, { timings = [] }]) => timings),
  );
  list(
    'the slowest tests:',
    entries.flatMap(([, { tests = [] }]) => tests),
  );
  let failed = 0;
  for (const [level, { timings = [], tests = timings }] of entries) {
    const found = outstanding(tests);
    if (found.length === 0) continue;
    print(`\n${level}: more than ${TIMES_MEDIAN} times the median of the level:`);
    for (const entry of found) print(lineOf(entry));
    if (judge && found.length > MOST_OUTSTANDING && LIMITED.includes(level)) {
      print(`FAIL  more than ${MOST_OUTSTANDING} tests of ${level} stand out: shorten them`);
      failed++;
    }
  }
  return failed;
}
