/**
 * tokenizer.json, read by Hugging Face's tokenizers for JavaScript: ids and text must equal those
 * of our tokenizers on prose, poems, code, emoji and rare characters: 150 kB, or a megabyte with
 * LONG=1.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { describe, expect, test } from 'vitest';
import { isLong } from './long.ts';
import { exportAs } from './node/formats.ts';
import { FileEngine } from './node/file-engine.ts';
import { loadTiny } from './node/gpt2-tiny.ts';

const root = join(import.meta.dirname, '..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');

/** Our C sources, sorted by name. */
function code(folder: string): string {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[ch]$/.test(name))
    .sort()
    .map((name) => read(join(folder, name)))
    .join('');
}

/** Every character from `first` to `last`, eight per word; ranges must exclude surrogates. */
function range(first: number, last: number): string {
  let text = '';
  for (let c = first; c <= last; c++) text += String.fromCodePoint(c) + (c % 8 === 7 ? ' ' : '');
  return text;
}

const odd = [
  range(0, 0x17f),
  range(0x2000, 0x206f),
  range(0x3000, 0x30ff),
  range(0xff00, 0xffef),
  range(0x1f300, 0x1f6ff),
  "it's IT'S we're WE'LL you'd 'tis o''clock\r\n\r\n\t\t  x   y\n\n\n",
  '👨‍👩‍👧‍👦🏳️‍🌈 e\u0301 ﬁ ½ ² Ⅷ ١٢٣ १२३ नमस्ते สวัสดี \u{10ffff}\u{e000} \ufffd end   ',
].join('\n');

// BOS in the library; ordinary text in our tokenizers unless special tokens are allowed.
const special = '<|endoftext|>';

const parts = [
  odd,
  read('public/texts/tang-quatrains-zh.txt'),
  code('c').replaceAll(special, special.slice(1)),
  read('public/texts/moby-dick-en.txt'),
];
const SIZE = isLong ? 1 << 20 : 150_000;
const mixed = parts.map((part) => part.slice(0, isLong ? Infinity : 40_000)).join('\n');
const bytes = new TextEncoder().encode(mixed).subarray(0, SIZE);
const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });

const engine = await FileEngine.create();

function create(settings: Record<string, number>, from: Uint8Array): number {
  const config = engine.call('config_create', 'gpt2');
  const small = { layers: 1, heads: 1, channels: 2, context: 8, validation: 0 };
  for (const [name, value] of Object.entries({ ...small, ...settings })) {
    expect([name, engine.call('config_set', config, name, value)]).toEqual([name, 0]);
  }
  return engine.train(config, from);
}

function encode(trainer: number, from: string): Int32Array {
  const room = new TextEncoder().encode(from).length;
  return engine.lend(from, (at, n) =>
    engine.borrow(4 * room, (ids) => {
      const count = engine.call('encode', trainer, at, n, ids, room);
      expect(count).toBeGreaterThan(0);
      return new Int32Array(engine.bytes(ids, 4 * count).buffer);
    }),
  );
}

/** The library's tokenizer, from the exported files of a model. */
function foreign(trainer: number): Tokenizer {
  const weights = engine.save(trainer, 'weights');
  const json = (form: string): object =>
    JSON.parse(new TextDecoder().decode(exportAs(weights, form))) as object;
  return new Tokenizer(json('tokenizer.json'), json('tokenizer_config.json'));
}

/** Describes the first difference of two lists; '' if they are equal. */
function firstDifference(got: ArrayLike<number>, wanted: ArrayLike<number>): string {
  for (let i = 0; i < Math.max(got.length, wanted.length); i++) {
    if (got[i] !== wanted[i]) return `${i}: ${got[i]} for ${wanted[i]}`;
  }
  return '';
}

describe('tokenizer.json', () => {
  test.each([
    ['bytes', { tokenizer: 0 }],
    ['characters', { tokenizer: 1 }],
    ['a learned BPE', { tokenizer: 2, vocabulary: 1500 }],
  ])('has the ids of %s for a mixed text, and gives the text back', (_, settings) => {
    expect(bytes.length).toBe(SIZE);
    const trainer = create(settings, new TextEncoder().encode(text));
    const tokenizer = foreign(trainer);
    const wanted = encode(trainer, text);
    const { ids } = tokenizer.encode(text);
    expect(firstDifference(ids, wanted)).toBe('');
    expect(tokenizer.decode(ids) === text).toBe(true);
    engine.call('trainer_free', trainer);
  });

  test.each([
    ['bytes', { tokenizer: 0 }],
    ['characters', { tokenizer: 1 }],
    ['a learned BPE', { tokenizer: 2, vocabulary: 300 }],
  ])('puts BOS before a document of %s if special tokens are wanted', (_, settings) => {
    const trainer = create(
      { ...settings, sequences: 1 },
      new TextEncoder().encode('anna\nbob\nzoë'),
    );
    const tokenizer = foreign(trainer);
    const wanted = [...encode(trainer, 'boa')];
    const bos = engine.call('trainer_get', trainer, 'bos');
    expect(tokenizer.encode('boa', { add_special_tokens: false }).ids).toEqual(wanted);
    expect(tokenizer.encode('boa').ids).toEqual([bos, ...wanted]);
    expect(tokenizer.encode(special, { add_special_tokens: false }).ids).toEqual([bos]);
    expect(tokenizer.decode([bos, ...wanted], { skip_special_tokens: true })).toBe('boa');
    engine.call('trainer_free', trainer);
  });

  test('names the tokens that were added to a vocabulary, each with its id', () => {
    const added = { '<|user|>': 297, '春 晓': 299 };
    const trainer = loadTiny(engine, 4, added);
    const tokenizer = foreign(trainer);
    const [before, behind] = [[...encode(trainer, 'the')], [...encode(trainer, ' sea')]];
    const chat = 'the<|user|>春 晓 sea';
    const ids = [...before, 297, 299, ...behind];
    expect(tokenizer.encode(chat).ids).toEqual(ids);
    expect(tokenizer.decode(ids)).toBe(chat);
    expect(tokenizer.decode(ids, { skip_special_tokens: true })).toBe('the sea');
    engine.call('trainer_free', trainer);
  });
});
