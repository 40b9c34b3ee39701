/** Errors of c/api/gpt.h: every invalid input has its own status, and no state is lost. */
import { beforeEach, describe, expect, test } from 'vitest';
import { BareEngine, Status } from './node/bare-engine.ts';
import { isLong } from './long.ts';
import type { EngineFailure, Settings } from './node/bare-engine.ts';

const text =
  'the cat sat on the mat\nthe rat ran\nthat cat had a hat\na bat\nthe mat is flat\n'.repeat(3);
const small = { layers: 2, heads: 2, channels: 16, context: 12, batch: 2 };

let engine: BareEngine;
/** The sampler that gpt_sample uses. */
const samplerOf = (trainer: number): number => engine.pointer('gpt_trainer_sampler', trainer);
beforeEach(async () => {
  engine = await BareEngine.load();
});

/** The failure to create a trainer; planning must fail in the same way. */
function refusal(preset: string, settings: Settings, content: string | Uint8Array): EngineFailure {
  const config = engine.config(preset, settings);
  const planned = engine.plan(config, content);
  expect(engine.trainer(config, content)).toBe(0);
  const failure = engine.configError(config);
  expect(planned).toEqual(failure);
  // The recipe stays usable.
  engine.set(config, 'channels', 16);
  engine.set(config, 'heads', 2);
  engine.set(config, 'context', 8);
  expect(engine.trainer(config, text)).not.toBe(0);
  return failure;
}

describe('a text', () => {
  test.each(['tinygpt', 'microgpt', 'gpt2'])('%s: that is empty is refused', (preset) => {
    expect(refusal(preset, small, '')).toMatchObject({ code: 'empty', name: 'text' });
  });

  test('of nothing but line ends has no document', () => {
    expect(refusal('microgpt', small, '\n\r\n\n')).toMatchObject({ code: 'empty' });
  });

  test('of one character is too short for a stream, and a document to microgpt', () => {
    expect(refusal('gpt2', small, 'x')).toMatchObject({ code: 'short', values: [1, 12, 13] });
    const trainer = engine.train('microgpt', small, 'x');
    expect(engine.losses(trainer, 3)).toHaveLength(3);
    expect(engine.sample(trainer, '')).toMatch(/^x*$/);
  });

  test('shorter than the context is refused with both lengths', () => {
    const failure = refusal('tinygpt', { ...small, context: 64 }, 'a'.repeat(64));
    expect(failure).toMatchObject({ code: 'short', values: [64, 64, 65] });
    expect(failure.message).toContain('64');
    expect(
      engine.losses(engine.train('tinygpt', { ...small, context: 64 }, 'a'.repeat(65)), 1),
    ).toHaveLength(1);
  });

  test.each(['tinygpt', 'microgpt', 'gpt2'])(
    '%s: of invalid UTF-8 and NULs trains, and speaks valid UTF-8',
    (preset) => {
      const bytes = new Uint8Array(600);
      for (let i = 0; i < bytes.length; i++) bytes[i] = (i * 89 + (i >> 3)) & 0xff;
      const config = engine.config(preset, small);
      const plan = engine.plan(config, bytes);
      expect((plan as { invalid_bytes: number }).invalid_bytes).toBeGreaterThan(100);
      const trainer = engine.trainer(config, bytes);
      expect(engine.losses(trainer, 20).every(Number.isFinite)).toBe(true);
      for (let seed = 0; seed < 20; seed++) {
        expect(typeof engine.sample(trainer, '', { seed, temperature: 2 })).toBe('string');
      }
      // Every byte except the line break, which ends documents, is a token and decodes to itself.
      const span = engine.put(bytes.filter((byte) => byte !== 10));
      const ids = engine.pointer('malloc', 4 * 600);
      const count = engine.call('gpt_encode', trainer, span.pointer, span.length, ids, 600);
      const back: number[] = [];
      for (const id of new Int32Array(engine.memory.buffer).slice(ids / 4, ids / 4 + count)) {
        back.push(
          ...(engine.read(8, (out, capacity) =>
            engine.call('gpt_token_bytes', trainer, id, out, capacity),
          ) as Uint8Array),
        );
      }
      expect(back).toEqual([...bytes.filter((byte) => byte !== 10)]);
    },
  );

  const megabytes = isLong ? 50 : 5;
  test(`of ${megabytes} MB is planned and trained on, in bytes, characters and lines`, () => {
    const large = new Uint8Array(megabytes << 20);
    for (let i = 0; i < large.length; i++) large[i] = i % 61 === 60 ? 10 : 97 + (i % 26);
    for (const [preset, tokens] of [
      ['tinygpt', large.length],
      ['microgpt', large.length - Math.floor(large.length / 61)],
    ] as const) {
      const trainer = engine.train(preset, small, large);
      expect(engine.losses(trainer, 2)).toHaveLength(2);
      expect(engine.get(trainer, 'train_tokens') + engine.get(trainer, 'validation_tokens')).toBe(
        tokens,
      );
      expect(engine.memoryBytes()).toBeLessThan((12 * megabytes) << 20);
      engine.call('gpt_trainer_free', trainer);
    }
  }, 120_000);

  test('larger than the module can hold is refused by its size, unread', () => {
    const config = engine.config('gpt2');
    const bytes = (512 << 20) + 1;
    expect(engine.call('gpt_trainer_create', config, 1024, bytes)).toBe(0);
    expect(engine.configError(config)).toMatchObject({
      code: 'text-size',
      values: [bytes, 512 << 20, 0],
    });
  });

  test('with more different characters than there are ids is refused', () => {
    const many = Array.from({ length: 66_000 }, (_, i) => String.fromCodePoint(0x10000 + i)).join(
      '',
    );
    expect(refusal('microgpt', small, many)).toMatchObject({
      code: 'vocabulary',
      values: [66_001, 65_536, 0],
    });
  });
});

describe('an option', () => {
  test('outside of its range, not whole, NaN or unknown is refused by name, and changes nothing', () => {
    const config = engine.config('gpt2');
    const cases: [string, number, string][] = [
      ['layers', 0, 'range'],
      ['layers', -3, 'range'],
      ['heads', 0, 'range'],
      ['channels', -64, 'range'],
      ['channels', 1e9, 'range'],
      ['context', 1, 'range'],
      ['context', 1e308, 'range'],
      ['batch', 0, 'range'],
      ['batch', Infinity, 'range'],
      ['lr', NaN, 'range'],
      ['lr', -0.001, 'range'],
      ['seed', -1, 'range'],
      ['seed', 2 ** 53, 'range'],
      ['validation', 0.6, 'range'],
      ['beta2', 1, 'range'],
      ['epsilon', 0, 'range'],
      ['norm', 2, 'range'],
      ['layers', 2.5, 'whole'],
      ['bias', 0.5, 'whole'],
      ['seed', 0.5, 'whole'],
      ['dropout', 0.1, 'option'],
      ['', 1, 'option'],
      ['Layers', 1, 'option'],
    ];
    for (const [option, value, code] of cases) {
      const before = engine.getOption(config, option);
      expect(engine.set(config, option, value)).toBeLessThan(0);
      const failure = engine.configError(config);
      expect([option, failure.code, failure.name]).toEqual([option, code, option]);
      if (code !== 'option') expect(failure.message).toContain(option);
      expect(engine.getOption(config, option)).toEqual(before);
    }
    expect(engine.losses(engine.trainer(config, text), 1)).toHaveLength(1);
  });

  test('of heads that do not divide the channels is refused with both numbers', () => {
    const config = engine.config('gpt2', { channels: 128, heads: 5 });
    expect(engine.call('gpt_config_check', config)).toBe(Status.HEADS);
    expect(refusal('gpt2', { channels: 128, heads: 5 }, text)).toMatchObject({
      code: 'heads',
      values: [128, 5, 0],
    });
  });

  test('during a run obeys the same ranges', () => {
    const trainer = engine.train('gpt2', small, text);
    expect(engine.setLive(trainer, 'lr', NaN)).toBe(Status.RANGE);
    expect(engine.setLive(trainer, 'steps', 0)).toBe(Status.RANGE);
    expect(engine.setLive(trainer, 'steps', 1.5)).toBe(Status.WHOLE);
    expect(engine.setLive(trainer, 'dropout', 1)).toBe(Status.OPTION);
    expect(engine.setLive(trainer, 'channels', 32)).toBe(Status.FIXED);
    expect(engine.trainerError(trainer)).toMatchObject({ code: 'fixed', name: 'channels' });
    expect(engine.losses(trainer, 1)).toHaveLength(1);
  });

  test('of a preset that does not exist gives no recipe', () => {
    expect(engine.config('gpt5')).toBe(0);
    expect(engine.config('')).toBe(0);
  });
});

describe('memory', () => {
  test('that a recipe needs beyond its limit is computed and said, and none of it is taken', () => {
    const config = engine.config('gpt2', {
      tokenizer: 0,
      channels: 8192,
      layers: 96,
      heads: 64,
      context: 8192,
      batch: 1024,
    });
    const span = engine.put('the cat '.repeat(2000));
    const before = engine.memoryBytes();
    expect(engine.call('gpt_trainer_create', config, span.pointer, span.length)).toBe(0);
    const failure = engine.configError(config);
    expect(failure.code).toBe('memory');
    // 96 layers of 12 C^2 weights, four floats each, need 1.2 TB.
    expect(failure.values[0]).toBeGreaterThan(1.2e12);
    expect(failure.values[1]).toBe(2 ** 32 - 2 ** 26);
    expect(failure.message).toContain(String(failure.values[0]));
    expect(engine.memoryBytes()).toBe(before);
  });

  test('is limited as the host says: a trainer of exactly that size is made, one byte less is refused', () => {
    const config = engine.config('microgpt', small);
    const plan = engine.plan(config, text) as { total_bytes: number; text_bytes: number };
    const bytes = plan.total_bytes + plan.text_bytes; // the caller's copy of the text counts too
    expect(engine.call('gpt_config_set_memory_limit', config, bytes - 1)).toBe(Status.OK);
    expect(engine.trainer(config, text)).toBe(0);
    expect(engine.configError(config)).toMatchObject({
      code: 'memory',
      values: [bytes, bytes - 1, 0],
    });
    expect(engine.call('gpt_config_set_memory_limit', config, bytes)).toBe(Status.OK);
    expect(engine.trainer(config, text)).not.toBe(0);
    expect(engine.call('gpt_config_set_memory_limit', config, -1)).toBe(Status.RANGE);
    expect(engine.call('gpt_config_set_memory_limit', config, NaN)).toBe(Status.RANGE);
  });

  test('that the system does not have is a status, wherever it ends, and what was taken comes back', () => {
    // Allocates all of the module's memory, then frees small blocks one by one. The creation fails
    // at its first allocation, then at later ones, and finally succeeds.
    const config = engine.config('microgpt', { ...small, channels: 64 });
    const span = engine.put(text);
    const pieces = Array.from({ length: 320 }, () => engine.pointer('malloc', 1 << 16));
    for (let bytes = 64 << 20; bytes >= 64; bytes >>= 1) {
      while (engine.pointer('malloc', bytes) !== 0);
    }
    const failed = new Set<number | null>();
    let trainer = 0;
    while (trainer === 0 && pieces.length > 0) {
      engine.call('free', pieces.pop()!);
      trainer = engine.pointer('gpt_trainer_create', config, span.pointer, span.length);
      if (trainer === 0) {
        const out = span.pointer; // the text's memory serves as buffer: none is free
        const length = engine.call('gpt_config_error', config, out, span.length);
        const json = new TextDecoder().decode(
          new Uint8Array(engine.memory.buffer).slice(out, out + length),
        );
        const failure = JSON.parse(json) as EngineFailure;
        expect(failure.code).toBe('allocation');
        failed.add(failure.values[0] ?? null);
        new Uint8Array(engine.memory.buffer).set(new TextEncoder().encode(text), out);
      }
    }
    expect(failed.size).toBeGreaterThan(2);
    expect(engine.losses(trainer, 2)).toHaveLength(2);
  }, 120_000);
});

describe('a prompt', () => {
  test('with a character that the vocabulary lacks is refused, and the character named', () => {
    const trainer = engine.train('microgpt', small, text);
    expect(engine.sample(trainer, 'caté')).toBe(Status.CHARACTER);
    const failure = engine.trainerError(trainer);
    expect(failure).toMatchObject({ code: 'character', name: 'é', values: [0xe9, 0, 0] });
    expect(failure.message).toContain('U+00E9');
    expect(typeof engine.sample(trainer, 'cat')).toBe('string');
  });

  test('longer than a document may be is refused; a stream takes its end', () => {
    const trainer = engine.train('microgpt', small, text);
    expect(engine.sample(trainer, 'a'.repeat(12))).toBe(Status.LONG);
    expect(engine.trainerError(trainer)).toMatchObject({ code: 'long', values: [12, 11, 0] });
    expect(typeof engine.sample(engine.train('gpt2', small, text), text)).toBe('string');
  });

  test('with settings out of range is refused by their names', () => {
    const trainer = engine.train('gpt2', small, text);
    const cases: [Parameters<BareEngine['sample']>[2], string][] = [
      [{ temperature: -1 }, 'temperature'],
      [{ temperature: NaN }, 'temperature'],
      [{ temperature: Infinity }, 'temperature'],
      [{ topK: -1 }, 'top_k'],
      [{ topK: 65537 }, 'top_k'],
      [{ topP: 0 }, 'top_p'],
      [{ topP: 1.1 }, 'top_p'],
      [{ topP: NaN }, 'top_p'],
      [{ seed: NaN }, 'seed'],
      [{ seed: 2 ** 53 }, 'seed'],
    ];
    for (const [settings, name] of cases) {
      expect(engine.sample(trainer, 'a', settings)).toBe(Status.RANGE);
      expect(engine.trainerError(trainer)).toMatchObject({ code: 'range', name });
    }
    expect(engine.sample(trainer, 'a', { temperature: 1e-30 })).toBe(
      engine.sample(trainer, 'a', { temperature: 0 }),
    );
    expect(engine.sample(trainer, 'a', { topK: 65536, tokens: 3 })).toEqual(
      engine.sample(trainer, 'a', { tokens: 3 }),
    );
  });

  test('whose text has no room in the buffer is refused, not cut', () => {
    const trainer = engine.train('gpt2', small, text);
    expect(engine.sample(trainer, 'a', { tokens: 200, capacity: 16 })).toBe(Status.CAPACITY);
  });

  test('is needed before a next token', () => {
    const trainer = engine.train('microgpt', small, text);
    expect(engine.call('gpt_sample_next', samplerOf(trainer))).toBe(Status.STATE);
    expect(engine.call('gpt_sample_take', samplerOf(trainer), 0)).toBe(Status.STATE);
    expect(engine.call('gpt_sample_reread', samplerOf(trainer))).toBe(Status.STATE);
    expect(engine.call('gpt_sample_skip', samplerOf(trainer), 1)).toBe(Status.STATE);
    expect(engine.call('gpt_sample_uniform', samplerOf(trainer))).toBeNaN();
    expect(engine.call('gpt_sample_begin', samplerOf(trainer), 0, 0, 1, 0, 1, 1)).toBe(1);
    expect(engine.call('gpt_sample_next', samplerOf(trainer))).toBeGreaterThanOrEqual(0);
    engine.call('gpt_rewind', trainer); // resets the weights that the sampler began with
    expect(engine.call('gpt_sample_next', samplerOf(trainer))).toBe(Status.STATE);
  });
});

describe('a probe', () => {
  test('of a text that is empty, too long or unknown is refused', () => {
    const stream = engine.train('gpt2', small, text);
    const documents = engine.train('microgpt', small, text);
    const probe = (trainer: number, content: string) => {
      const span = engine.put(content);
      return engine.call('gpt_probe', trainer, span.pointer, span.length, 0);
    };
    expect(probe(stream, '')).toBe(Status.EMPTY);
    expect(probe(documents, '')).toBe(1); // BOS alone
    expect(probe(stream, 'a'.repeat(12))).toBe(12);
    expect(probe(stream, 'a'.repeat(13))).toBe(Status.LONG);
    expect(engine.trainerError(stream)).toMatchObject({ code: 'long', values: [13, 12, 0] });
    expect(probe(documents, 'a'.repeat(12))).toBe(Status.LONG);
    expect(engine.trainerError(documents)).toMatchObject({ values: [12, 11, 0] });
    expect(probe(documents, 'é')).toBe(Status.CHARACTER);
    // A failed probe leaves no data.
    expect(engine.pointer('gpt_probe_data', documents, 0)).toBe(0);
    expect(
      engine.readText((out, capacity) => engine.call('gpt_probe_json', documents, out, capacity)),
    ).toBe('[]');
  });
});

describe('a missing handle or buffer', () => {
  test('is a status, NULL or NaN from every function, never a crash', () => {
    const zeros = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0] as const;
    const argument = [
      'gpt_config_set',
      'gpt_config_check',
      'gpt_config_error',
      'gpt_config_set_memory_limit',
      'gpt_plan_json',
      'gpt_step',
      'gpt_rewind',
      'gpt_trainer_set',
      'gpt_trainer_error',
      'gpt_sample',
      'gpt_sample_begin',
      'gpt_sample_next',
      'gpt_sample_ended',
      'gpt_sample_text',
      'gpt_sample_bytes',
      'gpt_sample_refills',
      'gpt_sample_take',
      'gpt_sample_reread',
      'gpt_sample_skip',
      'gpt_sample_rows',
      'gpt_encode',
      'gpt_token_bytes',
      'gpt_probe',
      'gpt_probe_ids',
      'gpt_probe_json',
      'gpt_parameters_json',
    ];
    for (const name of argument)
      expect([name, engine.call(name, ...zeros)]).toEqual([name, Status.ARGUMENT]);
    const nothing = [
      'gpt_config_create',
      'gpt_trainer_create',
      'gpt_trainer_sampler',
      'gpt_sampler_create',
      'gpt_sample_probabilities',
      'gpt_sample_context',
      'gpt_probe_tokens',
      'gpt_probe_data',
      'gpt_probe_grad',
      'gpt_parameter_data',
    ];
    for (const name of nothing) expect([name, engine.call(name, ...zeros)]).toEqual([name, 0]);
    for (const name of [
      'gpt_config_get',
      'gpt_loss',
      'gpt_validate',
      'gpt_memorised',
      'gpt_trainer_get',
      'gpt_learning_rate',
      'gpt_gradient_norm',
    ]) {
      expect([name, engine.call(name, ...zeros)]).toEqual([name, NaN]);
    }
    for (const name of ['gpt_config_free', 'gpt_sampler_free', 'gpt_trainer_free'])
      engine.call(name, 0);
    expect(engine.call('gpt_held_out_text', 0, 0, 0)).toBe(Status.ARGUMENT);
    expect(engine.call('gpt_options_json', 0, 0)).toBe(Status.CAPACITY);
  });

  test('beside a good handle is a status too', () => {
    const config = engine.config('gpt2', small);
    const trainer = engine.train('gpt2', small, text);
    expect(engine.call('gpt_trainer_create', config, 0, 5)).toBe(0);
    expect(engine.configError(config)).toMatchObject({ code: 'argument', name: 'text' });
    expect(engine.call('gpt_config_set', config, 0, 1)).toBe(Status.OPTION);
    expect(engine.call('gpt_config_get', config, 0)).toBeNaN();
    expect(engine.call('gpt_trainer_get', trainer, 0)).toBeNaN();
    expect(engine.call('gpt_trainer_set', trainer, 0, 1)).toBe(Status.OPTION);
    expect(engine.call('gpt_sample_begin', samplerOf(trainer), 0, 5, 1, 0, 1, 1)).toBe(
      Status.ARGUMENT,
    );
    expect(engine.call('gpt_sample', trainer, 0, 0, 3, 1, 0, 1, 1, 0, 100)).toBe(Status.ARGUMENT);
    expect(engine.call('gpt_encode', trainer, 0, 5, 0, 0)).toBe(Status.ARGUMENT);
    expect(engine.call('gpt_probe', trainer, 0, 5, 0)).toBe(Status.ARGUMENT);
    expect(engine.call('gpt_sample_text', samplerOf(trainer), 0, 100)).toBe(Status.ARGUMENT);
    for (const name of ['gpt_config_error', 'gpt_options_json']) {
      const handle = name === 'gpt_options_json' ? [] : [config];
      expect(engine.call(name, ...handle, 0, 100)).toBe(Status.CAPACITY);
      expect(engine.read(8, (out, capacity) => engine.call(name, ...handle, out, capacity))).toBe(
        Status.CAPACITY,
      );
    }
    for (const name of ['gpt_parameters_json', 'gpt_probe_json']) {
      expect(engine.call(name, trainer, 0, 100)).toBe(Status.CAPACITY);
    }
    expect(engine.call('gpt_token_bytes', trainer, 65, 0, 4)).toBe(Status.CAPACITY);
    expect(engine.losses(trainer, 1)).toHaveLength(1);
  });
});
