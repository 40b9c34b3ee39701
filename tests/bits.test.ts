/**
 * Reproducibility: the same text, recipe and seed give the same bits everywhere. The losses of this
 * module must equal, bit by bit, those in tests/fixtures/losses.bits.txt; tests/c/test_bits.c
 * compares the native build with the same file. After an intended change of the arithmetic, `npx
 * vitest run --project=node tests/bits -u` rewrites the file.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BareEngine } from './node/bare-engine.ts';

const names = new Uint8Array(
  readFileSync(join(import.meta.dirname, '../public/texts/first-names-en.txt')),
);

test('the first losses of every preset have the bits of the fixture, which are those of the native build', async () => {
  const engine = await BareEngine.load();
  const steps = { tinygpt: 10, microgpt: 200, gpt2: 4 };
  const lines = Object.entries(steps).map(([preset, count]) => {
    const losses = engine.losses(engine.train(preset, {}, names), count);
    const bits = new Uint32Array(Float32Array.from(losses).buffer);
    return [preset, ...Array.from(bits, (word) => word.toString(16).padStart(8, '0'))].join(' ');
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('fixtures/losses.bits.txt');
});
