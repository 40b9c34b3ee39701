/** Claims of the README: its JavaScript example, run verbatim, sizes, and browser versions. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { engineBytes } from './node/load-engine.ts';

const root = join(import.meta.dirname, '..');

type Example = (
  wasm: Uint8Array,
  text: string,
  console: { log: (...items: unknown[]) => void },
) => Promise<{ losses: number[]; sample: string }>;

const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** Returns package files with their static imports, chunks included. */
function withImports(files: readonly string[]): string[] {
  const found = new Set(files);
  for (const file of found) {
    const text = readFileSync(join(root, 'build/package', file), 'utf8');
    for (const [, target] of text.matchAll(/\b(?:from|import)\s*"(\.[^"]+)"/g)) {
      found.add(join(dirname(file), target!));
    }
  }
  return [...found];
}

/** Total size of package files and their imports in kilobytes, gzipped file by file. */
function compressed(files: readonly string[]): number {
  const sizes = withImports(files).map(
    (file) => gzipSync(readFileSync(join(root, 'build/package', file)), { level: 9 }).length,
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1000;
}

test('the sizes of all forms are as the README has them', () => {
  const rows = [...readme.matchAll(/^\| [^|]+ \| (`[^|]+`) \| (\d+) kB[^|]*\|$/gm)];
  expect(rows).toHaveLength(4);
  for (const [, names, said] of rows) {
    const files = [...names!.matchAll(/`(?:embed\/)?([^`]+)`/g)].map(([, file]) => file!);
    const size = compressed(files);
    // Normal changes move a size by a few per cent.
    expect(Math.abs(Number(said) / size - 1), `${names!}: ${size.toFixed(0)} kB`).toBeLessThan(
      0.05,
    );
  }
  // Three more sizes: the training module whole and compressed, and the module for questions.
  expect(readme.match(/\d+ kB/g)).toHaveLength(rows.length + 3);
  const [, whole, small] = /module of (\d+) kB \((\d+) kB compressed\)/.exec(readme)!;
  const wasm = engineBytes().length / 1000;
  expect(Math.abs(Number(whole) / wasm - 1), `the module: ${wasm.toFixed(0)} kB`).toBeLessThan(
    0.02,
  );
  const packed = gzipSync(engineBytes(), { level: 9 }).length / 1000;
  const [, questions] = /a third \((\d+) kB compressed\)/.exec(readme)!;
  for (const [told, size] of [
    [small, packed],
    [questions, compressed(['glasshouse.wasm'])],
  ] as const) {
    expect(Math.abs(Number(told) / size - 1), `compressed: ${size.toFixed(0)} kB`).toBeLessThan(
      0.02,
    );
  }
});

test('the oldest browsers are the same wherever they are named, and those that it is built for', () => {
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const built = ['vite.config.ts', 'vite.embed.config.ts'].map(read);
  const targets = built.map((text) => /target: \['chrome(\d+)', 'firefox(\d+)', 'safari([\d.]+)'\]/.exec(text)); // prettier-ignore
  const [chromium, firefox, safari] = targets[0]!.slice(1);
  expect(targets[1]?.slice(1)).toEqual([chromium, firefox, safari]);
  const said = ['README.md', 'web/index.html', 'web/embed.html', 'web/i18n/en/errors.ts', 'web/i18n/zh/errors.ts']; // prettier-ignore
  for (const file of said) {
    const named = [...read(file).matchAll(/(?:Edge|Chromium) (\d+)[,、]\s*Firefox\s+(\d+)[,、]\s*Safari\s+([\d.]+\d)/g)]; // prettier-ignore
    expect(named.length, file).toBeGreaterThan(0);
    for (const one of named) expect(one.slice(1), file).toEqual([chromium, firefox, safari]);
  }
});

test('the plain JavaScript of the README trains on the names and speaks one', async () => {
  const blocks = [...readme.matchAll(/<!-- plain-js -->\s*```js\n([\s\S]*?)```/g)];
  expect(blocks).toHaveLength(1);
  const lines = blocks[0]![1]!;
  expect(lines.trimEnd().split('\n').length).toBeLessThan(40); // short enough to read
  const example = runInThisContext(
    `(async (wasm, text, console) => { ${lines}\n return { losses, sample }; })`,
    { filename: 'README.md' },
  ) as Example;
  const logged: unknown[] = [];
  const text = readFileSync(join(root, 'public/texts/first-names-en.txt'), 'utf8');
  const { losses, sample } = await example(engineBytes(), text, {
    log: (...items) => logged.push(...items),
  });
  const mean = (values: readonly number[]) => values.reduce((sum, x) => sum + x, 0) / values.length;
  expect(losses.length).toBeGreaterThanOrEqual(200);
  expect(losses.every(Number.isFinite)).toBe(true);
  // Batches are one name, so the test compares means of 100 losses: from 3.3 to below 2.8 in 500
  // steps.
  expect(mean(losses.slice(-100))).toBeLessThan(mean(losses.slice(0, 100)) - 0.1);
  expect(sample).toMatch(/^[a-z]{1,32}$/);
  expect(logged).toEqual([losses[0], losses.at(-1), sample]);
});
