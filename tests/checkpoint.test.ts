/**
 * Checkpoints of the real module: exact to the bit, readable by other programs, and with weights of
 * the source program.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withMetadata } from './node/edited-header.ts';
import { microgptReference, presetConfig } from './node/microgpt-reference.ts';
import { FileEngine } from './node/file-engine.ts';
import { floats, readSafetensors } from './node/read-safetensors.ts';

const names = readFileSync(join(import.meta.dirname, '../public/texts/first-names-en.txt'));
const story = readFileSync(join(import.meta.dirname, '../public/texts/moby-dick-en.txt'));

/** Reference implementation of 64-bit FNV-1a. */
function fnv1a(bytes: Uint8Array): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).toUpperCase().padStart(16, '0');
}

describe('a run that is saved and loaded', () => {
  test.each(['tinygpt', 'microgpt', 'gpt2'])(
    '%s: 4 + 4 steps are 8 steps to the bit',
    async (preset) => {
      const text = preset === 'microgpt' ? names : story.subarray(0, 20_000);
      const engine = await FileEngine.create();
      const losses = (trainer: number, count: number): number[] =>
        Array.from({ length: count }, () => {
          expect(engine.call('step', trainer)).toBe(0);
          return engine.call('loss', trainer);
        });
      const config = engine.call('config_create', preset);
      engine.call('config_set', config, 'batch', 2);
      const straight = engine.train(config, text);
      const whole = losses(straight, 8);
      const first = engine.train(config, text);
      const begun = losses(first, 4);
      const file = engine.save(first, 'checkpoint', 1000);
      const other = await FileEngine.create();
      const second = other.load(other.call('config_create', 'tinygpt'), file, 'resume', text, 3001);
      const ended = Array.from({ length: 4 }, () => {
        expect(other.call('step', second)).toBe(0);
        return other.call('loss', second);
      });
      expect([...begun, ...ended]).toEqual(whole);
      const [a, b] = [other.save(second, 'checkpoint'), engine.save(straight, 'checkpoint')];
      expect(Buffer.compare(a, b)).toBe(0); // toEqual takes minutes for megabytes
    },
  );

  test('goes on at the document that the file names, whatever number of them it had before', async () => {
    const engine = await FileEngine.create();
    const config = engine.call('config_create', 'microgpt');
    engine.call('config_set', config, 'lr', 1e-30); // too little to change a weight
    const trainer = engine.train(config, names);
    const next = (one: number): number => {
      expect(engine.call('step', one)).toBe(0);
      return engine.call('loss', one);
    };
    for (let step = 0; step < 5; step++) next(trainer);
    // A program with three documents per step in two of five steps leaves the cursor at 9, not 5.
    const file = Buffer.from(engine.save(trainer, 'checkpoint'));
    const place = file.indexOf('\\"cursor\\":5,');
    expect(place).toBeGreaterThan(0);
    file.write('9', place + '\\"cursor\\":'.length);
    const resumed = engine.load(config, file, 'resume', names);
    const losses = Array.from({ length: 8 }, () => next(trainer));
    expect(new Set(losses).size).toBe(8);
    expect(Array.from({ length: 4 }, () => next(resumed))).toEqual(losses.slice(4));
  });

  test('is refused on another text, and its weights can be trained on it', async () => {
    const engine = await FileEngine.create();
    const config = engine.call('config_create', 'microgpt');
    const trainer = engine.train(config, names);
    engine.call('step', trainer);
    const file = engine.save(trainer, 'checkpoint');
    const other = names.subarray(0, 5000);
    expect(() => engine.load(config, file, 'resume', other)).toThrow(/not the text/);
    const tuned = engine.load(config, file, 'train', other);
    expect(engine.call('step', tuned)).toBe(0);
    const fresh = engine.train(config, other);
    engine.call('step', fresh);
    expect(engine.call('loss', tuned)).not.toBe(engine.call('loss', fresh));
  });
});

describe('the file of a checkpoint', () => {
  test('opens in an independent reader and holds everything', async () => {
    const engine = await FileEngine.create();
    const config = engine.call('config_create', 'microgpt');
    engine.call('config_set', config, 'lr', 0.1 + 0.2); // needs 17 digits
    const trainer = engine.train(config, names);
    const losses = Array.from({ length: 5 }, () => {
      engine.call('step', trainer);
      return engine.call('loss', trainer);
    });
    const bytes = engine.save(trainer, 'checkpoint');
    const { metadata, tensors, dataBegin } = readSafetensors(bytes);
    expect(dataBegin % 8).toBe(0);
    expect(metadata['format']).toBe('pt');
    const written = JSON.parse(metadata['glasshouse.config']!) as Record<string, unknown>;
    const wanted = presetConfig(engine.text('options_json'), 'microgpt');
    // A later option is written only if its value changes the old behaviour.
    delete wanted['norm_epsilon'];
    expect(written).toEqual({ ...wanted, lr: '3FD3333333333334' });
    const state = JSON.parse(metadata['glasshouse.state']!) as Record<string, unknown>;
    expect(state).toMatchObject({
      step: 5,
      cursor: 5,
      loss_stride: 1,
      imported: false,
      text_hash: fnv1a(names),
      text_bytes: names.length,
      tokens_seen: engine.call('trainer_get', trainer, 'tokens_seen'),
    });
    expect(state['rng']).toMatch(/^\d{15,20}$/);
    expect(engine.lend(names, (at, n) => engine.text('text_hash', [at, n]))).toBe(fnv1a(names));
    expect(JSON.parse(metadata['glasshouse.tokenizer']!)).toEqual({
      codes: Array.from({ length: 26 }, (_, i) => 97 + i),
    });
    expect(Array.from(floats(tensors.get('run.losses')!))).toEqual(losses);
    const order = new Int32Array(tensors.get('run.order')!.bytes.buffer);
    expect(Array.from(order).sort((a, b) => a - b)).toEqual(Array.from(order.keys()));
    const parameters = JSON.parse(engine.text('parameters_json', [trainer])) as {
      name: string;
      shape: number[];
    }[];
    parameters.forEach(({ name, shape }, i) => {
      const count = shape.reduce((a, b) => a * b, 1);
      const inside = engine.bytes(engine.call('parameter_data', trainer, i), 4 * count);
      expect(tensors.get(name)).toMatchObject({ dtype: 'F32', shape });
      expect(Buffer.compare(tensors.get(name)!.bytes, inside)).toBe(0);
      expect(tensors.get(`adam.m.${name}`)?.shape).toEqual(shape);
      expect(tensors.get(`adam.v.${name}`)?.shape).toEqual(shape);
    });
    expect(tensors.size).toBe(3 * parameters.length + 3);
    const again = engine.load(engine.call('config_create', 'gpt2'), bytes, 'resume', names);
    expect(engine.call('trainer_get', again, 'lr')).toBe(0.1 + 0.2);
  });

  test('of before options were exact there is read to the bit, and an edited option wins', async () => {
    const engine = await FileEngine.create();
    const config = engine.call('config_create', 'microgpt');
    engine.call('config_set', config, 'lr', 0.1 + 0.2);
    const file = engine.save(engine.train(config, names), 'checkpoint');
    const read = (lr: number): number => {
      const older = withMetadata(file, {
        'glasshouse.config': { lr },
        'glasshouse.state': { exact: { lr: '3FD3333333333334' } },
      });
      return engine.call('trainer_get', engine.load(config, older, 'resume', names), 'lr');
    };
    expect(read(0.3)).toBe(0.1 + 0.2);
    expect(read(0.31)).toBe(0.31);
  });

  test('damaged anywhere, it is refused or loads, and the module lives on', async () => {
    const engine = await FileEngine.create();
    const config = engine.call('config_create', 'microgpt');
    const trainer = engine.train(config, names.subarray(0, 2000));
    const file = engine.save(trainer, 'weights');
    for (let size = 0; size < file.length; size += 1 + Math.floor(file.length / 97)) {
      expect(() => engine.load(config, file.subarray(0, size), 'generate')).toThrow();
    }
    for (let at = 0; at < 2000; at += 7) {
      const changed = file.slice();
      changed[at]! ^= 1 << (at % 8);
      try {
        engine.call('trainer_free', engine.load(config, changed, 'generate'));
      } catch (error) {
        expect(String(error)).not.toMatch(/RuntimeError|memory access/);
      }
    }
    engine.call('trainer_free', engine.load(config, file, 'generate'));
  });
});

test("from the microgpt C program's weights and stream all 20 samples come out exactly", async () => {
  const engine = await FileEngine.create();
  const options = presetConfig(engine.text('options_json'), 'microgpt');
  const { file, samples } = microgptReference(options);
  const trainer = engine.load(engine.call('config_create', 'tinygpt'), file, 'generate');
  const drawn = samples.map(() =>
    engine.text('sample', [trainer, 0, 0, options['context']!, 0.5, 0, 1, -1]),
  );
  expect(drawn).toEqual(samples);
  expect(samples).toHaveLength(20);
});
