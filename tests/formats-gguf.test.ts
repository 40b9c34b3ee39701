/**
 * GGUF files, opened by llama.cpp (the processor build in node-llama-cpp) and by Hugging Face's
 * reader. tests/c/test_gguf_write.c tests the layout of the bytes.
 *
 * llama.cpp's logits differ from ours for two reasons, which the tests separate: a GELU table of
 * 16-bit floats, and by default a cache of keys and values in 16-bit floats. Without both, only
 * rounding remains.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gguf } from '@huggingface/gguf';
import {
  getLlama,
  LlamaLogLevel,
  type Llama,
  type LlamaContextOptions,
  type LlamaModel,
  type Token,
} from 'node-llama-cpp';
import { afterAll, beforeAll, describe, expect, test, type TestContext } from 'vitest';
import { root, useFolder } from './node/command-line.ts';
import { long } from './long.ts';
import { FormatsEngine, type Imported } from './node/formats.ts';
import { FileEngine } from './node/file-engine.ts';
import { loadTiny } from './node/gpt2-tiny.ts';
import { gpt2Files } from './node/gpt2-vocabulary.ts';
import { readSafetensors } from './node/read-safetensors.ts';

const CONTEXT = 128;
const VOCABULARY = 512;
const STEPS = 60;

/** Bounds of the differences: twice the values measured with node-llama-cpp 3.22.1. */
const LOGITS = {
  /** 16-bit cache and 16-bit GELU, the defaults of llama.cpp: 3.3e-4. */
  usual: 6.6e-4,
  /** 32-bit cache, 16-bit GELU: 1.9e-4. */
  wideCache: 3.9e-4,
  /** 32-bit cache, output of the MLP set to zero: 2.9e-6. */
  rounding: 6e-6,
};
const PROBABILITIES = {
  /** 32-bit weights: 7.3e-6. */
  usual: 1.5e-5,
  /** 16-bit weights, which llama.cpp multiplies by 16-bit activations: 1.6e-5. */
  halfWeights: 3.3e-5,
};

const sample = (name: string, bytes: number): Uint8Array =>
  new Uint8Array(readFileSync(join(root, 'public/texts', name))).subarray(0, bytes);

const { here } = useFolder();
let engine: FileEngine;
let formats: FormatsEngine;
let llama: Llama | Error;
let trainer: number;
let weights: Uint8Array;
let windowIds: number[];

/** Two languages, numbers, contractions, white space, other scripts, control characters. */
function mixedText(): string {
  return [
    new TextDecoder().decode(sample('moby-dick-en.txt', 20_000)),
    new TextDecoder().decode(sample('tang-quatrains-zh.txt', 6_000)).slice(0, -1),
    new TextDecoder().decode(sample('first-names-en.txt', 2_000)),
    '12345678 1234567 9:30 1999-2026 3.14159265',
    "I'm, we're, they'll; it's 'tis CAN'T  x\t\t y \r\n\r\n  \n z   ",
    'Grüße, naïve café: ½ ² ٣٤٥ १२३ 0x1F600 👩‍👩‍👧‍👦🇨🇭 e\u0301 \u00a0\u2003\u3000 \u0085 <|endoftext|> \u0001\u007f',
  ].join('\n');
}

/** Trains with `vocabulary`, or with a vocabulary learned from the text if it is omitted. */
function train(
  options: Readonly<Record<string, number | string>>,
  text: Uint8Array,
  steps: number,
  vocabulary?: { vocab: Uint8Array; merges: Uint8Array },
): number {
  const config = engine.call('config_create', 'gpt2');
  if (vocabulary) giveVocabulary(config, vocabulary.vocab, vocabulary.merges);
  for (const [option, value] of Object.entries(options)) {
    const set = typeof value === 'number' ? 'config_set' : 'config_set_text';
    expect(engine.call(set, config, option, value)).toBe(0);
  }
  const made = engine.train(config, text);
  engine.call('config_free', config);
  for (let i = 0; i < steps; i++) expect(engine.call('step', made)).toBe(0);
  return made;
}

function encode(by: number, text: string): number[] {
  return engine.lend(text, (at, bytes) =>
    engine.borrow(4 * bytes, (out) => {
      const count = engine.call('encode', by, at, bytes, out, bytes);
      expect(count).toBeGreaterThan(0);
      return [...new Int32Array(engine.bytes(out, 4 * count).buffer)];
    }),
  );
}

function giveVocabulary(config: number, vocab: Uint8Array, merges: Uint8Array): void {
  engine.lend(vocab, (v, vBytes) =>
    engine.lend(merges, (m, mBytes) =>
      expect(engine.call('config_set_bpe', config, v, vBytes, m, mBytes, 0, 0)).toBe(0),
    ),
  );
}

/** Our logits after each of the ids but the last. */
function ourLogits(of: number, ids: readonly number[]): Float32Array[] {
  const bytes = new Uint8Array(Int32Array.from(ids).buffer);
  const read = engine.lend(bytes, (at) => engine.call('probe_ids', of, at, ids.length, 0));
  expect(read).toBe(ids.length - 1);
  const nodes = JSON.parse(engine.text('probe_json', [of])) as { name: string }[];
  const index = nodes.findIndex(({ name }) => name === 'logits');
  const all = engine.floats(engine.call('probe_data', of, index), read * VOCABULARY);
  return ids.slice(1).map((_, t) => all.subarray(t * VOCABULARY, (t + 1) * VOCABULARY));
}

/** Starts llama.cpp; returns a failure, so that skipped tests can name the reason. */
async function startLlama(): Promise<Llama | Error> {
  try {
    return await getLlama({
      gpu: false,
      build: 'never',
      skipDownload: true,
      progressLogs: false,
      logLevel: LlamaLogLevel.error,
      maxThreads: 1,
    });
  } catch (failure) {
    const report = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
    const glibc = report.header.glibcVersionRuntime !== undefined;
    if (process.platform === 'linux' && process.arch === 'x64' && glibc) throw failure;
    return failure as Error;
  }
}

/** Opens a file in llama.cpp; skips the test with the reason if llama.cpp did not start. */
async function open(context: TestContext, name: string, file: Uint8Array): Promise<LlamaModel> {
  if (llama instanceof Error) {
    const machine = `${process.platform}-${process.arch}`;
    return context.skip(`llama.cpp does not start on ${machine}: ${llama.message}`);
  }
  writeFileSync(here(name), file);
  const model = await llama.loadModel({ modelPath: here(name) });
  context.onTestFinished(() => model.dispose());
  return model;
}

/** Options without flash attention, which computes with 16-bit numbers. */
function contextOptions(cache: 'F16' | 'F32'): LlamaContextOptions {
  return {
    contextSize: CONTEXT,
    batchSize: CONTEXT,
    flashAttention: false,
    // Computed names, because the package marks the options as deprecated (experimental).
    ...Object.fromEntries(
      ['Key', 'Value'].map((part) => [`experimentalKvCache${part}Type`, cache]),
    ),
  };
}

/** llama.cpp's logits after each of the ids. */
async function theirLogits(
  model: LlamaModel,
  ids: readonly number[],
  cache: 'F16' | 'F32',
): Promise<Float32Array[]> {
  const context = await model.createContext(contextOptions(cache));
  const next = {
    generateNext: { logits: true, options: { temperature: 1, topK: 0, topP: 1, minP: 0 } },
  };
  const results = await context
    .getSequence()
    .controlledEvaluate(ids.map((id) => [id as Token, next]));
  await context.dispose();
  return results.map((result) => {
    const row = new Float32Array(VOCABULARY).fill(NaN);
    for (const [id, logit] of result!.next.logits!) row[id] = logit;
    return row;
  });
}

function probabilities(logits: Float32Array): number[] {
  const highest = Math.max(...logits);
  const powers = [...logits].map((logit) => Math.exp(logit - highest));
  const sum = powers.reduce((a, b) => a + b);
  return powers.map((power) => power / sum);
}

/** The largest absolute difference; NaN if any number is NaN. */
function largestDifference(
  a: readonly ArrayLike<number>[],
  b: readonly ArrayLike<number>[],
): number {
  expect(a.length).toBe(b.length);
  return Math.max(
    ...a.map((row, t) => Math.max(...Array.from(row, (x, i) => Math.abs(x - b[t]![i]!)))),
  );
}

/** A copy of the file with the output matrix of every layer's MLP set to zeros. */
function withoutMlp(file: Uint8Array): Uint8Array<ArrayBuffer> {
  const changed = new Uint8Array(file);
  const length = Number(new DataView(changed.buffer).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(changed.subarray(8, 8 + length))) as Record<
    string,
    { data_offsets: [number, number] }
  >;
  for (const [name, entry] of Object.entries(header)) {
    if (!name.endsWith('mlp.c_proj.weight')) continue;
    const [begin, end] = entry.data_offsets;
    changed.fill(0, 8 + length + begin, 8 + length + end);
  }
  return changed;
}

/** Loads a model from a file of our weights. */
function load(file: Uint8Array): number {
  const config = engine.call('config_create', 'gpt2');
  const loaded = engine.load(config, file, 'generate');
  engine.call('config_free', config);
  return loaded;
}

/** Loads a model from an imported file. */
function loadImported(imported: Imported): number {
  const config = engine.call('config_create', 'gpt2');
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  engine.lend(bytes(imported.config), (at, n) =>
    expect(engine.call('config_import', config, at, n)).toBe(0),
  );
  giveVocabulary(config, bytes(imported.vocab), bytes(imported.merges));
  const loaded = engine.load(config, imported.weights, 'generate');
  engine.call('config_free', config);
  return loaded;
}

beforeAll(async () => {
  engine = await FileEngine.create();
  formats = FormatsEngine.create();
  llama = await startLlama();
  const options = { channels: 64, layers: 3, context: CONTEXT, vocabulary: VOCABULARY };
  const text = sample('moby-dick-en.txt', 100_000);
  trainer = train({ ...options, warmup: 10, lr: 0.005 }, text, STEPS);
  weights = engine.save(trainer, 'weights');
  const words = new TextDecoder().decode(text.subarray(50_000, 51_200));
  windowIds = encode(trainer, words).slice(0, CONTEXT - 8);
});

afterAll(async () => {
  if (!(llama instanceof Error)) await llama.dispose();
});

// The first test is a canary in `make test`; the others need LONG=1.
describe('our GGUF in llama.cpp', () => {
  test('its logits are ours but for its 16-bit GELU and its 16-bit cache', async (context) => {
    const ours = ourLogits(trainer, windowIds);
    const model = await open(context, 'usual.gguf', formats.exportAs(weights, 'gguf'));
    const read = windowIds.slice(0, -1);
    const usual = await theirLogits(model, read, 'F16');
    const wide = await theirLogits(model, read, 'F32');
    expect(largestDifference(ours, usual)).toBeLessThan(LOGITS.usual);
    expect(largestDifference(ours, wide)).toBeLessThan(LOGITS.wideCache);
    const difference = largestDifference(ours.map(probabilities), usual.map(probabilities));
    expect(difference).toBeLessThan(PROBABILITIES.usual);
  });

  long('without an MLP and with a 32-bit cache, only rounding differs', async (context) => {
    const silent = withoutMlp(weights);
    const ours = ourLogits(load(silent), windowIds);
    const model = await open(context, 'silent.gguf', formats.exportAs(silent, 'gguf'));
    const theirs = await theirLogits(model, windowIds.slice(0, -1), 'F32');
    expect(largestDifference(ours, theirs)).toBeLessThan(LOGITS.rounding);
  });

  long(
    '16-bit weights give the same probabilities as those weights in our engine',
    async (context) => {
      const file = formats.exportAs(weights, 'gguf-f16');
      const ours = ourLogits(loadImported(formats.importFile(file)), windowIds);
      const model = await open(context, 'half.gguf', file);
      const theirs = await theirLogits(model, windowIds.slice(0, -1), 'F16');
      const difference = largestDifference(ours.map(probabilities), theirs.map(probabilities));
      expect(difference).toBeLessThan(PROBABILITIES.halfWeights);
    },
  );

  long('a text has the same tokens as here', async (context) => {
    const text = mixedText();
    // A vocabulary learned from the text itself has merges up to the borders between words.
    const options = { vocabulary: 1500, validation: 0, channels: 16, context: 16 };
    const made = train(options, new TextEncoder().encode(text.repeat(3)), 0);
    const file = formats.exportAs(engine.save(made, 'weights'), 'gguf');
    const model = await open(context, 'tokens.gguf', file);
    const ids = encode(made, text);
    expect(ids.length).toBeLessThan(text.length / 2);
    expect([...model.tokenize(text, false)]).toEqual(ids);
  });

  long("GPT-2's own vocabulary gives a text the same tokens, and comes back", async (context) => {
    const given = gpt2Files();
    const text = mixedText();
    const options = { channels: 16, layers: 1, context: 16 };
    const made = train(options, new TextEncoder().encode(text), 0, given);
    const file = formats.exportAs(engine.save(made, 'weights'), 'gguf-f16');
    const model = await open(context, 'gpt2.gguf', file);
    expect([...model.tokenize(text, false)]).toEqual(encode(made, text));
    expect([model.tokens.bos, model.tokens.eos]).toEqual([50256, 50256]);
    const imported = formats.importFile(file);
    expect(JSON.parse(imported.vocab)).toEqual(JSON.parse(new TextDecoder().decode(given.vocab)));
    expect(imported.merges).toBe(new TextDecoder().decode(given.merges));
    expect(imported.added).toBe('');
  });

  long(
    'the most likely tokens are the same until our two best are as close as the error',
    async (context) => {
      const prompts = ['The whale ', 'I thought that', 'Call me Ishmael. Some years ago'];
      const model = await open(context, 'greedy.gguf', formats.exportAs(weights, 'gguf'));
      let compared = 0;
      for (const prompt of prompts) {
        const { ids, certain } = writeGreedily(prompt, 80);
        const scene = await model.createContext(contextOptions('F16'));
        const written: number[] = [];
        const options = { temperature: 0 };
        const tokens = encode(trainer, prompt) as Token[];
        for await (const token of scene.getSequence().evaluate(tokens, options)) {
          if (written.push(token) === ids.length) break;
        }
        await scene.dispose();
        expect(written.slice(0, certain)).toEqual(ids.slice(0, certain));
        compared += certain;
      }
      expect(compared).toBeGreaterThan(100);
    },
  );

  long('it stops at our end of text, or never: not at a comma', async (context) => {
    const names = sample('first-names-en.txt', 20_000);
    for (const tokenizer of ['byte', 'bpe']) {
      for (const sequences of ['stream', 'documents']) {
        const options = { tokenizer, sequences, vocabulary: 300, context: CONTEXT, channels: 32 };
        const made = train(options, names, 1);
        const file = formats.exportAs(engine.save(made, 'weights'), 'gguf');
        const model = await open(context, `${tokenizer}-${sequences}.gguf`, file);
        const vocab = engine.call('trainer_get', made, 'vocab');
        const ends = [...Array(vocab).keys()].filter((id) => model.isEogToken(id as Token));
        const documents = sequences === 'documents';
        expect(ends).toEqual([documents ? vocab - 1 : 255]); // the byte FF never occurs in UTF-8
        expect(model.tokens.shouldPrependBosToken).toBe(documents);
        expect(model.tokens.bos).toBe(documents ? vocab - 1 : null);
        const name = 'Zoë-Anne\u00a0O’Neil';
        expect([...model.tokenize(name, false)]).toEqual(encode(made, name));
      }
    }
  });
});

/** Our greedy tokens. `certain`: tokens before the top two come closer than llama.cpp's error. */
function writeGreedily(prompt: string, count: number): { ids: number[]; certain: number } {
  const sampler = engine.call('trainer_sampler', trainer);
  engine.lend(prompt, (at, n) => engine.call('sample_begin', sampler, at, n, 0, 0, 1, 1));
  const ids: number[] = [];
  let certain = count;
  for (let i = 0; i < count; i++) {
    const at = engine.call('sample_probabilities', sampler, 0);
    const [first, second] = engine.floats(at, VOCABULARY).sort((a, b) => b - a);
    if (Math.log(first! / second!) < LOGITS.usual) certain = Math.min(certain, i);
    ids.push(engine.call('sample_next', sampler));
  }
  return { ids, certain };
}

test("Hugging Face's reader finds the metadata, and every tensor with its shape", async () => {
  for (const [form, type] of [
    ['gguf', 0],
    ['gguf-f16', 1],
  ] as const) {
    writeFileSync(here(`read-${form}.gguf`), formats.exportAs(weights, form));
    const read = await gguf(here(`read-${form}.gguf`), { allowLocalFile: true });
    expect(read.metadata).toMatchObject({
      version: 3,
      'general.architecture': 'gpt2',
      'general.file_type': type,
      'gpt2.context_length': CONTEXT,
      'gpt2.embedding_length': 64,
      'gpt2.feed_forward_length': 256,
      'gpt2.block_count': 3,
      'gpt2.attention.head_count': 4,
      'tokenizer.ggml.model': 'gpt2',
      'tokenizer.ggml.pre': 'gpt-2',
      'tokenizer.ggml.add_bos_token': false,
    });
    const lists = read.metadata as unknown as Record<string, readonly unknown[]>;
    expect(lists['tokenizer.ggml.tokens']).toHaveLength(VOCABULARY);
    expect(lists['tokenizer.ggml.merges']).toHaveLength(VOCABULARY - 256);
    expect(read.tensorInfos).toHaveLength(4 + 3 * 12);
    const up = read.tensorInfos.find(({ name }) => name === 'blk.2.ffn_up.weight');
    expect(up).toMatchObject({ shape: [64n, 256n], dtype: type });
  }
});

test('a GGUF file comes back as the model that went out, to the bit', () => {
  const imported = formats.importFile(formats.exportAs(weights, 'gguf'));
  const before = readSafetensors(weights).tensors;
  const after = readSafetensors(imported.weights).tensors;
  for (const [name, tensor] of after) {
    expect(tensor.shape, name).toEqual(before.get(name)!.shape);
    expect(Buffer.compare(tensor.bytes, before.get(name)!.bytes), name).toBe(0);
  }
  expect(after.size).toBe(4 + 3 * 12);
  expect(imported.vocab).toBe(new TextDecoder().decode(engine.save(trainer, 'vocab.json')));
  expect(imported.merges).toBe(new TextDecoder().decode(engine.save(trainer, 'merges.txt')));
  const logits = ourLogits(loadImported(imported), windowIds);
  expect(largestDifference(logits, ourLogits(trainer, windowIds))).toBe(0);
});

test('tokens that were added to a vocabulary go out and come back as such', () => {
  const added = { '<|user|>': 297, '春 晓': 299 };
  const file = formats.exportAs(engine.save(loadTiny(engine, 4, added), 'weights'), 'gguf');
  const { added: back } = formats.importFile(file);
  expect(JSON.parse(back)).toMatchObject(added);
});

test('a recipe that GGUF has no words for is refused with its name', () => {
  const made = train(
    { tokenizer: 'char', activation: 'relu2', context: 16 },
    sample('first-names-en.txt', 2_000),
    0,
  );
  expect(() => formats.exportAs(engine.save(made, 'weights'), 'gguf')).toThrow(
    'activation relu2, tokenizer char',
  );
});
