/** Bytes that only together are a character, as the views of tokens join them. */
import { describe, expect, test } from 'vitest';
import { charactersIn, groupBytes } from '../web/views/byte-groups.ts';
import { bitsPerCharacterOf, textBefore } from '../web/views/token-data.ts';

/** A token of these bytes, as the engine describes it. */
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
  test('are joined as soon as they are a whole character', () => {
    expect(shape('61', 'E7', '8C', 'AB', '62', 'F0', '9F', '91', '8B')).toEqual([
      '0-1 ',
      '1-4 猫',
      '4-5 ',
      '5-9 👋',
    ]);
    // A BPE cuts where it likes: a blank with the first byte, two characters that share a token.
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
    const score = { loss: Math.LN2, probability: 0.5, rank: 1, entropy: 1, candidates: [] };
    const scored = ['E7', '8C', 'AB', '61'].map((hex) => ({
      token: { ...token(hex), id: 0 },
      score,
    }));
    expect(bitsPerCharacterOf(scored)).toBeCloseTo(2, 12);
    expect(bitsPerCharacterOf(scored.map((one) => ({ ...one, score: null })))).toBeNaN();
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
    );

  test('has characters where bytes make them, and bytes where they do not', () => {
    expect(before('E4', 'B8', 'BE')).toBe('举');
    expect(before('61', 'E4', 'B8', 'BE', '20', 'E5', 'A4')).toBe('a举␣E5A4');
  });

  test('goes back some characters, not bytes, and no further than a BOS', () => {
    const cat = ['E7', '8C', 'AB'];
    expect(before(...Array.from({ length: 20 }, () => cat).flat())).toBe('猫'.repeat(12));
    expect(before(...cat, '', '61')).toBe('a');
    expect(before(...cat, '')).toBe('');
  });
});
