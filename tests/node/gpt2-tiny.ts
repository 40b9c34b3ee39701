/** Loads the tiny GPT-2 of the fixtures into the engine, optionally with extra rows or tokens. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { FileEngine } from './file-engine.ts';
import { floats, readSafetensors, writeSafetensors } from './read-safetensors.ts';

export const tinyFile = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(join(import.meta.dirname, '../fixtures/gpt2-tiny', name)));

/** Returns a trainer for generation only; `added` has the form of added_tokens.json. */
export function loadTiny(engine: FileEngine, moreRows = 0, added: object | null = null): number {
  const config = engine.call('config_create', 'gpt2');
  const texts = [tinyFile('vocab.json'), tinyFile('merges.txt')].map((one) => engine.put(one));
  if (added !== null) texts.push(engine.put(JSON.stringify(added)));
  const given = texts.flatMap(({ pointer, length }) => [pointer, length]);
  const parts = [...given, ...(added === null ? [0, 0] : [])];
  expect(engine.call('config_set_bpe', config, ...parts)).toBe(0);
  const sizes = JSON.parse(new TextDecoder().decode(tinyFile('config.json'))) as {
    vocab_size: number;
  };
  const rows = sizes.vocab_size + moreRows;
  const dimensions = engine.put(JSON.stringify({ ...sizes, vocab_size: rows }));
  expect(engine.call('config_import', config, dimensions.pointer, dimensions.length)).toBe(0);
  const { tensors } = readSafetensors(tinyFile('model.safetensors'));
  const padded = new Map(
    [...tensors].map(([name, tensor]) => {
      const isTable = name.endsWith('wte.weight');
      const shape = isTable ? [rows, tensor.shape[1]!] : tensor.shape;
      const data = new Float32Array(shape.reduce((a, b) => a * b, 1)).fill(0.5);
      data.set(floats(tensor));
      return [name, { shape, data }];
    }),
  );
  return engine.load(config, writeSafetensors(padded, { format: 'pt' }), 'generate');
}
