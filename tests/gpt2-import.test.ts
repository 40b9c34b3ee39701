/**
 * Compares imported GPT-2 files (as transformers writes them) with an independent program (numpy,
 * tests/generate/gpt2_tiny.py): token ids, logits and greedy text, in four number types and both
 * naming schemes of tensors. Exports the model again.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FileEngine } from './node/file-engine.ts';
import { readSafetensors } from './node/read-safetensors.ts';

const folder = join(import.meta.dirname, 'fixtures/gpt2-tiny');
const read = (name: string) => new Uint8Array(readFileSync(join(folder, name)));
const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as {
  texts: { text: string; ids: number[] }[];
  greedy: number[];
};
const prompt = expected.texts[0]?.text ?? '';

/** Creates a recipe from the files: vocabulary and merges first, then the dimensions. */
function recipe(engine: FileEngine): number {
  const config = engine.call('config_create', 'gpt2');
  const vocab = engine.put(read('vocab.json'));
  const merges = engine.put(read('merges.txt'));
  const dimensions = engine.put(read('config.json'));
  const status = [
    engine.call(
      'config_set_bpe',
      config,
      vocab.pointer,
      vocab.length,
      merges.pointer,
      merges.length,
    ),
    engine.call('config_import', config, dimensions.pointer, dimensions.length),
  ];
  expect([status, engine.text('config_error', [config])]).toMatchObject([
    [0, 0],
    expect.anything(),
  ]);
  return config;
}

/** Returns the logits after the prompt, read from a probe. */
function lastLogits(engine: FileEngine, trainer: number): Float32Array {
  const text = engine.put(prompt);
  const count = engine.call('probe', trainer, text.pointer, text.length, 0);
  const nodes = JSON.parse(engine.text('probe_json', [trainer])) as {
    name: string;
    shape: number[];
  }[];
  const index = nodes.findIndex(({ name }) => name === 'logits');
  const width = nodes[index]?.shape.at(-1) ?? 0;
  const at = engine.call('probe_data', trainer, index) >>> 0;
  return new Float32Array(engine.bytes(at, count * width * 4).buffer);
}

describe("GPT-2's files", () => {
  test.each([
    ['model.safetensors', 'float32'],
    ['bare.safetensors', 'float32'],
    ['float16.safetensors', 'float16'],
    ['bfloat16.safetensors', 'bfloat16'],
  ])('%s gives the logits and the greedy text of the independent program', async (file, type) => {
    const engine = await FileEngine.create();
    const trainer = engine.load(recipe(engine), read(file), 'generate');
    const wanted = readSafetensors(read('logits.safetensors')).tensors.get(type);
    const reference = new Float32Array(wanted?.bytes.buffer ?? new ArrayBuffer(0));
    const logits = lastLogits(engine, trainer);
    expect(logits).toHaveLength(reference.length);
    const scale = Math.max(...reference.map(Math.abs));
    // Float32 against float64: two layers round about 100 sums of about 20 terms each.
    for (const [i, value] of logits.entries()) {
      expect(Math.abs(value - (reference[i] ?? NaN))).toBeLessThan(1e-5 * scale);
    }
    if (type !== 'float32') return;
    const text = engine.put(prompt);
    const sampler = engine.call('trainer_sampler', trainer);
    engine.call('sample_begin', sampler, text.pointer, text.length, 0, 0, 1, 0);
    const ids = [...(expected.texts[0]?.ids ?? [])];
    while (ids.length < expected.greedy.length) ids.push(engine.call('sample_next', sampler));
    expect(ids).toEqual(expected.greedy);
  });

  test('are read into the ids of the independent program', async () => {
    const engine = await FileEngine.create();
    const trainer = engine.load(recipe(engine), read('model.safetensors'), 'generate');
    for (const { text, ids } of expected.texts) {
      const { pointer, length } = engine.put(text);
      const out = engine.call('malloc', 1024);
      const count = engine.call('encode', trainer, pointer, length, out, 256);
      expect([...new Int32Array(engine.bytes(out, count * 4).buffer)]).toEqual(ids);
    }
  });

  test('learn a new text, and go out with the names, shapes and numbers they came in with', async () => {
    const engine = await FileEngine.create();
    const text = new TextEncoder().encode('the whale and the sea, '.repeat(40));
    const config = recipe(engine);
    const tuned = engine.load(config, read('model.safetensors'), 'train', text);
    const before = readSafetensors(engine.save(tuned, 'model.safetensors'));
    const original = readSafetensors(read('model.safetensors'));
    for (const [name, tensor] of before.tensors) {
      const source =
        original.tensors.get(name) ??
        original.tensors.get(name.replace(/^transformer\./, '')) ??
        original.tensors.get(`transformer.${name}`);
      expect([name, source?.shape]).toEqual([name, tensor.shape]);
      expect(Buffer.from(source?.bytes ?? []).equals(tensor.bytes)).toBe(true);
    }
    const first = engine.call('step', tuned) === 0 ? engine.call('loss', tuned) : NaN;
    for (let i = 0; i < 60; i++) expect(engine.call('step', tuned)).toBe(0);
    expect(engine.call('loss', tuned)).toBeLessThan(first / 2);
  });
});
