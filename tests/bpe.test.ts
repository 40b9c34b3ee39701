/**
 * BPE against independent implementations: the encoder of the package gpt-tokenizer with GPT-2's
 * real vocabulary, Node's regular expressions and Unicode tables, and, for learning, a slow
 * textbook version below.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode as packageEncode } from 'gpt-tokenizer/encoding/r50k_base';
import { beforeAll, describe, expect, it } from 'vitest';
import { isLong } from './long.ts';
import { gpt2Files, type Gpt2Files } from './node/gpt2-vocabulary.ts';
import { BpeEngine } from './node/bpe-engine.ts';

const root = join(import.meta.dirname, '..');
const english = readFileSync(join(root, 'public/texts/moby-dick-en.txt'), 'utf8');
const chinese = readFileSync(join(root, 'public/texts/tang-quatrains-zh.txt'), 'utf8');
const code = readFileSync(join(root, 'c/text/bpe.c'), 'utf8');

const utf8 = (text: string) => new TextEncoder().encode(text);
const small = { tokenizer: 2, context: 8, layers: 1, channels: 8, heads: 1, batch: 1 };
const endOfText = 50256;

/** Encodes with the package; special tokens count as ordinary text. */
const encodeByPackage = (text: string) => packageEncode(text, { disallowedSpecial: new Set() });

/** Seeded random numbers (xorshift32), so that every run tests the same texts. */
function randomSource(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** Strings that are hard for a tokenizer, from many parts of Unicode. */
const oddities = [
  ...[' ', '  ', '\u00a0', '\u3000', '\t', '\r\n', '\n', '\n\n', '\u200b', '\u200d', '\u2028'],
  ...['\u1680', '\u2003', '\u202f', '\v', '\f', '\u001c', '\u180e', '\u2060', '\0'],
  ...["'s", "'t", "'re", "'ve", "'m", "'ll", "'d", "'S", "'", "''", '’s', "'x", " 're", "l'l"],
  ...['👩‍👩‍👧', '🇫🇷', '👍🏽', '🤷‍♀️', '😀', '✈️', '①', '½', '²', 'Ⅻ', '〇', '٣', '९', '𝟘', '௧', '꘠'],
  ...['e\u0301', '\u0301', 'ะ้', 'हिन्दी', '한국어', '한', 'ÅÄÖ', 'ß', 'ǅ', 'ﬁ', 'עברית', 'العربية'],
  ...['ʼ', 'ª', '𐍈', '𒀀', '\u{10ffff}', '\ue000', '\ufffd', '\u0378', '—', '…', '«»', '```', '$$'],
  ...['a', 'Z', 'the', ' the', 'The', '0', '12345', ' 7', '3.14', '<|endoftext|>', '<|', '|>'],
  ...['春', '眠不覺曉', '，', '。', '「', 'ひらがな', 'カタカナ', 'ー', '々', '€', '\u{20000}'],
];

function oddText(pieces: number): string {
  const random = randomSource(2463534242);
  const parts: string[] = [];
  for (let i = 0; i < pieces; i++) {
    const kind = random(20);
    if (kind === 0) parts.push(english.slice(random(300_000)).slice(0, 30));
    else if (kind === 1) parts.push(chinese.slice(random(20_000)).slice(0, 12));
    else if (kind === 2) {
      // Any code point except U+0085 and U+FEFF: JavaScript's \s differs from White_Space there,
      // which has its own test.
      const point = random(10) === 0 ? random(0x110000) : random(0x3000);
      const surrogate = point >= 0xd800 && point < 0xe000;
      if (!surrogate && point !== 0x85 && point !== 0xfeff) parts.push(String.fromCodePoint(point));
    } else parts.push(oddities[random(oddities.length)]!);
  }
  return parts.join('');
}

let engine: BpeEngine;
/** The sampler that gpt_sample uses. */
const samplerOf = (trainer: number): number => engine.pointer('gpt_trainer_sampler', trainer);
let files: Gpt2Files;

beforeAll(async () => {
  engine = await BpeEngine.create();
  files = gpt2Files();
});

function gpt2Trainer(options: Readonly<Record<string, number>> = {}, text = english): number {
  const config = engine.config('gpt2', { ...small, ...options });
  expect(engine.giveBpe(config, files.vocab, files.merges)).toBe(0);
  const trainer = engine.trainer(config, utf8(text));
  engine.call('gpt_config_free', config);
  return trainer;
}

/** Plans a recipe for a text, without training. */
const planOf = (config: number, text: string) =>
  engine.lend(
    text,
    (at, n) => JSON.parse(engine.text('gpt_plan_json', [config, at, n])) as Record<string, number>,
  );

const encode = (trainer: number, text: string) => [...engine.encode(trainer, utf8(text))];

/** Describes the first difference of two lists; 'none' if they are equal. */
function firstDifference(ours: ArrayLike<number>, theirs: ArrayLike<number>): string {
  const length = Math.max(ours.length, theirs.length);
  for (let i = 0; i < length; i++) {
    if (ours[i] !== theirs[i]) return `token ${i}: ${ours[i]} is not ${theirs[i]}`;
  }
  return 'none';
}

describe('with the vocabulary of GPT-2', () => {
  let trainer: number;
  beforeAll(() => {
    trainer = gpt2Trainer();
  });

  it('has 50257 ids, the last one BOS', () => {
    expect(engine.get(trainer, 'vocab')).toBe(50257);
    expect(engine.get(trainer, 'bos')).toBe(endOfText);
    expect(engine.get(trainer, 'merges')).toBe(50000);
  });

  it('gives the published ids of a well-known sentence', () => {
    expect(encode(trainer, 'Hello, my dog is cute')).toEqual([15496, 11, 616, 3290, 318, 13779]);
  });

  it('encodes English, Chinese, code, emoji and odd white space as gpt-tokenizer does', () => {
    const [prose, pieces] = isLong ? [english, 400_000] : [english.slice(0, 200_000), 40_000];
    const mixed = [prose, chinese, code, oddText(pieces)].join('\n');
    const bytes = utf8(mixed);
    expect(bytes.length).toBeGreaterThan(isLong ? 3_000_000 : 400_000);
    const ours = engine.encode(trainer, bytes);
    expect(firstDifference(ours, encodeByPackage(mixed))).toBe('none');
  });

  it('cuts at the end of a text as gpt-tokenizer does', () => {
    for (const text of [
      '',
      ' ',
      'a ',
      'a  ',
      ' a',
      '  a',
      "'",
      "a'",
      "it's",
      '\n',
      'x\n\n',
      '\u3000',
    ]) {
      expect(encode(trainer, text), JSON.stringify(text)).toEqual(encodeByPackage(text));
    }
    const odd = oddText(2000);
    // Each cut keeps 100 characters: earlier text cannot change the last tokens.
    for (let cut = 0; cut < odd.length; cut += 7) {
      const before = odd.slice(Math.max(0, cut - 100), cut);
      const text = before.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
      expect(firstDifference(encode(trainer, text), encodeByPackage(text))).toBe('none');
    }
  });

  it('merges long words as short ones: runs of one letter, of spaces, of Chinese', () => {
    const random = randomSource(99);
    const letters = Array.from({ length: 3000 }, () => String.fromCharCode(97 + random(4))).join(
      '',
    );
    const han = chinese.replace(/[^\p{L}]/gu, '').slice(0, 1500);
    for (const text of ['a'.repeat(2000), ' '.repeat(2000), '-'.repeat(2000), letters, han]) {
      for (const length of [63, 64, 65, 66, 200, text.length]) {
        const part = text.slice(0, length);
        expect(firstDifference(encode(trainer, part), encodeByPackage(part))).toBe('none');
      }
    }
  });

  it('encodes a word of a million letters (quadratic work would not end in time)', () => {
    const random = randomSource(7);
    const letters = Uint8Array.from({ length: 1 << 20 }, () => 97 + random(26));
    const ids = engine.encode(trainer, letters);
    expect(ids.reduce((sum, id) => sum + files.tokens[id]!.length, 0)).toBe(letters.length);
  });

  it('writes the bytes of every token, and none for BOS', () => {
    for (let id = 0; id < endOfText; id++) {
      const bytes = Buffer.from(engine.tokenBytes(trainer, id)).toString('latin1');
      if (bytes !== files.tokens[id]) expect(bytes, `token ${id}`).toBe(files.tokens[id]);
    }
    expect(engine.tokenBytes(trainer, endOfText)).toHaveLength(0);
  });

  it('gives arbitrary bytes back', () => {
    const random = randomSource(31337);
    const kinds = [
      () => random(256),
      () => 0x80 + random(128),
      () => [0x20, 0xe3, 0x80][random(3)]!,
    ];
    for (const kind of kinds) {
      for (const length of [1, 2, 3, 65, 5000, 200_000]) {
        const bytes = Uint8Array.from({ length }, kind);
        const ids = engine.encode(trainer, bytes);
        const back = Array.from(ids, (id) => files.tokens[id]!).join('');
        expect(back === Buffer.from(bytes).toString('latin1'), `${length} bytes`).toBe(true);
      }
    }
  });

  it('takes <|endoftext|> for ordinary text unless it is allowed', () => {
    const text = 'one <|endoftext|> two<|endoftext|><|endoftext|>';
    expect(encode(trainer, text)).toEqual(encodeByPackage(text));
    expect(encode(trainer, text)).not.toContain(endOfText);
    const allowing = gpt2Trainer({ special_tokens: 1 });
    expect(encode(allowing, text)).toEqual([
      ...encodeByPackage('one '), // the space is now at the end of a text
      endOfText,
      ...encodeByPackage(' two'),
      endOfText,
      endOfText,
    ]);
    expect(encode(allowing, '<|endoftext|')).toEqual(encodeByPackage('<|endoftext|'));
    engine.call('gpt_trainer_free', allowing);
  });

  it('uses <|endoftext|> as BOS of documents', () => {
    const documents = gpt2Trainer({ sequences: 1 });
    expect(engine.get(documents, 'vocab')).toBe(50257);
    expect(engine.get(documents, 'bos')).toBe(endOfText);
    expect(engine.lend('Hi', (at, n) => engine.call('gpt_probe', documents, at, n, 0))).toBe(2);
    const ids = engine.bytes(engine.call('gpt_probe_tokens', documents), 8);
    expect([...new Int32Array(ids.buffer)]).toEqual([endOfText, 17250]);
    engine.call('gpt_trainer_free', documents);
  });

  it('trains, samples and reads a prompt longer than the context', () => {
    expect(engine.call('gpt_step', trainer)).toBe(0);
    expect(engine.call('gpt_loss', trainer)).toBeCloseTo(Math.log(50257), 1);
    const read = engine.lend(english.slice(0, 5000), (at, n) =>
      engine.call('gpt_sample_begin', samplerOf(trainer), at, n, 1, 0, 1, 1),
    );
    expect(read).toBe(8);
    for (let i = 0; i < 20; i++)
      expect(engine.call('gpt_sample_next', samplerOf(trainer))).toBeGreaterThanOrEqual(0);
    const whole = new Uint8Array(utf8(engine.text('gpt_sample_text', [samplerOf(trainer)])));
    expect(whole.length).toBeGreaterThan(20);
  });

  it('writes the two files back so that they mean the same', () => {
    const vocab = engine.save(trainer, 'vocab.json');
    expect(JSON.parse(new TextDecoder().decode(vocab))).toEqual(
      JSON.parse(new TextDecoder().decode(files.vocab)),
    );
    const merges = engine.save(trainer, 'merges.txt');
    expect(Buffer.compare(merges, files.merges)).toBe(0);
  });
});

describe('with files that are not right', () => {
  const give = (vocab: string | Uint8Array, merges = '') => {
    const config = engine.config('gpt2', small);
    const status = engine.giveBpe(
      config,
      typeof vocab === 'string' ? utf8(vocab) : vocab,
      utf8(merges),
    );
    const error = engine.configError(config);
    engine.call('gpt_config_free', config);
    return status === 0 ? 'ok' : `${error.code} ${error.name} ${error.values.join(' ')}`;
  };
  /** Vocabulary with all bytes as tokens 0 to 255, plus `more`. */
  const vocab = (more: Readonly<Record<string, number>> = {}) => {
    const all = files.tokens.slice(0, 256).map((_, id) => [visibleBytes[id]!, id] as const);
    return JSON.stringify({ ...Object.fromEntries(all), ...more });
  };
  let visibleBytes: string[];
  beforeAll(() => {
    visibleBytes = Object.entries(JSON.parse(new TextDecoder().decode(files.vocab)) as object)
      .sort((a, b) => Number(a[1]) - Number(b[1]))
      .slice(0, 256)
      .map(([token]) => token);
  });

  it('takes bytes alone, merges with CRLF, without a header, with blank lines', () => {
    expect(give(vocab())).toBe('ok');
    const more = { ab: 256, abc: 257 };
    for (const merges of [
      'a b\nab c\n',
      'a b\r\nab c\r\n',
      '#version: 0.2\n\na b\n\nab c',
      'a b\nab c',
    ]) {
      expect(give(vocab(more), merges)).toBe('ok');
    }
  });

  it('names what is wrong with vocab.json', () => {
    expect(give('')).toBe('bpe-json vocab.json 0 0 0');
    expect(give('[]')).toMatch(/^bpe-json/);
    expect(give('{"a":0')).toMatch(/^bpe-json/);
    expect(give('{"a":"0"}')).toMatch(/^bpe-json/);
    expect(give('{"a":{"b":0}}')).toMatch(/^bpe-json/);
    expect(give(`${vocab()}x`)).toMatch(/^bpe-json/);
    expect(give('{}')).toBe('bpe-byte  0 0 0');
    expect(give('{"a":0}')).toBe('bpe-byte  0 0 0');
    expect(give(vocab({ ab: -1 }))).toBe('bpe-id vocab.json -1 65535 0');
    expect(give(vocab({ ab: 0.5 }))).toBe('bpe-id vocab.json 0.5 65535 0');
    expect(give(vocab({ ab: 12 }))).toBe('bpe-id vocab.json 12 65535 0');
    expect(give(vocab({ ab: 300 }))).toBe('ok'); // gaps in the ids are allowed
    expect(give(vocab({ '': 256 }))).toBe('bpe-token-length vocab.json 256 1 256');
    expect(give(vocab({ ['a'.repeat(256)]: 256 }))).toBe('ok');
    expect(give(vocab({ ['a'.repeat(257)]: 256 }))).toBe('bpe-token-length vocab.json 256 1 256');
    expect(give(vocab({ ['Ġ'.repeat(257)]: 256 }))).toBe('bpe-token-length vocab.json 256 1 256');
    // Special tokens are written literally, not in the byte alphabet.
    expect(give(vocab({ 'a b': 256, 春: 257 }))).toBe('ok');
    expect(give(vocab().replace('{', '{"ab":256,"\\u0061b":257,'))).toBe(
      'bpe-token-twice  256 257 0',
    );
  });

  it('names what is wrong with merges.txt, by its line', () => {
    const more = { ab: 256, Ġa: 257 };
    expect(give(vocab(more), '#version: 0.2\na b\nab')).toBe('bpe-merge  3 0 0');
    expect(give(vocab(more), 'a b c')).toBe('bpe-merge  1 0 0');
    expect(give(vocab(more), ' a')).toBe('bpe-merge  1 0 0');
    expect(give(vocab(more), 'a ')).toBe('bpe-merge  1 0 0');
    expect(give(vocab(more), 'a b\n\nxy b')).toBe('bpe-merge-unknown xy 3 0 0');
    expect(give(vocab(more), 'a b\0\n')).toBe('bpe-merge-unknown b 1 0 0');
    expect(give(vocab(more), 'a b\na 春')).toBe('bpe-merge-unknown 春 2 0 0');
    expect(give(vocab(more), 'b c')).toBe('bpe-merge-unknown bc 1 0 0');
    expect(give(vocab(more), 'a b\n\nĠ a\r\na b')).toBe('bpe-merge-twice  4 0 0');
  });

  it('refuses too many entries without reading on', () => {
    const many: string[] = [];
    for (let i = 0; i < 70_000; i++) many.push(`"t${i}":${i}`);
    expect(give(`{${many.join(',')}}`)).toBe('bpe-id vocab.json 65536 65535 0');
    expect(give(vocab(), 'a b\n'.repeat(70_000))).toBe('bpe-size merges.txt 65535 0 0');
  });

  it('has 65,536 ids: one more, for the beginning of a document, is refused by name', () => {
    const last = vocab({ ab: 65_535 });
    for (const [sequences, refused] of [
      [0, ''],
      [1, 'bpe-id'],
    ] as const) {
      const config = engine.config('gpt2', { ...small, sequences });
      expect(engine.giveBpe(config, utf8(last), utf8(''))).toBe(0);
      if (refused === '') expect(planOf(config, english)['vocab']).toBe(65_536);
      else {
        expect(() => engine.trainer(config, utf8(english))).toThrow();
        expect(engine.configError(config)).toMatchObject({ code: refused, values: [65_535, 65_534, 0] }); // prettier-ignore
      }
      engine.call('gpt_config_free', config);
    }
  });

  it('keeps the vocabulary that it had, and gives it up when asked', () => {
    const config = engine.config('gpt2', small);
    expect(engine.giveBpe(config, files.vocab, files.merges)).toBe(0);
    expect(engine.giveBpe(config, utf8('{'), utf8(''))).toBeLessThan(0);
    const plan = () => planOf(config, english);
    expect(plan()['vocab']).toBe(50257);
    expect(engine.call('gpt_config_set_bpe', config, 0, 0, 0, 0, 0, 0)).toBe(0);
    expect(plan()['vocab']).toBe(1024);
    engine.call('gpt_config_free', config);
  });

  it('answers the missing of one file with a status', () => {
    const config = engine.config('gpt2', small);
    expect(engine.call('gpt_config_set_bpe', config, 0, 0, 0, 5, 0, 0)).toBe(-1);
    expect(engine.call('gpt_config_set_bpe', 0, 0, 0, 0, 0, 0, 0)).toBe(-1);
    engine.call('gpt_config_free', config);
  });
});

/* ---- Learning -------------------------------------------------------------------------------- */

const pattern = /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;

/** Textbook BPE training: counts every pair again for every merge. */
function learnSlowly(texts: readonly string[], size: number): number[][] {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const [word] of text.matchAll(pattern)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  let words = [...counts].map(([word, count]) => ({ ids: [...utf8(word)], count }));
  const merges: number[][] = [];
  while (256 + merges.length < size) {
    const pairs = new Map<number, number>();
    for (const { ids, count } of words) {
      for (let i = 0; i + 1 < ids.length; i++) {
        const pair = ids[i]! * 65536 + ids[i + 1]!;
        pairs.set(pair, (pairs.get(pair) ?? 0) + count);
      }
    }
    let best = -1;
    let most = 1;
    for (const [pair, count] of pairs) {
      if (count > most || (count === most && best >= 0 && pair < best))
        [best, most] = [pair, count];
    }
    if (best < 0) break;
    const made = 256 + merges.length;
    const [left, right] = [Math.floor(best / 65536), best % 65536];
    merges.push([left, right, made, most]);
    words = words.map(({ ids, count }) => {
      const merged: number[] = [];
      for (let i = 0; i < ids.length; i++) {
        if (ids[i] === left && ids[i + 1] === right) {
          merged.push(made);
          i++;
        } else merged.push(ids[i]!);
      }
      return { ids: merged, count };
    });
  }
  return merges;
}

describe('learned from a text', () => {
  const learn = (text: string, options: Readonly<Record<string, number>>) => {
    const config = engine.config('gpt2', { ...small, validation: 0, ...options });
    const trainer = engine.trainer(config, utf8(text));
    engine.call('gpt_config_free', config);
    return trainer;
  };
  const mergesOf = (trainer: number) =>
    JSON.parse(engine.text('gpt_merges_json', [trainer, 0, 1e6], 4 << 20)) as number[][];

  const random = randomSource(5);
  const abc = Array.from({ length: 4000 }, () => 'ab  c'[random(5)]).join('');
  const texts: [string, string, number][] = [
    ['English', english.slice(0, 40_000), 600],
    ['Chinese', chinese.slice(0, 12_000), 600],
    ['odd text', oddText(4000), 500],
    ['three letters, to the end', abc, 5000],
    ['runs of one letter', `${'a'.repeat(37)} ${'aa '.repeat(9)}${'b'.repeat(64)}`, 5000],
  ];
  it.each(texts)('makes the merges of the slow reference: %s', (_, text, vocabulary) => {
    const trainer = learn(text, { vocabulary });
    const slow = learnSlowly([text], vocabulary);
    expect(mergesOf(trainer)).toEqual(slow);
    expect(engine.get(trainer, 'vocab')).toBe(256 + slow.length);
    expect(engine.get(trainer, 'bos')).toBe(-1);
    engine.call('gpt_trainer_free', trainer);
  });

  it('learns from the lines alone where they are documents, and adds BOS', () => {
    const text = english.slice(0, 20_000);
    const lines = text.split('\n').map((line) => line.replace(/\r+$/, ''));
    const trainer = learn(text, { vocabulary: 400, sequences: 1 });
    expect(mergesOf(trainer)).toEqual(learnSlowly(lines, 400));
    expect(engine.get(trainer, 'bos')).toBe(400);
    expect(engine.get(trainer, 'vocab')).toBe(401);
    engine.call('gpt_trainer_free', trainer);
  });

  it('lets <|endoftext|> stand for BOS where that is allowed and there is one', () => {
    const ids = (options: Readonly<Record<string, number>>) => {
      const trainer = learn('aaaa\nbbbb\n', { vocabulary: 256, context: 4, ...options });
      const found = encode(trainer, 'a<|endoftext|>b');
      engine.call('gpt_trainer_free', trainer);
      return found;
    };
    const plain = [...utf8('a<|endoftext|>b')];
    expect(ids({ sequences: 1, special_tokens: 1 })).toEqual([97, 256, 98]);
    expect(ids({ sequences: 1, special_tokens: 0 })).toEqual(plain);
    expect(ids({ sequences: 0, special_tokens: 1 })).toEqual(plain);
  });

  it('stops when no pair occurs twice', () => {
    const trainer = learn('abcdefgh\nijklmnop', { vocabulary: 1000 });
    expect(engine.get(trainer, 'vocab')).toBe(256);
    expect(mergesOf(trainer)).toEqual([]);
    engine.call('gpt_trainer_free', trainer);
  });

  it('makes no token longer than 256 bytes', () => {
    const trainer = learn('a'.repeat(5000), { vocabulary: 1000 });
    const merges = mergesOf(trainer);
    const longest = Math.max(
      ...merges.map((merge) => engine.tokenBytes(trainer, merge[2]!).length),
    );
    expect(longest).toBe(256);
    engine.call('gpt_trainer_free', trainer);
  });

  it('gives any bytes back, also those it never saw', () => {
    const trainer = learn(english.slice(0, 30_000), { vocabulary: 700 });
    const bytes = Uint8Array.from({ length: 20_000 }, () => random(256));
    const back = Array.from(engine.encode(trainer, bytes), (id) => [
      ...engine.tokenBytes(trainer, id),
    ]);
    expect(Uint8Array.from(back.flat())).toEqual(bytes);
    engine.call('gpt_trainer_free', trainer);
  });

  it('shows merges a page at a time', () => {
    const trainer = learn(english.slice(0, 30_000), { vocabulary: 300 });
    const all = mergesOf(trainer);
    const page = (first: number, count: number) =>
      JSON.parse(engine.text('gpt_merges_json', [trainer, first, count])) as number[][];
    expect(page(0, 10)).toEqual(all.slice(0, 10));
    expect(page(40, 10)).toEqual(all.slice(40));
    expect(page(1000, 10)).toEqual([]);
    expect(engine.call('gpt_merges_json', trainer, -1, 1, 0, 0)).toBe(-1);
    engine.call('gpt_trainer_free', trainer);
  });

  it('goes out as the two files and comes back the same', () => {
    for (const sequences of [0, 1]) {
      const trainer = learn(english, { vocabulary: 900, sequences });
      const config = engine.config('gpt2', { ...small, sequences });
      const vocab = engine.save(trainer, 'vocab.json');
      const merges = engine.save(trainer, 'merges.txt');
      expect(engine.giveBpe(config, vocab, merges)).toBe(0);
      const again = engine.trainer(config, utf8(chinese));
      for (const fact of ['vocab', 'bos', 'merges']) {
        expect(engine.get(again, fact)).toBe(engine.get(trainer, fact));
      }
      expect(encode(again, english)).toEqual(encode(trainer, english));
      for (const handle of [trainer, again]) engine.call('gpt_trainer_free', handle);
      engine.call('gpt_config_free', config);
    }
  });

  it('plans what it then makes, and remembers which text it learned from', () => {
    const config = engine.config('gpt2', { ...small, vocabulary: 500 });
    for (const sequences of [0, 1, 0]) {
      engine.set(config, 'sequences', sequences);
      for (const text of [english.slice(0, 50_000), chinese, english.slice(0, 50_000)]) {
        for (const context of [8, 16]) {
          engine.set(config, 'context', context);
          const fresh = engine.config('gpt2', { ...small, vocabulary: 500, sequences, context });
          const planned = planOf(config, text);
          const trainer = engine.trainer(fresh, utf8(text));
          const facts = {
            vocab: engine.get(trainer, 'vocab'),
            merges: engine.get(trainer, 'merges'),
            documents: engine.get(trainer, 'documents'),
            total_bytes: engine.get(trainer, 'memory_bytes'),
          };
          expect(planned).toMatchObject(facts);
          const lines = text.split('\n').filter((line) => line !== '');
          const lengths = lines.map((line) => encode(trainer, line).length);
          const cut = lengths.filter((length) => length + 1 > context);
          const lost = cut.reduce((sum, length) => sum + length - context, 0);
          expect(planned).toMatchObject(
            sequences
              ? { cut_documents: cut.length, cut_tokens: lost }
              : { cut_documents: 0, tokens: encode(trainer, text).length },
          );
          engine.call('gpt_trainer_free', trainer);
          engine.call('gpt_config_free', fresh);
        }
      }
    }
    engine.call('gpt_config_free', config);
  });

  it('refuses what is over the memory limit before learning takes hold of it', () => {
    const config = engine.config('gpt2', small);
    engine.call('gpt_config_set_memory_limit', config, 100_000);
    expect(() => engine.trainer(config, utf8(english))).toThrow(/bytes/);
    engine.call('gpt_config_free', config);
  });
});

describe('the table of Unicode classes', () => {
  const table = readFileSync(join(root, 'c/text/unicode_classes.c'), 'utf8');
  const versionOf = (text: string) => /Unicode (\S+)\. See/.exec(text)?.[1] ?? '';
  /** Class of every code point: 0 other, 1 letter, 2 number, 3 white space. */
  const classes = (text: string) => {
    const body = text.slice(text.indexOf('UNICODE_RANGES[] = {'));
    const runs = Array.from(body.matchAll(/0x([0-9A-F]+),/g), (match) => parseInt(match[1]!, 16));
    const all = new Uint8Array(0x110000);
    for (const run of runs) all.fill(run & 3, run >> 2);
    return all;
  };

  it('has White_Space as space: U+0085 is one, U+FEFF is none', () => {
    // Python, Rust and GPT-2 agree; JavaScript's \\s has U+FEFF and lacks U+0085.
    const all = classes(table);
    expect([all[0x85], all[0xfeff], all[0x20], all[0xa0], all[0x3000]]).toEqual([3, 0, 3, 3, 3]);
  });

  it('is what its generator writes', () => {
    const script = join(root, 'tests/generate/unicode-classes.mjs');
    const written = execFileSync(process.execPath, [script], { encoding: 'utf8' });
    if (versionOf(written) === versionOf(table)) {
      expect(written === table, 'node tests/generate/unicode-classes.mjs').toBe(true);
      return;
    }
    // A Node with another Unicode version adds code points and keeps old classes: every code point
    // with a class in the older table has the same class in the newer one.
    const [older, newer] = [classes(table), classes(written)].sort(
      (a, b) => a.filter((c) => c > 0).length - b.filter((c) => c > 0).length,
    );
    const changed = older!.reduce((sum, c, code) => sum + Number(c > 0 && c !== newer![code]), 0);
    expect(changed).toBe(0);
  });
});
