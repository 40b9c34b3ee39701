/** Files that come together: whether they are a model or texts, and what is left. */
import { expect, test } from 'vitest';
import { kindOf, textAmong } from '../web/store/training/model-files.ts';

const files = (...names: string[]): File[] =>
  names.map((name) => new File([name === 'raw.json' ? '{"format":"gpt2-raw"}' : '{}'], name));

test.each([
  ['text', 'a.txt'],
  ['text', 'merges.txt'],
  ['text', 'data.json'],
  ['model', 'raw.json'],
  ['model', 'config.json', 'a.txt'],
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
