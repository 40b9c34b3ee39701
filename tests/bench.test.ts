/** The benchmark: its run, its output and its operation counts. Speed is not tested. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CONFIGS, flopsPerToken, textOf } from './bench/configs.mjs';

const script = join(import.meta.dirname, 'bench/node.mjs');

interface Row {
  readonly engine: string;
  readonly config: string;
  readonly threads: number;
  readonly tokens_per_s: number;
  readonly peak_gflops: number;
  readonly fraction_of_peak: number;
  readonly ops?: Readonly<Record<string, number>>;
  readonly sampling?: { readonly tokens_per_s: number };
}

test('a short run of the benchmark measures both builds and writes every field', () => {
  const folder = mkdtempSync(join(tmpdir(), 'glasshouse-bench-'));
  try {
    const out = join(folder, 'bench.json');
    const table = execFileSync('node', [script, '--quick', `--out=${out}`], { encoding: 'utf8' });
    const rows = JSON.parse(readFileSync(out, 'utf8')) as Row[];
    expect(rows.map(({ engine, config, threads }) => [engine, config, threads])).toEqual([
      ['node', 'XS', 1],
      ['node', 'XS', 2],
      ['node', 'microgpt', 1],
      ['node', 'microgpt', 2],
    ]);
    for (const row of rows) {
      expect(row.tokens_per_s).toBeGreaterThan(0);
      expect(row.peak_gflops).toBeGreaterThan(0);
      expect(row.fraction_of_peak).toBeGreaterThan(0);
      expect(table).toContain(row.config);
    }
    const shares = Object.values(rows[0]!.ops!);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1);
    expect(rows[1]!.sampling!.tokens_per_s).toBeGreaterThan(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each(Object.entries(CONFIGS))('the text of %s has exactly its vocabulary', (name, sizes) => {
  const symbols = new Set(textOf(name));
  if (sizes.preset === 'microgpt') symbols.delete(10); // line breaks end documents
  expect(symbols.size + (sizes.V === 256 ? 0 : 1)).toBe(sizes.V); // plus one for BOS
});

test('operations are counted as 6 for each weight that multiplies, and causal attention', () => {
  // XS: 12 L C^2 weights in the matrices and V C in the head; embedding tables do not count.
  const weights = 12 * 2 * 64 * 64 + 28 * 64;
  const parameters = weights + 28 * 64 + 32 * 64;
  expect(flopsPerToken('XS', parameters)).toBe(6 * weights + 6 * 2 * 64 * 32);
});
