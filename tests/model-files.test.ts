/** Sorts several files chosen together into model files, texts and leftovers. */
import { expect, test } from 'vitest';
import { kindOf, sortModel, textAmong } from '../web/store/training/sort-files.ts';

/**
 * First bytes of model files. `other/…` are other files of the same names, `answer/…` errors of web
 * servers in their place.
 */
const CONTENT: Record<string, string> = {
  'model.html': '\n<!doctype html>\n<title>404</title>',
  'raw.json': '{"format":"gpt2-raw"}',
  'receipt.json': '{"format":"glasshouse-receipt","engine":1,',
  'config.json': '{"model_type": "gpt2", "n_layer": 2',
  'vocab.json': '{"!": 0}',
  'encoder.json': '{ "\\u0120the" : 0}',
  'tokenizer.json': '{"version": "1.0", "model": {"type": "BPE"}}',
  'merges.txt': '#version: 0.2\nt h\nth e\n',
  'vocab.bpe': 't h\nth e\n\u0120 a\n',
  's3.xml': '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchKey</Code></Error>',
  'hub.json': '{"error":"Repository not found"}',
  'github.txt': '404: Not Found',
  'answer/config.json': '{"message":"Not Found"}',
  'answer/vocab.json': 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\n',
  'answer/merges.txt': '<!doctype html>',
};

const files = (...names: string[]): File[] =>
  names.map((name) => new File([CONTENT[name] ?? '{}'], name.replace(/^(other|answer)\//, '')));

test.each([
  ['text', 'a.txt'],
  ['text', 'other/merges.txt'],
  ['model', 'merges.txt'],
  ['model', 'vocab.bpe'],
  ['model', 'meta.pkl'],
  ['model', 'tokenizer_config.json'],
  ['text', 'data.json'],
  ['receipt', 'receipt.json'],
  ['texts', 'receipt.json', 'a.txt'],
  ['model', 'raw.json'],
  ['model', 'config.json', 'a.txt'],
  ['model', 'config.json'],
  ['model', 'vocab.json'],
  ['model', 'encoder.json'],
  ['model', 'tokenizer.json'],
  ['text', 'other/config.json'],
  ['text', 'other/vocab.json'],
  ['text', 'other/tokenizer.json'],
  ['texts', 'other/config.json', 'a.txt'],
  ['model', 'other/config.json', 'a.safetensors'],
  ['model', 'merges.txt', 'a.txt'],
  ['model', 'wte.bin', 'wpe.bin'],
  ['texts', 'a.txt', 'b.txt'],
  ['texts', 'a.png', 'b.png'],
  ['texts', 'data.json', 'b.md'],
] as const)('files are a %s: %s %s', async (kind, ...names) => {
  expect(await kindOf(files(...names))).toBe(kind);
});

test('a text that comes with a model is named, and none of the model’s own', () => {
  const model = ['model.safetensors', 'config.json', 'vocab.json', 'merges (1).txt', 'vocab.txt'];
  expect(textAmong(files(...model, 'README.md'))).toBeNull();
  expect(textAmong(files(...model, 'poems.txt'))?.name).toBe('poems.txt');
});

test.each([
  ['pytorch_model.bin', 'optimizer.pt', 'pytorch_model.bin', 'config.json'],
  ['pytorch_model (1).bin', 'a.pt', 'pytorch_model (1).bin'],
  ['a.pt', 'optimizer.pt', 'scheduler (1).pt', 'training_args.bin', 'rng_state_0.pth', 'scaler.pt', 'a.pt'], // prettier-ignore
  ['optimizers.pt', 'optimizers.pt'],
] as const)('the weights are %s among %s %s', async (weights, ...names) => {
  const sorted = await sortModel(files(...names));
  expect(sorted).toMatchObject({ name: weights, foreign: true });
});

test.each([
  ['several-weights', 'b.gguf', 'a.pt', 'b.gguf'],
  ['several-weights', 'pytorch_model (1).bin', 'pytorch_model.bin', 'pytorch_model (1).bin'],
  ['file-shard', 'pytorch_model-00001-of-00002.bin', 'optimizer.pt', 'pytorch_model-00001-of-00002.bin', 'pytorch_model-00002-of-00002.bin'], // prettier-ignore
  ['file-shard', 'pytorch_model-00002-of-00002.bin', 'pytorch_model-00002-of-00002.bin'],
  ['no-weights', '', 'optimizer.pt', 'config.json'],
  ['no-weights', '', 'config.json'],
  ['not-a-model', 'config.json', 'other/config.json'],
  ['tokenizer-part', 'merges.txt', 'merges.txt'],
  ['tokenizer-part', 'vocab.bpe', 'vocab.bpe'],
  ['tokenizer-part', 'vocab.json', 'vocab.json'],
  ['tokenizer-part', 'tokenizer.json', 'tokenizer.json'],
  ['meta-file', 'meta.pkl', 'meta.pkl'],
  ['not-a-model', 'merges.txt', 'other/merges.txt'],
  ['file-web-page', '', 'model.html'],
  ['file-web-page', '', 's3.xml'],
  ['file-web-page', '', 'hub.json'],
  ['file-web-page', '', 'github.txt'],
  ['part-answer', 'config.json', 'a.safetensors', 'answer/config.json'],
  ['part-answer', 'vocab.json', 'a.safetensors', 'config.json', 'answer/vocab.json', 'merges.txt'],
  ['part-answer', 'merges.txt', 'a.safetensors', 'config.json', 'vocab.json', 'answer/merges.txt'],
  ['not-a-config', 'config.json', 'a.safetensors', 'other/config.json'],
] as const)('weights are refused with %s %s: %s %s', async (code, subject, ...names) => {
  await expect(sortModel(files(...names))).rejects.toMatchObject({ code, subject });
});
