/** Valid calls of c/api/gpt.h on the real module. Invalid calls are in engine-bad-input.test.ts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { CONFIGS, optionsOf, textOf } from './bench/configs.mjs';
import { BareEngine, Status } from './node/bare-engine.ts';
import { engineModule } from './node/engine-memory.ts';
import { Engine } from '../web/engine/binding/engine.ts';

interface Option {
  readonly name: string;
  readonly group: string;
  readonly type: string;
  readonly min: number;
  readonly max: number;
  readonly choices?: readonly string[];
  readonly live: boolean;
  readonly presets: readonly number[];
}

interface ProbeNode {
  readonly name: string;
  readonly op: string;
  readonly function: string;
  readonly shape: readonly number[];
  readonly inputs: readonly string[];
}

const text =
  'the cat sat on the mat\nthe rat ran\nthat cat had a hat\na bat\nthe mat is flat\n'.repeat(3);
const small = { layers: 2, heads: 2, channels: 16, context: 12, batch: 2 };
const presets = ['tinygpt', 'microgpt', 'gpt2'];

let engine: BareEngine;
/** The sampler that gpt_sample uses. */
const samplerOf = (trainer: number): number => engine.pointer('gpt_trainer_sampler', trainer);
beforeAll(async () => {
  engine = await BareEngine.load();
});

test('tells the version of both packages', async () => {
  const { version } = await Engine.load(await engineModule());
  for (const folder of ['', 'web/package']) {
    const file = readFileSync(join(import.meta.dirname, '..', folder, 'package.json'), 'utf8');
    expect((JSON.parse(file) as { version: string }).version).toBe(version);
  }
});

const size = (shape: readonly number[]) => shape.reduce((product, n) => product * n, 1);

describe('the module', () => {
  test('asks its host for nothing but the growth hook', async () => {
    const imports = WebAssembly.Module.imports(await engineModule());
    expect(imports).toEqual([
      { module: 'env', name: 'emscripten_notify_memory_growth', kind: 'function' },
    ]);
  });

  test('starts with little memory, and grows when a trainer asks for it', async () => {
    const fresh = await BareEngine.load();
    const before = fresh.memoryBytes();
    expect(before).toBeLessThanOrEqual(8 << 20);
    const trainer = fresh.train('gpt2', {}, text);
    expect(fresh.memoryBytes()).toBeGreaterThan(before);
    expect(fresh.losses(trainer, 1)).toHaveLength(1);
  });

  test.each(presets)('%s grows nothing after its first step', (preset) => {
    const trainer = engine.train(preset, { ...small, validation: 0.2 }, text);
    engine.losses(trainer, 1);
    engine.sample(trainer, 'the');
    const bytes = engine.memoryBytes();
    for (let i = 0; i < 20; i++) {
      engine.losses(trainer, 5);
      engine.sample(trainer, 'the', { seed: i });
      engine.call('gpt_validate', trainer, 4);
    }
    expect(engine.memoryBytes()).toBe(bytes);
    engine.call('gpt_trainer_free', trainer);
  });

  test.each(presets)('%s fills the memory that its plan names, to within a page', (preset) => {
    const trainer = engine.train(preset, { ...small, validation: 0.2 }, text);
    engine.losses(trainer, 3);
    engine.call('gpt_validate', trainer, 4);
    // Samples to the end of the context fill the cache.
    engine.sample(trainer, 'the cat sat', { temperature: 0 });
    const [bytes, peak] = [engine.get(trainer, 'memory_bytes'), engine.get(trainer, 'memory_peak')];
    expect(peak).toBeLessThanOrEqual(bytes);
    expect(bytes - peak).toBeLessThan(65536);
    engine.call('gpt_trainer_free', trainer);
  });

  test.each(['XS', 'S', 'M'])(
    'of configuration %s is at most 1.3 times weights, gradients, moments and activations',
    (name) => {
      const { preset, V, T, C, L, H, B } = CONFIGS[name]!;
      const learned = textOf(name);
      const trainer = engine.train(preset, optionsOf(name), learned);
      // Activations that the backward pass reads per token: residual stream, norms, qkv, heads,
      // both sides of the activation function, probabilities of attention and of the loss.
      const perToken = C + L * (14 * C + 3 * C + H * T) + 2 * C + V;
      const needed = 16 * engine.get(trainer, 'parameters') + 4 * B * T * perToken;
      // Memory outside of the model: tokens of the text, loss history, workspace of products.
      const beside = 4 * learned.length + (4 << 18) + 4 * (256 * 512 + 64 * 256);
      expect(engine.get(trainer, 'memory_bytes') - beside).toBeLessThan(1.3 * needed);
      engine.call('gpt_trainer_free', trainer);
    },
  );

  test('gives back all memory of a trainer that is freed', () => {
    engine.call('gpt_trainer_free', engine.train('gpt2', { layers: 2, channels: 64 }, text));
    const bytes = engine.memoryBytes();
    for (let i = 0; i < 20; i++) {
      const trainer = engine.train('gpt2', { layers: 2, channels: 64 }, text);
      engine.losses(trainer, 1);
      engine.sample(trainer, 'the');
      engine.call('gpt_probe', trainer, 0, 0, 0);
      engine.call('gpt_trainer_free', trainer);
    }
    expect(engine.memoryBytes()).toBe(bytes);
  });
});

describe('the table of options', () => {
  const table = () =>
    engine.readJson((out, capacity) => engine.call('gpt_options_json', out, capacity)) as {
      presets: string[];
      options: Option[];
    };

  test('names the presets, and each option with a range, a type and its value in every preset', () => {
    const { presets: names, options } = table();
    expect(names).toEqual(presets);
    expect(new Set(options.map(({ name }) => name)).size).toBe(options.length);
    for (const option of options) {
      expect(['data', 'model', 'training']).toContain(option.group);
      expect(['int', 'real', 'bool', 'choice']).toContain(option.type);
      expect(option.presets).toHaveLength(3);
      for (const value of option.presets) {
        expect(value).toBeGreaterThanOrEqual(option.min);
        expect(value).toBeLessThanOrEqual(option.max);
      }
      if (option.type === 'choice') expect(option.choices).toHaveLength(option.max + 1);
      else expect(option.choices).toBeUndefined();
    }
  });

  test('is what a recipe holds, and what it accepts', () => {
    for (const [index, preset] of presets.entries()) {
      const config = engine.config(preset);
      for (const option of table().options) {
        expect(engine.getOption(config, option.name)).toBe(option.presets[index]);
        expect(engine.set(config, option.name, option.max)).toBe(Status.OK);
        expect(engine.getOption(config, option.name)).toBe(option.max);
      }
      engine.call('gpt_config_free', config);
    }
  });

  test('says which options may change during a run, and only those may', () => {
    const trainer = engine.train('gpt2', small, text);
    for (const option of table().options) {
      const value = engine.get(trainer, option.name);
      const status = engine.setLive(trainer, option.name, option.min);
      expect([option.name, status]).toEqual([option.name, option.live ? Status.OK : Status.FIXED]);
      expect(engine.get(trainer, option.name)).toBe(option.live ? option.min : value);
    }
    engine.call('gpt_trainer_free', trainer);
  });
});

describe('a plan', () => {
  test('counts what a text is made of, before anything is allocated', () => {
    const config = engine.config('microgpt', { context: 8 });
    const plan = engine.plan(config, 'anna\r\n\nbob\nchristopher\nbobé\n');
    expect(plan).toMatchObject({
      vocab: 14, // a b c e h i n o p r s t é, and BOS
      tokens: 4 + 3 + 11 + 4,
      documents: 4,
      train_documents: 4,
      cut_documents: 1,
      cut_tokens: 3,
      invalid_bytes: 0,
    });
    expect(engine.plan(config, new Uint8Array([97, 0xff, 10, 0xc3, 98]))).toMatchObject({
      vocab: 5,
      tokens: 4,
      invalid_bytes: 2,
    });
    engine.call('gpt_config_free', config);
  });

  test.each(presets)('%s: what it says is what the trainer then has', (preset) => {
    const config = engine.config(preset, small);
    const plan = engine.plan(config, text);
    const trainer = engine.trainer(config, text);
    expect(plan).toMatchObject({
      vocab: engine.get(trainer, 'vocab'),
      parameters: engine.get(trainer, 'parameters'),
      documents: engine.get(trainer, 'documents'),
      total_bytes: engine.get(trainer, 'memory_bytes'),
      text_bytes: text.length,
      tokens_per_step: 24,
      random_loss: expect.closeTo(Math.log(engine.get(trainer, 'vocab')), 8) as number,
    });
    engine.call('gpt_trainer_free', trainer);
    engine.call('gpt_config_free', config);
  });
});

describe('a run', () => {
  test.each(presets)(
    '%s: two instances of the module give the same losses to the bit',
    async (preset) => {
      const other = await BareEngine.load();
      // Another history of allocations changes the addresses.
      other.call('gpt_trainer_free', other.train('gpt2', {}, text));
      const settings = { ...small, validation: 0.2, steps: 60 };
      const first = engine.losses(engine.train(preset, settings, text), 100);
      const second = other.losses(other.train(preset, settings, text), 100);
      expect(first).toHaveLength(60); // the run ends after 60 steps
      expect(second).toEqual(first);
      expect(first.at(-1)).toBeLessThan(first[0]!);
    },
  );

  test('has no loss before its first step, and none again after a rewind', () => {
    const trainer = engine.train('microgpt', small, text);
    expect(engine.call('gpt_loss', trainer)).toBeNaN();
    const first = engine.losses(trainer, 3);
    expect(engine.get(trainer, 'step')).toBe(3);
    expect(engine.call('gpt_rewind', trainer)).toBe(Status.OK);
    expect(engine.call('gpt_loss', trainer)).toBeNaN();
    expect(engine.get(trainer, 'step')).toBe(0);
    expect(engine.losses(trainer, 3)).toEqual(first);
  });

  test('reports its numbers by name', () => {
    const trainer = engine.train(
      'gpt2',
      { ...small, tokenizer: 0, lr: 0.001, warmup: 4, steps: 10 },
      text,
    );
    engine.losses(trainer, 2);
    expect(engine.get(trainer, 'step')).toBe(2);
    expect(engine.get(trainer, 'lr_now')).toBeCloseTo(0.001 / 2, 12); // the second of four warm-up steps
    expect(engine.get(trainer, 'grad_norm')).toBeGreaterThan(0);
    expect(engine.get(trainer, 'vocab')).toBe(256);
    expect(engine.get(trainer, 'bos')).toBe(-1);
    expect(engine.get(trainer, 'channels')).toBe(16);
    expect(engine.get(trainer, 'tokens_seen')).toBe(2 * 24);
    expect(engine.get(trainer, 'train_tokens')).toBe(text.length - Math.floor(text.length / 10));
    expect(engine.get(trainer, 'validation_tokens')).toBe(Math.floor(text.length / 10));
    expect(engine.get(trainer, 'no such thing')).toBeNaN();
  });

  test('with validation has a held-out loss near the training loss, without it none', () => {
    const trainer = engine.train('gpt2', { ...small, validation: 0.2 }, text);
    const before = engine.call('gpt_validate', trainer, 10);
    expect(before).toBeCloseTo(Math.log(256), 0);
    engine.losses(trainer, 100);
    expect(engine.call('gpt_validate', trainer, 10)).toBeLessThan(before - 1);
    expect(engine.call('gpt_validate', trainer, 0)).toBeNaN();
    const without = engine.train('gpt2', { ...small, validation: 0 }, text);
    expect(engine.call('gpt_validate', without, 10)).toBeNaN();
  });
});

describe('a sample', () => {
  test('is the same for the same seed, and lies within the tokens asked for', () => {
    const trainer = engine.train('microgpt', small, text);
    engine.losses(trainer, 50);
    expect(engine.sample(trainer, 'the', { seed: 3 })).toBe(
      engine.sample(trainer, 'the', { seed: 3 }),
    );
    const texts = new Set([1, 2, 3, 4, 5, 6].map((seed) => engine.sample(trainer, '', { seed })));
    expect(texts.size).toBeGreaterThan(3);
    expect(engine.sample(trainer, '', { tokens: 0 })).toBe(Status.RANGE);
    for (let tokens = 1; tokens < 8; tokens++) {
      expect(String(engine.sample(trainer, '', { tokens })).length).toBeLessThanOrEqual(tokens);
    }
  });

  test('a token at a time is the same text as at once', () => {
    const trainer = engine.train('microgpt', small, text);
    engine.losses(trainer, 50);
    for (let seed = 0; seed < 10; seed++) {
      const whole = engine.sample(trainer, 'the', { seed });
      const prompt = engine.put('the');
      expect(
        engine.call('gpt_sample_begin', samplerOf(trainer), prompt.pointer, 3, 1, 0, 1, seed),
      ).toBe(4);
      while (engine.call('gpt_sample_ended', samplerOf(trainer)) === 0)
        engine.call('gpt_sample_next', samplerOf(trainer));
      const text = engine.readText((out, capacity) =>
        engine.call('gpt_sample_text', samplerOf(trainer), out, capacity),
      );
      expect(text).toBe(whole);
      engine.free(prompt);
    }
  });

  test('says of a text whether BOS ended it, or the context that it filled', () => {
    const trainer = engine.train('microgpt', small, text);
    const bos = engine.get(trainer, 'vocab') - 1;
    const context = engine.get(trainer, 'context');
    const empty = engine.put('');
    const begin = () =>
      engine.call('gpt_sample_begin', samplerOf(trainer), empty.pointer, 0, 1, 0, 1, 1);
    begin();
    engine.call('gpt_sample_take', samplerOf(trainer), 0);
    expect(engine.call('gpt_sample_ended', samplerOf(trainer))).toBe(0);
    engine.call('gpt_sample_take', samplerOf(trainer), bos);
    expect(engine.call('gpt_sample_ended', samplerOf(trainer))).toBe(1);
    begin();
    for (let drawn = 0; drawn < context; drawn++) {
      expect(engine.call('gpt_sample_ended', samplerOf(trainer))).toBe(0);
      engine.call('gpt_sample_take', samplerOf(trainer), 0);
    }
    expect(engine.call('gpt_sample_ended', samplerOf(trainer))).toBe(2);
    engine.free(empty);
  });

  test('with a negative seed continues the stream of the run, draw by draw', () => {
    const trainer = engine.train('microgpt', small, text);
    const closing = [1, 2, 3].map(() => engine.sample(trainer, '', { seed: -1 }));
    expect(new Set(closing).size).toBeGreaterThan(1);
    engine.call('gpt_rewind', trainer);
    expect([1, 2, 3].map(() => engine.sample(trainer, '', { seed: -1 }))).toEqual(closing);
  });

  test.each(presets)(
    '%s: each token from the cache has the probabilities of a full pass, to the bit',
    (preset) => {
      // Bytes for gpt2: sampled text need not encode to the same BPE tokens.
      const settings = preset === 'gpt2' ? { ...small, tokenizer: 0 } : small;
      const trainer = engine.train(preset, settings, text);
      engine.losses(trainer, 30);
      const vocab = engine.get(trainer, 'vocab');
      const prompt = engine.put('th');
      const read = () =>
        engine.floats(engine.pointer('gpt_sample_probabilities', samplerOf(trainer), 0), vocab);
      for (let seed = 0; seed < 5; seed++) {
        engine.call('gpt_sample_begin', samplerOf(trainer), prompt.pointer, 2, 1, 0, 1, seed);
        const rows = [read()];
        while (rows.length < 9) {
          engine.call('gpt_sample_next', samplerOf(trainer));
          if (engine.call('gpt_sample_ended', samplerOf(trainer)) !== 0) break;
          rows.push(read());
        }
        const drawn = engine.read(64, (out, room) =>
          engine.call('gpt_sample_bytes', samplerOf(trainer), out, room),
        );
        const whole = engine.put(new Uint8Array([0x74, 0x68, ...(drawn as Uint8Array)]));
        const tokens = engine.call('gpt_probe', trainer, whole.pointer, whole.length, 0);
        const nodes = engine.readJson((out, room) =>
          engine.call('gpt_probe_json', trainer, out, room),
        ) as ProbeNode[];
        const at = nodes.findIndex(({ name }) => name === 'probs');
        const probs = engine.floats(engine.pointer('gpt_probe_data', trainer, at), tokens * vocab);
        expect(tokens).toBe(rows.length + 1 + (preset === 'microgpt' ? 1 : 0));
        for (const [index, row] of rows.entries()) {
          const position = tokens - rows.length + index;
          expect(row).toEqual(probs.slice(position * vocab, (position + 1) * vocab));
        }
      }
    },
  );

  test('shows the probabilities it draws from: they sum to 1, and top-k leaves k', () => {
    const trainer = engine.train('gpt2', { ...small, tokenizer: 0 }, text);
    const prompt = engine.put('the');
    expect(engine.pointer('gpt_sample_probabilities', samplerOf(trainer), 0)).toBe(0); // null: not begun
    engine.call('gpt_sample_begin', samplerOf(trainer), prompt.pointer, 3, 0.5, 7, 1, 1);
    const read = (adjusted: number) =>
      engine.floats(engine.pointer('gpt_sample_probabilities', samplerOf(trainer), adjusted), 256);
    const sum = (values: Float32Array) => values.reduce((total, p) => total + p, 0);
    expect(sum(read(0))).toBeCloseTo(1, 4);
    expect(sum(read(1))).toBeCloseTo(1, 4);
    expect(read(0).filter((p) => p > 0)).toHaveLength(256);
    expect(read(1).filter((p) => p > 0)).toHaveLength(7);
    const kept = read(1);
    // More tokens than the context holds: the cache is rebuilt in between.
    for (let i = 0; i < 30; i++) {
      expect(kept[engine.call('gpt_sample_next', samplerOf(trainer))]).toBeGreaterThan(0);
      kept.set(read(1));
    }
  });
});

describe('a probe', () => {
  const nodes = (trainer: number) =>
    engine.readJson((out, capacity) =>
      engine.call('gpt_probe_json', trainer, out, capacity),
    ) as ProbeNode[];

  test('names every tensor with its op, function, shape, inputs and constants, in order', () => {
    const trainer = engine.train('microgpt', small, text);
    const span = engine.put('the cat');
    expect(engine.call('gpt_probe', trainer, span.pointer, span.length, 0)).toBe(8);
    const list = nodes(trainer);
    expect(list[0]).toMatchObject({ name: 'embed.token', op: 'embedding', shape: [1, 8, 16] });
    expect(list).toContainEqual({
      name: 'block1.attn.probs',
      op: 'attention',
      function: 'attention_forward',
      shape: [1, 2, 8, 8],
      inputs: ['block1.attn.qkv'],
      // Two heads of 8 channels each.
      constants: { heads: 2, scale: expect.closeTo(1 / Math.sqrt(8), 6) as number },
    });
    expect(new Set(list.map(({ name }) => name)).size).toBe(list.length);
    const known = new Set(list.map(({ name }) => name));
    for (const node of list) {
      const computed = node.inputs.filter((input) =>
        /^(block|embed|final|logits|loss)/.test(input),
      );
      for (const input of computed) expect(known).toContain(input);
    }
    expect(engine.pointer('gpt_probe_data', trainer, list.length)).toBe(0);
    expect(engine.pointer('gpt_probe_data', trainer, -1)).toBe(0);
  });

  test('shows attention that looks back only and sums to 1, and gradients only when asked', () => {
    const trainer = engine.train('microgpt', small, text);
    engine.losses(trainer, 20);
    const span = engine.put('the cat');
    engine.call('gpt_probe', trainer, span.pointer, span.length, 0);
    const at = nodes(trainer).findIndex(({ name }) => name === 'block0.attn.probs');
    const probs = engine.floats(engine.pointer('gpt_probe_data', trainer, at), 2 * 8 * 8);
    for (let row = 0; row < 16; row++) {
      const values = [...probs.slice(row * 8, row * 8 + 8)];
      expect(values.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 5);
      expect(values.slice((row % 8) + 1).every((p) => p === 0)).toBe(true);
    }
    const logits = nodes(trainer).findIndex(({ name }) => name === 'logits');
    expect(engine.pointer('gpt_probe_grad', trainer, logits)).toBe(0);
    engine.call('gpt_probe', trainer, span.pointer, span.length, 1);
    const shape = nodes(trainer)[logits]!.shape;
    const grad = engine.floats(engine.pointer('gpt_probe_grad', trainer, logits), size(shape));
    // The gradient of the logits is the probabilities minus the one-hot target: each row sums to 0.
    expect(grad.reduce((sum, g) => sum + g, 0)).toBeCloseTo(0, 5);
    expect(grad.some((g) => g !== 0)).toBe(true);
    // Every tensor keeps its own gradient: no two share memory.
    const places = nodes(trainer)
      .map((_, index) => engine.pointer('gpt_probe_grad', trainer, index))
      .filter((pointer) => pointer !== 0);
    expect(places.length).toBeGreaterThan(20);
    expect(new Set(places).size).toBe(places.length);
  });

  test('gives the loss of its text, as training would measure it', () => {
    const trainer = engine.train('microgpt', { ...small, batch: 1 }, 'the cat\n');
    const span = engine.put('the cat');
    engine.call('gpt_probe', trainer, span.pointer, span.length, 0);
    const at = nodes(trainer).findIndex(({ name }) => name === 'loss');
    const [loss] = engine.floats(engine.pointer('gpt_probe_data', trainer, at), 1);
    expect(engine.losses(trainer, 1)).toEqual([loss]);
  });

  test('shows the weights by name, all of them', () => {
    const trainer = engine.train('gpt2', small, text);
    const table = engine.readJson((out, capacity) =>
      engine.call('gpt_parameters_json', trainer, out, capacity),
    ) as { name: string; shape: number[]; decay: boolean }[];
    const total = table.reduce((sum, { shape }) => sum + size(shape), 0);
    expect(total).toBe(engine.get(trainer, 'parameters'));
    for (const [index, { name, shape, decay }] of table.entries()) {
      const weights = engine.floats(
        engine.pointer('gpt_parameter_data', trainer, index),
        size(shape),
      );
      expect(decay).toBe(shape.length === 2);
      const ones = weights.every((w) => w === 1);
      expect([name, ones]).toEqual([name, /ln_.*weight/.test(name)]);
    }
    expect(engine.pointer('gpt_parameter_data', trainer, table.length)).toBe(0);
    expect(engine.pointer('gpt_parameter_data', trainer, -1)).toBe(0);
  });
});

describe('tokens', () => {
  test.each([
    ['gpt2', 'bytes'],
    ['microgpt', 'characters'],
  ])('%s: any text goes to %s and back', (preset) => {
    const odd = 'é一😀\u0000z\t\r~';
    const trainer = engine.train(preset, small, `${odd}\n${text}`);
    const span = engine.put(odd);
    const ids = engine.pointer('malloc', 4 * 64);
    const count = engine.call('gpt_encode', trainer, span.pointer, span.length, ids, 64);
    expect(count).toBe(preset === 'gpt2' ? span.length : Array.from(odd).length);
    const bytes: number[] = [];
    for (const id of new Int32Array(engine.memory.buffer).slice(ids / 4, ids / 4 + count)) {
      const token = engine.read(8, (out, capacity) =>
        engine.call('gpt_token_bytes', trainer, id, out, capacity),
      );
      bytes.push(...(token as Uint8Array));
    }
    expect(new TextDecoder().decode(new Uint8Array(bytes))).toBe(odd);
    expect(engine.call('gpt_encode', trainer, span.pointer, span.length, ids, 3)).toBe(
      Status.CAPACITY,
    );
    expect(engine.trainerError(trainer).values.slice(0, 2)).toEqual([count, 3]);
  });
});
