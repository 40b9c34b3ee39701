/** First sentences of tabs, which are computed from the numbers of a run. */
import { describe, expect, it } from 'vitest';
import '../web/i18n/all.ts';
import { loadAllWords } from '../web/i18n/index.ts';
import { findTogether } from '../web/instruments/embeddings/found.ts';
import type { Kind } from '../web/instruments/embeddings/token-kinds.ts';
import { findingOf, mostSurprising } from '../web/instruments/tokens/named-token.ts';
import type { ScoredToken } from '../web/data/token-data.ts';

describe('tokens that training brought together', () => {
  const matrixOf = (rows: readonly (readonly [number, number])[]) => ({
    rows: rows.length,
    columns: 2,
    values: Float32Array.from(rows.flat()),
  });
  const vowel = Array<Kind>(4).fill('vowel');

  it('are the vowels to which another is nearest', () => {
    const matrix = matrixOf([[1, 0.1], [1, 0.2], [0, 1], [1, 0.3], [0.1, 1], [0.2, 1]]); // prettier-ignore
    const kinds: Kind[] = ['vowel', 'vowel', 'letter', 'vowel', 'letter', 'vowel'];
    expect(findTogether(matrix, kinds)).toEqual({ what: 'vowels', rows: [0, 1, 3] });
  });

  it('are the nearest two otherwise, and never a sign', () => {
    const matrix = matrixOf([[1, 0], [1, 0], [0, 1], [0.1, 1], [-1, 1]]); // prettier-ignore
    const kinds: Kind[] = ['sign', 'vowel', 'letter', 'letter', 'piece'];
    expect(findTogether(matrix, kinds)).toEqual({ what: 'pair', rows: [2, 3] });
  });

  it('are none of too few', () => {
    expect(findTogether(matrixOf([[1, 0], [0, 1]]), vowel.slice(2))).toBeNull(); // prettier-ignore
    expect(findTogether(matrixOf([[0, 0], [0, 0], [0, 0], [0, 0]]), vowel)).toBeNull(); // prettier-ignore
  });
});

it('the most surprising token is the first one with the largest loss', () => {
  const tokens = [null, 1, 3, 2, 3].map((loss) => ({
    score: loss === null ? null : { loss },
  })) as unknown as ScoredToken[];
  expect(mostSurprising(tokens)).toBe(2);
  expect(mostSurprising(tokens.slice(0, 1))).toBeNull();
});

it('a text without a surprise is said to have none', async () => {
  const words = await loadAllWords('en');
  const told = (probability: number): string => {
    const token = { id: 1, kind: 'text', text: 'l', hex: '' };
    return findingOf({ token, score: { probability } } as unknown as ScoredToken, words);
  };
  expect(told(0.09)).toBe('It was surprised most by “l”: it had given it 9.0%.');
  expect(told(0.64)).toBe('Nothing here surprised it: even “l”, the least expected, had 64%.');
});
