/** The test runner: unsteady tests, and the report of slow tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { outstanding, reportSlow } from './stages/slow.mjs';
import { isListed, mayRunAgain } from './stages/unsteady.mjs';
import { runProject } from './stages/vitest.mjs';

afterEach(() => {
  vi.restoreAllMocks();
});

test('a test that passes when it runs again alone is unsteady and counts as passed', async () => {
  const state = mkdtempSync(join(tmpdir(), 'unsteady-'));
  const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const result = await runProject('unsteady', [], {
    level: 'component',
    args: ['--config=tests/fixtures/unsteady/vitest.config.ts'],
    quiet: true,
    env: { STATE: state },
  });
  rmSync(state, { recursive: true });
  // Two failures remain: the test that always fails, and the test in kills.test.ts.
  expect(result).toMatchObject({ passed: 2, failed: 2 });
  const lines = printed.mock.calls.map(([line]) => String(line));
  expect(lines.filter((line) => line.startsWith('unsteady: '))).toEqual([
    'unsteady: tests/fixtures/unsteady/page.test.ts > a page > fails the first time (and no other)',
  ]);
  expect(lines.join('\n')).toContain('expected false to be true');
  expect(lines.join('\n')).toContain('not in tests/unsteady.txt');
});

test('tests in C and in Node, and those of bits, saving and races never run again', () => {
  expect(mayRunAgain('browser', 'tests/browser/loss.test.ts')).toBe(true);
  expect(mayRunAgain('component', 'tests/component/tokens.test.ts')).toBe(true);
  expect(mayRunAgain('node', 'tests/loss-views.test.ts')).toBe(false);
  for (const name of ['bits', 'kills', 'runs', 'saved-models', 'threads']) {
    expect(mayRunAgain('browser', `tests/browser/${name}.test.ts`), name).toBe(false);
  }
});

test('the list of unsteady tests is read by whole titles', () => {
  const list = '# a head: of the list\ntests/browser/a.test.ts > b: a late frame\n';
  expect(isListed('tests/browser/a.test.ts > b', list)).toBe(true);
  expect(isListed('tests/browser/a.test.ts', list)).toBe(false);
});

/** Entries with these durations in seconds, named t0, t1, …. */
const taking = (...seconds: number[]): { name: string; seconds: number }[] =>
  seconds.map((each, index) => ({ name: `t${index}`, seconds: each }));

test('a test stands out above ten medians of its level and three percent of its time', () => {
  const quick = Array.from({ length: 100 }, () => 1);
  expect(outstanding(taking(...quick, 9, 11, 20)).map(({ seconds }) => seconds)).toEqual([20, 11]);
  // 11 ms are eleven medians, but less than 3 % of the level.
  expect(outstanding(taking(...quick.map(() => 0.001), 0.011, 0.5))).toHaveLength(1);
});

test('more than five tests that stand out are red in Node, and in C only named', () => {
  const tests = taking(...Array.from({ length: 100 }, () => 1), 20, 20, 20, 20, 20, 20);
  const lines: string[] = [];
  const print = (line: string): number => lines.push(line);
  expect(reportSlow({ node: { timings: [], tests } }, { print })).toBe(1);
  expect(reportSlow({ node: { timings: [], tests: tests.slice(0, -1) } }, { print })).toBe(0);
  expect(reportSlow({ c: { timings: tests } }, { print })).toBe(0);
  expect(lines).toContain('\nc: more than 10 times the median of the level:');
});
