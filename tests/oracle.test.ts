/**
 * The engine against PyTorch: loads every fixture of tests/generate/fixtures.py into a trainer on
 * the built module and compares logits, gradients and losses.
 *
 * The fixtures were computed in double precision, so every error is the engine's own. Errors are
 * relative to the largest magnitude of the tensor (losses: to each loss). Float rounds at 6e-8; the
 * limits allow for
 *   logits 1e-5     some hundred successive roundings through all layers,
 *   gradients 1e-4  the same number in the backward pass, another order of summation, and
 *                   cancellation (softmax minus target, the mean that a norm subtracts),
 *   losses 1e-4     50 updates, each divided by the root of a small second moment, which enlarges
 *                   the rounding error of a gradient.
 * PyTorch in single precision stays within 4e-7, 4e-6 and 5e-6 of the fixtures (each file states
 * its own errors). An engine with a wrong formula is off by 1e-2 or more.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { RawTrainer } from './node/oracle-engine.ts';
import { readSafetensors, valuesOf } from './node/read-safetensors.ts';
import type { SafetensorsFile } from './node/read-safetensors.ts';

const LIMITS = { logits: 1e-5, gradients: 1e-4, losses: 1e-4 };

const folder = join(import.meta.dirname, 'fixtures/oracle');
const fixtures = readdirSync(folder)
  .filter((name) => name.endsWith('.safetensors'))
  .map((file) => ({
    name: file.replace('.safetensors', ''),
    file: readSafetensors(readFileSync(join(folder, file))),
  }));

type Numbers = ArrayLike<number>;

/** Largest difference relative to the largest magnitude of `expected`. */
function distance(actual: Numbers, expected: Numbers): number {
  expect(actual.length).toBe(expected.length);
  let worst = 0;
  let size = 0;
  for (let i = 0; i < expected.length; i++) {
    const difference = Math.abs(actual[i]! - expected[i]!);
    if (!(difference <= worst)) worst = difference; // keeps a NaN
    size = Math.max(size, Math.abs(expected[i]!));
  }
  return worst / size;
}

/** Largest relative difference between two curves, point by point. */
function curveDistance(actual: Numbers, expected: Numbers): number {
  expect(actual.length).toBe(expected.length);
  return Math.max(...Array.from(expected, (x, i) => Math.abs(actual[i]! / x - 1)));
}

const optionsOf = (file: SafetensorsFile): Record<string, number> =>
  JSON.parse(file.metadata['glasshouse.config']!) as Record<string, number>;

/** Creates a trainer at step 0 with the fixture's weights. */
async function trainerOf(file: SafetensorsFile): Promise<RawTrainer> {
  const text = new TextEncoder().encode(file.metadata['fixture.text']);
  const trainer = await RawTrainer.create('gpt2', optionsOf(file), text);
  const names = trainer.parameters();
  for (const [index, { name, shape }] of names.entries()) {
    expect(file.tensors.get(name)?.shape, name).toEqual(shape);
    trainer.setWeights(index, valuesOf(file, name) as Float32Array);
  }
  const expected = [...file.tensors.keys()].filter((name) => !/^(grad|fixture)\./.test(name));
  expect(names.map(({ name }) => name).sort()).toEqual(expected.sort());
  return trainer;
}

/** Largest gradient error over all parameters; `of` is "probe" or "batch". */
function gradientDistance(trainer: RawTrainer, file: SafetensorsFile, of: string): number {
  const errors = trainer.parameters().map(({ name }, index) => {
    const error = distance(trainer.gradients(index), valuesOf(file, `grad.${of}.${name}`));
    expect(error, `gradient of ${name} (${of})`).toBeLessThan(LIMITS.gradients);
    return error;
  });
  return Math.max(...errors);
}

const seen: Record<string, string> = {};

describe.each(fixtures)('$name', ({ name, file }) => {
  const errors: string[] = [];
  const note = (what: string, error: number): void => {
    errors.push(`${what} ${error.toExponential(1)}`);
    seen[name] = errors.join(', ');
  };

  test('gives the same logits and the same gradients for one sequence', async () => {
    const trainer = await trainerOf(file);
    const ids = valuesOf(file, 'fixture.probe.ids');
    const count = trainer.probe(new TextEncoder().encode(file.metadata['fixture.probe']), true);
    expect([...trainer.probeTokens(count)]).toEqual([...ids]);
    const logits = distance(trainer.probeData('logits'), valuesOf(file, 'fixture.probe.logits'));
    expect(logits).toBeLessThan(LIMITS.logits);
    note('logits', logits);
    note('gradients', gradientDistance(trainer, file, 'probe'));
  });

  test('takes the same first batch to the same gradients', async () => {
    const trainer = await trainerOf(file);
    trainer.step();
    note('of a batch', gradientDistance(trainer, file, 'batch'));
  });

  test('has the same losses, rates and gradient norms over the whole curve', async () => {
    const trainer = await trainerOf(file);
    const losses = valuesOf(file, 'fixture.losses');
    const windows = Number(file.metadata['fixture.validation_sequences']);
    const heldOut = [trainer.validate(windows)];
    const log: [number, number, number][] = [];
    while (log.length < losses.length) {
      log.push([trainer.step(), trainer.get('lr_now'), trainer.get('grad_norm')]);
    }
    heldOut.push(trainer.validate(windows));
    const curve = curveDistance(
      log.map(([loss]) => loss),
      losses,
    );
    expect(curve).toBeLessThan(LIMITS.losses);
    note('losses', curve);
    const rates = log.map(([, rate]) => rate);
    expect(distance(rates, valuesOf(file, 'fixture.rates'))).toBeLessThan(1e-12); // both double
    // A gradient norm is computed after updates, so the limit of the losses applies.
    const norms = distance(
      log.map(([, , norm]) => norm),
      valuesOf(file, 'fixture.norms'),
    );
    expect(norms).toBeLessThan(LIMITS.losses);
    const held = valuesOf(file, 'fixture.validation');
    expect(heldOut.map(Number.isNaN)).toEqual([...held].map(Number.isNaN));
    if (optionsOf(file)['validation']) expect(heldOut[0]).not.toBeNaN();
    if (!Number.isNaN(heldOut[0])) {
      expect(curveDistance(heldOut, held)).toBeLessThan(LIMITS.losses);
    }
  });
});

test('the fixtures show every pair of choices of the model', () => {
  const names = ['tokenizer', 'sequences', 'norm', 'norm_gain', 'activation', 'bias', 'tied_head'];
  names.push('head_bias', 'embedding_norm', 'final_norm', 'decay');
  const all = fixtures.map(({ file }) => optionsOf(file));
  const missing: string[] = [];
  for (const [i, a] of names.entries()) {
    for (const b of names.slice(i + 1)) {
      for (const [x, y] of [
        [0, 0],
        [0, 1],
        [1, 0],
        [1, 1],
      ]) {
        if (!all.some((one) => one[a] === x && one[b] === y)) missing.push(`${a} ${x}, ${b} ${y}`);
      }
    }
  }
  expect(missing).toEqual([]);
});

afterAll(() => {
  console.log('largest relative errors');
  for (const [name, errors] of Object.entries(seen)) console.log(`  ${name}: ${errors}`);
});
