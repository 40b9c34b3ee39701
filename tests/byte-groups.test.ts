/** Byte tokens grouped into characters, for the views of tokens. */
import { describe, expect, test } from 'vitest';
import '../web/i18n/all.ts';
import { loadAllWords } from '../web/i18n/index.ts';
import { charactersIn, groupBytes, textOf } from '../web/data/byte-groups.ts';
import { failure } from '../web/engine/errors.ts';
import { messageOf } from '../web/store/messages.ts';
import { axisMarks, listLabels, marksThatFit, spokenLabels } from '../web/kit/row-labels.ts';
import {
  bitsPerCharacterOf,
  chanceText,
  doubtText,
  comingName,
  rankText,
  shareText,
  textBefore,
} from '../web/data/token-data.ts';

const words = await loadAllWords('en');

/** A token of these bytes, in the engine's format. */
function token(hex: string): { text: string; kind: 'text' | 'bytes'; hex: string } {
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { text, kind: 'text', hex };
  } catch {
    return { text: '', kind: 'bytes', hex };
  }
}

const shape = (...hex: string[]): string[] =>
  groupBytes(hex.map(token)).map(({ start, end, text }) => `${start}-${end} ${text}`);

describe('tokens of bytes', () => {
  test('are the text that they were, without its beginning', () => {
    const begin = { text: '', kind: 'bos', hex: '' } as const;
    expect(textOf([begin, ...['61', 'E7', '8C', 'AB', 'C3A9'].map(token)])).toBe('a猫é');
  });

  test('are joined as soon as they are a whole character', () => {
    expect(shape('61', 'E7', '8C', 'AB', '62', 'F0', '9F', '91', '8B')).toEqual([
      '0-1 ',
      '1-4 猫',
      '4-5 ',
      '5-9 👋',
    ]);
    // BPE may cut anywhere: a space with a first byte, or one token with bytes of two characters.
    expect(shape('20E7', '8CAB')).toEqual(['0-2  猫']);
    expect(shape('E7', '8CABE7', '8CAB')).toEqual(['0-3 猫猫']);
  });

  test('that never become one are shown as the bytes they are, and swallow nothing', () => {
    expect(shape('E7', '8C', '61')).toEqual(['0-2 ', '2-3 ']);
    expect(shape('E7', 'E7', '8C', 'AB')).toEqual(['0-1 ', '1-4 猫']);
    expect(shape('8C', 'FF', 'C3', 'A9')).toEqual(['0-1 ', '1-2 ', '2-4 é']);
    expect(shape('F0', '9F')).toEqual(['0-2 ']);
    expect(shape()).toEqual([]);
  });

  test('count as the characters that begin in them', () => {
    expect(charactersIn('61E78CAB')).toBe(2);
    expect(charactersIn('8CAB')).toBe(0);
    const score = {
      loss: Math.LN2,
      probability: 0.5,
      rank: 1,
      tied: 1,
      entropy: 1,
      candidates: [],
    };
    const scored = ['E7', '8C', 'AB', '61'].map((hex) => ({
      token: { ...token(hex), id: 0 },
      score,
    }));
    expect(bitsPerCharacterOf(scored)).toBeCloseTo(2, 12);
    expect(bitsPerCharacterOf(scored.map((one) => ({ ...one, score: null })))).toBeNaN();
    // Two of the three bytes of 猫 have a loss, 1 bit each; plus the letter: 3 bits / (5/3).
    const [first, ...rest] = scored;
    const begun = [{ ...first!, score: null }, ...rest];
    expect(bitsPerCharacterOf(begun)).toBeCloseTo(3 / (5 / 3), 12);
    expect(bitsPerCharacterOf(begun.slice(0, 3))).toBeCloseTo(2 / (2 / 3), 12);
  });
});

test('a byte without a token, which the engine counts from U+DC00, is named as the byte', () => {
  const error = failure('character', '', [0xdcff, 0xe9]);
  expect(messageOf(error, words)).toContain(
    'no token for byte FF, “é” (U+00E9): its training text',
  );
});

test('a format that cannot have tokens for bytes advises other tokens, not another format', () => {
  const said = messageOf(failure('format-bytes', ''), words);
  expect(said).toContain('Save the text as UTF-8');
  expect(said).not.toContain('ONNX');
  // GGUF has no characters as tokens, whatever the text is.
  expect(messageOf(failure('door', '', [], 'tokenizer char'), words)).toContain('ONNX');
});

describe('the names of a row of tokens', () => {
  const row = ['61', 'E7', '8C', 'AB', 'E5', '94'].map(token);

  test('call bytes by the character that they are part of, and by themselves where it is unknown', () => {
    expect(spokenLabels(row, words)).toEqual([
      '“a”',
      'byte E7, 1 of 3 of “猫”',
      'byte 8C, 2 of 3 of “猫”',
      'byte AB, 3 of 3 of “猫”',
      'byte E5',
      'byte 94',
    ]);
    const pieces = ['20E7', '8CAB'].map(token);
    expect(spokenLabels(pieces, words)).toEqual([
      'bytes 20E7, 1–2 of 4 of “␣猫”',
      'bytes 8CAB, 3–4 of 4 of “␣猫”',
    ]);
    const end = { text: '', kind: 'bos', hex: '' } as const;
    expect(spokenLabels([end], words)).toEqual(['the beginning']);
    expect(spokenLabels([end], words, comingName)).toEqual(['the end']);
    // Invisible characters are named by their code points.
    expect(listLabels(['E2', '80', '8D', 'E38080', '20', '0A'].map(token))).toEqual([
      ...['U+200D E2', 'U+200D 80', 'U+200D 8D'],
      ...['U+3000', '␣', '↵'],
    ]);
    expect(listLabels(row)).toEqual(['a', '猫 E7', '猫 8C', '猫 AB', 'E5', '94']);
  });

  test('stand along an axis one by one, or joined where there is too little room', () => {
    const shown = (joined: boolean, every = 1): string =>
      marksThatFit(axisMarks(row, joined), every)
        .map(({ label, start, end }) => `${label} ${String(start)}-${String(end)}`)
        .join(', ');
    expect(shown(false)).toBe('a 0-1, E7 1-2, 8C 2-3, AB 3-4, E5 4-5, 94 5-6');
    expect(shown(true)).toBe('a 0-1, 猫 1-4, E5 4-5, 94 5-6');
    expect(shown(true, 2)).toBe('a 0-1, 猫 1-4, E5 4-5');
  });

  test('leave so little doubt that only one of them can come, or are told by how many there might be', () => {
    expect(doubtText(0.003, words)).toBe('almost sure of a single token');
    expect(doubtText(Math.log(3), words)).toBe('as unsure as among 3 equally likely tokens');
  });

  test('share a place where they are equally likely', () => {
    expect(rankText({ rank: 2, tied: 27 }, words)).toBe('2–28 (tied)');
    expect(rankText({ rank: 1234, tied: 1 }, words)).toBe('1,234');
  });
});

describe('the text before a token', () => {
  const before = (...hex: string[]): string =>
    textBefore(
      hex.map((one, id) => ({
        token: one === '' ? { id, text: '', kind: 'bos', hex: '' } : { id, ...token(one) },
        score: null,
      })),
      hex.length,
      words,
    );

  test('has characters where bytes make them, and bytes where they do not', () => {
    expect(before('E4', 'B8', 'BE')).toBe('“举”');
    expect(before('61', 'E4', 'B8', 'BE', '20', 'E5', 'A4')).toBe('“a举␣” and the bytes E5 A4');
    expect(before('E5')).toBe('byte E5');
    expect(before('E5', '61')).toBe('“�a”');
  });

  test('goes back some characters, not bytes, and no further than a BOS', () => {
    const cat = ['E7', '8C', 'AB'];
    expect(before(...Array.from({ length: 20 }, () => cat).flat())).toBe(`“${'猫'.repeat(12)}”`);
    expect(before(...cat, '', '61')).toBe('“a”');
    expect(before(...cat, '')).toBe('▸');
  });
});

describe('a probability as it is written', () => {
  test.each([
    [1, '100%'],
    [0.123, '12%'],
    [0.0123, '1.2%'],
    [0.0004, '0.040%'],
    [Math.exp(-9.5), '0.0075%'],
    [1.04e-6, '0.00010%'],
    [9.6e-7, '1\u202f×\u202f10⁻⁴%'],
    [Math.exp(-37.2), '7\u202f×\u202f10⁻¹⁵%'],
    [3e-30, '3\u202f×\u202f10⁻²⁸%'],
  ])('%f is %s: losses can be checked against it', (probability, text) => {
    expect(shareText(probability, words)).toBe(text);
    expect(chanceText(probability, words)).toBe(text);
  });

  test('what cannot be drawn has none, and what the model gave is never none', () => {
    expect(shareText(0, words)).toBe('–');
    expect(chanceText(0, words)).toBe('<10⁻²⁸%');
    expect(chanceText(9e-31, words)).toBe('<10⁻²⁸%');
  });
});
