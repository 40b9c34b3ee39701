/** Pointers beyond 2 GB; with LONG=1 (set by `make test-large`) also a full-size GPT-2. */
import { freemem } from 'node:os';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { long } from './long.ts';
import { BareEngine } from './node/bare-engine.ts';
import { gpt2Files } from './node/gpt2-vocabulary.ts';
import { runLargeModel } from './node/large-model.ts';
import { engineBytes } from './node/load-engine.ts';

const gigabyte = 2 ** 30;
const room = freemem() >= 6 * gigabyte;
if (!room) console.log('skipped for want of memory: these tests ask for 6 GB that are free');
const story = readFileSync(join(import.meta.dirname, '../public/texts/moby-dick-en.txt'));

describe.skipIf(!room)('a module of up to 4 GB', () => {
  test('trains and samples beyond 2 GB to the same bits', async () => {
    const engine = await BareEngine.load();
    const settings = { seed: 3, batch: 2, context: 32, layers: 1 };
    const text = story.subarray(0, 20_000);
    const run = (): [number, unknown] => {
      const trainer = engine.train('gpt2', settings, text);
      const losses = engine.losses(trainer, 10);
      const sample = engine.sample(trainer, 'The ', { topK: 20 });
      expect(typeof sample).toBe('string');
      return [trainer, { losses, sample }];
    };
    const [low, expected] = run();
    expect(engine.pointer('gpt_parameter_data', low, 0)).toBeLessThan(2 ** 31);
    // The ballast is never written to, so the system need not back it with memory.
    for (let i = 0; i < 5; i++) expect(engine.pointer('malloc', 0.5 * gigabyte)).not.toBe(0);
    const [high, found] = run();
    expect(engine.pointer('gpt_parameter_data', high, 0)).toBeGreaterThan(2 ** 31);
    expect(engine.memoryBytes()).toBeGreaterThan(2.5 * gigabyte);
    expect(found).toEqual(expected);
  });

  long(
    'loads a GPT-2 of 124 million weights without a second copy decodes and learns',
    async () => {
      const { vocab, merges } = gpt2Files();
      const text = new TextDecoder();
      const figures = await runLargeModel({
        wasm: engineBytes(),
        vocab: text.decode(vocab),
        merges: text.decode(merges),
        tokens: 20,
        steps: 2,
        rounds: 0,
      });
      console.log(figures);
      expect(figures.weights).toBe(124_439_808);
      expect(figures.checks[0]).toBe(figures.checks[1]);
      // Weights, 75 MB of cache and the vocabulary: far less than twice the file.
      expect(figures.bytesLoaded).toBeLessThan(1.5 * figures.fileBytes);
      expect(figures.ids.every((id) => id >= 0 && id < 50257)).toBe(true);
      // Training holds one sequence of 256 tokens: 2.0 GB of weights, gradients and moments, and
      // the activations of the step.
      expect(figures.tuneBytes).toBeGreaterThan(2e9);
      expect(figures.tuneBytes).toBeLessThan(figures.limitBytes);
      expect(figures.losses[0]).toBeGreaterThan(10); // ln 50257 is 10.8
      expect(figures.losses[1]).toBeLessThan(figures.losses[0]!);
      expect(figures.bytesTuned).toBeLessThan(4 * gigabyte);
    },
    300_000,
  );
});
