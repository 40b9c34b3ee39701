/**
 * The model as ONNX, opened by onnxruntime and by transformers.js: the logits of every recipe, with
 * and without a KV cache, and the greedy text from the exported folder.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as ort from 'onnxruntime-web';
import { afterAll, describe, expect, test } from 'vitest';
import { exportAs } from './node/formats.ts';
import { long } from './long.ts';
import { FileEngine } from './node/file-engine.ts';
import { loadTiny } from './node/gpt2-tiny.ts';
import { OnnxText, difference, engineLogits, openOnnx, plainLogits } from './node/onnx.ts';

const TEXT = new TextEncoder().encode(
  'the cat sat on the mat\nand the rat sat on the cat\nété 一二\r\n' +
    'a cat is a cat is a cat\nthe mat is flat\nthat is that\n',
);

const textPath = (name: string) => join(import.meta.dirname, '../public/texts', name);

/** Bound relative to the largest logit: 32-bit sums in another order. */
const BOUND = 1e-5;

type Recipe = Readonly<Record<string, number>>;

const SIZES: Recipe = {
  layers: 2,
  heads: 2,
  channels: 16,
  context: 12,
  batch: 3,
  steps: 6,
  lr: 0.02,
};

/** All values of the model's options with choices, and two values of two numeric options. */
function modelChoices(engine: FileEngine): Map<string, number[]> {
  const { options } = JSON.parse(engine.text('options_json')) as {
    options: { name: string; group: string; type: string; choices?: string[] }[];
  };
  const choices = new Map<string, number[]>();
  for (const { name, group, type, choices: names } of options) {
    const count = type === 'bool' ? 2 : (names?.length ?? 0);
    if (group === 'model' && count > 0) choices.set(name, [...Array(count).keys()]);
  }
  return choices
    .set('tokenizer', [0, 1, 2])
    .set('sequences', [0, 1])
    .set('norm_epsilon', [1e-5, 0.3])
    .set('init_std', [0.02, 0.3]);
}

/** Recipes that cover every pair of choices, found greedily. */
function pairwise(choices: Map<string, number[]>): Recipe[] {
  const names = [...choices.keys()];
  const pairsOf = (recipe: Recipe): string[] =>
    names.flatMap((a, i) => names.slice(i + 1).map((b) => `${a}=${recipe[a]} ${b}=${recipe[b]}`));
  const missing = new Set<string>();
  for (const [i, a] of names.entries()) {
    for (const b of names.slice(i + 1)) {
      for (const x of choices.get(a)!) {
        for (const y of choices.get(b)!) missing.add(`${a}=${x} ${b}=${y}`);
      }
    }
  }
  let state = 1;
  const draw = (count: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  const recipes: Recipe[] = [];
  while (missing.size > 0) {
    const candidates = Array.from({ length: 100 }, () =>
      Object.fromEntries(names.map((name) => [name, draw(choices.get(name)!.length)])),
    ).map((places) =>
      Object.fromEntries(names.map((name) => [name, choices.get(name)![places[name]!]!])),
    );
    const gain = (recipe: Recipe): number => pairsOf(recipe).filter((p) => missing.has(p)).length;
    const best = candidates.reduce((a, b) => (gain(b) > gain(a) ? b : a));
    for (const pair of pairsOf(best)) missing.delete(pair);
    recipes.push({ ...best });
  }
  return recipes;
}

/** Trains a model with this recipe. */
function grow(engine: FileEngine, recipe: Recipe, text = TEXT): number {
  const config = engine.call('config_create', 'gpt2');
  for (const [name, value] of Object.entries(recipe)) {
    expect([name, engine.call('config_set', config, name, value)]).toEqual([name, 0]);
  }
  const trainer = engine.train(config, text);
  while (engine.call('step', trainer) === 0);
  engine.call('config_free', config);
  return trainer;
}

/** Arbitrary ids that fill the context. */
function someIds(engine: FileEngine, trainer: number): number[] {
  const vocab = engine.call('trainer_get', trainer, 'vocab');
  const context = engine.call('trainer_get', trainer, 'context');
  return Array.from({ length: context }, (_, i) => (i * 7919 + 3) % vocab);
}

const engine = await FileEngine.create();

// The runtime that transformers.js looks up first. Its default in Node is the native runtime, which
// package.json replaces because of its size and its further downloads.
Object.assign(globalThis, { [Symbol.for('onnxruntime')]: ort });

const folder = mkdtempSync(join(tmpdir(), 'onnx-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Writes the files of a model into its own folder, in the layout that transformers.js expects. */
function exportFolder(name: string, weights: Uint8Array): void {
  const files = {
    'config.json': 'onnx-config.json',
    'tokenizer.json': 'tokenizer.json',
    'tokenizer_config.json': 'tokenizer_config.json',
    'generation_config.json': 'generation_config.json',
    'onnx/model.onnx': 'onnx',
  };
  for (const [file, form] of Object.entries(files)) {
    const path = join(folder, name, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, exportAs(weights, form));
  }
}

/** Generates text after each prompt with transformers.js, as in its documentation. */
async function foreignTexts(name: string, prompts: readonly string[], tokens: number) {
  const { env, pipeline } = await import('@huggingface/transformers');
  env.allowRemoteModels = false;
  env.useWasmCache = false; // otherwise fetches onnxruntime from a public address
  env.localModelPath = folder;
  const generate = await pipeline('text-generation', name, {
    device: 'auto',
    session_options: { executionProviders: ['wasm'], logSeverityLevel: 3 },
  });
  const texts: string[] = [];
  for (const prompt of prompts) {
    const [written] = (await generate(prompt, { max_new_tokens: tokens, do_sample: false })) as {
      generated_text: string;
    }[];
    texts.push(written!.generated_text);
  }
  await generate.dispose();
  return texts;
}

/** Our greedy text, with the prompt. */
function ourText(trainer: number, prompt: string, tokens: number): string {
  const text = engine.put(prompt);
  return prompt + engine.text('sample', [trainer, text.pointer, text.length, tokens, 0, 0, 1, 1]);
}

describe('a model as ONNX', () => {
  async function expectSameLogits(recipes: readonly Recipe[]): Promise<void> {
    for (const recipe of recipes) {
      const trainer = grow(engine, { ...SIZES, ...recipe });
      const weights = engine.save(trainer, 'weights');
      const ids = someIds(engine, trainer);
      const wanted = engineLogits(engine, trainer, ids);
      const plain = await openOnnx(exportAs(weights, 'onnx-plain'));
      const cached = await openOnnx(exportAs(weights, 'onnx'));
      const text = new OnnxText(cached, 2, 8);
      const pieces = [await text.read(ids.slice(0, 5))];
      for (const id of ids.slice(5)) pieces.push(await text.read([id]));
      const stepwise = Float32Array.from(pieces.flatMap((piece) => [...piece]));
      for (const logits of [await plainLogits(plain, ids), stepwise]) {
        expect(difference(logits, wanted), JSON.stringify(recipe)).toBeLessThan(BOUND);
      }
      await plain.release();
      await cached.release();
      engine.call('trainer_free', trainer);
    }
  }

  test('has the logits of the engine, with a cache and without', async () => {
    await expectSameLogits([{}]);
  });

  long('has them for every pair of choices', async () => {
    const recipes = pairwise(modelChoices(engine));
    expect(recipes.length).toBeGreaterThan(5);
    await expectSameLogits(recipes);
  });

  test('hides what a mask hides: a shorter text, padded on the left, has the logits that it has alone', async () => {
    const trainer = grow(engine, { ...SIZES, tokenizer: 0, init_std: 0.3 });
    const cached = await openOnnx(exportAs(engine.save(trainer, 'weights'), 'onnx'));
    const both = new OnnxText(cached, 2, 8, 2);
    const long = [...Buffer.from('the cat')];
    const short = [...Buffer.from('rat')];
    const padding = long.length - short.length;
    const mask = [...long.map(() => 1), ...Array<number>(padding).fill(0), ...short.map(() => 1)];
    const first = await both.read([...long, ...Array<number>(padding).fill(0), ...short], mask);
    const next = await both.read([32, 33]);
    const vocab = next.length / 2;
    for (const [row, ids] of [long, short].entries()) {
      const wanted = engineLogits(engine, trainer, [...ids, 32 + row]);
      const got = new Float32Array([
        ...first.slice(
          ((row + 1) * long.length - ids.length) * vocab,
          (row + 1) * long.length * vocab,
        ),
        ...next.slice(row * vocab, (row + 1) * vocab),
      ]);
      expect(difference(got, wanted)).toBeLessThan(BOUND);
    }
    await cached.release();
    engine.call('trainer_free', trainer);
  });
});

describe("GPT-2's files", () => {
  test('go out as ONNX with all rows of a token table that is longer than the vocabulary', async () => {
    const trainer = loadTiny(engine, 3);
    const rows = 300;
    const ids = someIds(engine, trainer);
    const session = await openOnnx(exportAs(engine.save(trainer, 'weights'), 'onnx-plain'));
    const logits = await plainLogits(session, ids);
    expect(logits.length).toBe(rows * ids.length);
    expect(difference(logits, engineLogits(engine, trainer, ids))).toBeLessThan(BOUND);
    await session.release();
    engine.call('trainer_free', trainer);
  });
});

describe('transformers.js', () => {
  // Spaces that a clean-up would remove, and characters of several bytes.
  const story = new TextEncoder().encode(
    "Stop ! said the cat , and the dog did n't . 一只猫 sat down 🐈 ; was it été ? It 's so .\n".repeat(
      40,
    ),
  );
  const names = new Uint8Array(readFileSync(textPath('first-names-en.txt'))).subarray(0, 40_000);

  long('writes the greedy text of a BPE model from its folder', async () => {
    const trainer = grow(
      engine,
      { ...SIZES, channels: 64, context: 64, steps: 120, lr: 0.003, tokenizer: 2, vocabulary: 300 },
      story,
    );
    exportFolder('story', engine.save(trainer, 'weights'));
    const prompts = ['Stop ! said', 'the dog', '一'];
    const texts = await foreignTexts('story', prompts, 40);
    expect(texts).toEqual(prompts.map((prompt) => ourText(trainer, prompt, 40)));
    expect(texts[0]!.length).toBeGreaterThan(40);
    engine.call('trainer_free', trainer);
  });

  long('writes the names of a model of characters, each begun and ended by BOS', async () => {
    const recipe = { layers: 1, channels: 32, context: 16, batch: 8, steps: 200, lr: 0.01 };
    const trainer = grow(
      engine,
      { ...recipe, tokenizer: 1, sequences: 1, norm: 1, activation: 1 },
      names,
    );
    exportFolder('names', engine.save(trainer, 'weights'));
    const prompts = ['a', 'jo', 'mar', 's'];
    const texts = await foreignTexts('names', prompts, 12);
    expect(texts).toEqual(prompts.map((prompt) => ourText(trainer, prompt, 12)));
    engine.call('trainer_free', trainer);
  });
});
