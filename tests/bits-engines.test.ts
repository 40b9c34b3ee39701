/**
 * Runs the same recipes in Node, with threads and natively, before and after saving, and compares
 * the receipt (the bits of every loss, the hash of the weights) and a sample.
 * tests/browser/engines.test.ts adds the browsers. The lines of the receipts are a fixture, so a
 * change of the arithmetic cannot pass unnoticed; run with `-u` after an intended change.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { bitsRecipes, bitsText, root, runInNode } from './bits/reference.ts';
import { isLong } from './long.ts';
import { SAMPLE } from './bits/recipes.mjs';
import type { BitsRecipe } from './bits/recipes.mjs';
import type { BitsRun } from './bits/run-recipe.mjs';

let reference: BitsRun[];

beforeAll(async () => {
  reference = await runInNode('wasm', 1);
}, 600_000);

test('saved in the middle, loaded and resumed, every recipe ends with the bits of the straight run', () => {
  expect(reference).toHaveLength(bitsRecipes.length);
  for (const { whole, resumed } of reference) expect(resumed).toEqual(whole);
});

test('the receipts are those of the fixture', async () => {
  const lines = reference.map(
    ({ whole }) => `${(JSON.parse(whole.receipt) as { line: string }).line} ${whole.sample}`,
  );
  const kind = isLong ? 'long' : 'short';
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`fixtures/receipts.${kind}.txt`);
});

test.each([1, 2, 3, 8])(
  'the threaded module with %i threads gives the same bits',
  async (threads) => {
    expect(await runInNode('wasm-threads', threads)).toEqual(reference);
  },
  600_000,
);

test('the native command line gives the same bits, and finds the receipts true', () => {
  const folder = mkdtempSync(join(tmpdir(), 'glasshouse-bits-'));
  const path = (name: string) => join(folder, name);
  const cli = (...args: string[]) =>
    execFileSync(join(root, 'build/train_gpt'), args, { encoding: 'utf8', stdio: 'pipe' });
  const sets = (options: BitsRecipe['settings']) =>
    Object.entries(options).flatMap(([option, value]) => ['--set', `${option}=${value}`]);
  try {
    for (const [index, recipe] of bitsRecipes.entries()) {
      writeFileSync(path('text'), bitsText(recipe));
      const { preset, settings, half, change, prompt } = recipe;
      // Raw bytes, because the module gets the text undecoded.
      const data = ['--data', path('text'), '--encoding', 'bytes'];
      cli(
        ...data,
        '--preset',
        preset,
        ...sets({ ...settings, steps: half }),
        '--save',
        path('half'),
        '--receipt',
        path('first'),
        '--samples',
        '0',
      );
      const voice = [
        '--samples',
        '1',
        '--prompt',
        prompt,
        '--max-tokens',
        `${SAMPLE.tokens}`,
        '--temperature',
        `${SAMPLE.temperature}`,
        '--sample-seed',
        `${SAMPLE.seed}`,
      ];
      const said = cli(
        ...data,
        '--load',
        path('half'),
        ...sets({ ...change, steps: 2 * half }),
        '--receipt',
        path('whole'),
        ...voice,
      );
      const { first, whole } = reference[index]!;
      expect(readFileSync(path('first'), 'utf8'), recipe.name).toBe(first.receipt);
      expect(readFileSync(path('whole'), 'utf8'), recipe.name).toBe(whole.receipt);
      expect(said).toContain(`sample  1: ${prompt}${whole.sample}\n`);
      expect(cli(...data, '--verify', path('whole'))).toContain('"same":true');
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 600_000);
