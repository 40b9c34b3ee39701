/** The card of generated text: the lines to choose from, and line breaking. */
import { describe, expect, test } from 'vitest';
import { cardLines } from '../web/instruments/card/card-lines.ts';
import { shorten, wrapText } from '../web/instruments/card/wrap-text.ts';

/** Widths of a test font: 2 for a Chinese character, 1 for any other. */
const measure = (text: string): number =>
  Array.from(text).reduce((sum, letter) => sum + (/[\p{Script=Han}，。]/u.test(letter) ? 2 : 1), 0);
const wrap = (text: string, width: number) => wrapText(text, width, measure);

describe('a line that is too long for a row', () => {
  test.each([
    ['between words', 'the whale and the sea', 10, ['the whale', 'and the', 'sea']],
    ['in a word that is wider than a row', 'a whalewhale', 5, ['a', 'whale', 'whale']],
    ['beside a Chinese character', '春眠不觉晓', 6, ['春眠不', '觉晓']],
    ['but not before a mark', '春眠不，觉晓', 6, ['春眠', '不，觉', '晓']],
    ['between what readers take for characters', '👨‍👩‍👧👨‍👩‍👧', 5, ['👨‍👩‍👧', '👨‍👩‍👧']],
  ])('breaks %s', (_, text, width, rows) => {
    expect(wrap(text, width)).toEqual(rows);
  });

  test('of nothing but blanks has no rows', () => {
    expect(wrap('   ', 2)).toEqual([]);
  });

  test('ends in an ellipsis where there is no row left, and is no wider with it', () => {
    expect(shorten('the whale', 9, measure)).toBe('the whale');
    expect(shorten('the whale', 5, measure)).toBe('the…');
  });
});

describe('the lines to choose from', () => {
  const entries = [
    { step: 0, texts: ['xq', 'zz', 'kk'] },
    { step: 100, texts: ['ann', 'ann', '', 'bo\n\n clara ', 'dora', 'ed'], cut: [3] },
  ];

  test('are those of the newest step, then two of each step before it', () => {
    const { lines, preset } = cardLines(entries, null);
    expect(lines.map(({ text, step }) => [text, step])).toEqual([
      ['ann', 100],
      ['bo', 100],
      ['clara', 100],
      ['dora', 100],
      ['ed', 100],
      ['xq', 0],
      ['zz', 0],
    ]);
    // Only the last line of a text can be cut off.
    expect(lines.filter(({ isCut }) => isCut).map(({ text }) => text)).toEqual(['clara']);
    expect([...preset]).toEqual([0, 1, 2]);
  });

  test('begin with what the model was asked for, and its newest own lines are chosen', () => {
    const answer = { prompt: 'an', text: 'na\nbob', isCut: true, step: 90 };
    const { lines, preset } = cardLines(entries, answer);
    expect(lines.slice(0, 2)).toEqual([
      { text: 'anna', given: 'an', isCut: false, step: 90 },
      { text: 'bob', given: '', isCut: true, step: 90 },
    ]);
    expect([...preset]).toEqual([0, 2, 3]);
  });

  test('leave out what the reader wrote above the line that the model went on with', () => {
    const answer = { prompt: 'one\ntwo\nth', text: 'ree\nfour', isCut: false, step: 1 };
    const { lines } = cardLines([], answer);
    expect(lines.map(({ text, given }) => [text, given])).toEqual([
      ['three', 'th'],
      ['four', ''],
    ]);
    const next = cardLines([], { ...answer, prompt: 'one ', text: '\ntwo' });
    expect(next.lines.map(({ text }) => text)).toEqual(['two']);
  });

  test('are as many as there are', () => {
    expect(cardLines([], null)).toEqual({ lines: [], preset: new Set() });
    expect([...cardLines([{ step: 0, texts: ['a'] }], null).preset]).toEqual([0]);
  });
});
