/**
 * What is found in texts before they are learned, and what removing repeats and rare signs makes of
 * them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RARE, examine, removeDuplicates } from '../web/instruments/text/check-up/examine.ts';
import { rareTwins, replaceTwins } from '../web/instruments/text/check-up/twins.ts';
import { findingsOf } from './node/findings-of.ts';

const texts = join(import.meta.dirname, '../public/texts');
const sample = (name: string): string => readFileSync(join(texts, name), 'utf8');

describe('an examination', () => {
  test('counts characters as people do, not code units or bytes', () => {
    const found = findingsOf('月月😀\n月');
    expect(found.characters).toBe(5);
    expect(found.distinct).toBe(3); // two signs and the line end
    expect(found.rare).toEqual([{ character: '😀', count: 1 }]);
  });

  test('finds lines that repeat earlier ones', () => {
    const found = findingsOf('anna\nbea\nanna\n\n\nanna');
    expect([found.lines, found.duplicates, found.lineFeeds]).toEqual([4, 2, 5]);
    expect(found.firstDuplicate).toBe('anna');
  });

  test.each([
    ['names', sample('first-names-en.txt'), true],
    ['names of several words', 'Anna Maria Bell\nZoë O’Neill\nJ.-P. Müller\n', true],
    ['Chinese names', '小明\n小红\n', true],
    ['prose', sample('moby-dick-en.txt'), false],
    ['poems', sample('tang-quatrains-zh.txt'), false],
    ['a program', 'import os\n    return x\nx = 1\n}\n', false],
    ['what people say', 'Anna: hi\nBea: yes\n', false],
  ])('tells whether a text is a list of names or words: %s', (_, text, isList) => {
    expect(findingsOf(text).isList).toBe(isList);
  });

  test('stops often enough in a single line of a million characters', () => {
    for (const line of ['word '.repeat(200_000), '长'.repeat(1_000_000)]) {
      const examination = examine(line);
      let stops = 0;
      while (examination.next().done !== true) stops++;
      expect(stops).toBeGreaterThan(50);
    }
  });

  test('says nothing of an empty text', () => {
    const found = findingsOf('');
    expect([found.characters, found.lines, found.lengths]).toEqual([0, 0, []]);
  });

  test('finds nothing lost in any of the sample texts', () => {
    for (const name of ['first-names-en', 'moby-dick-en', 'tang-quatrains-zh']) {
      expect(findingsOf(sample(`${name}.txt`)).lost).toBe(0);
    }
  });
});

test('of equal lines the first is kept, and all empty ones are', () => {
  expect(removeDuplicates('b\na\n\nb\n\na\nc')).toBe('b\na\n\n\nc');
  expect(findingsOf(removeDuplicates('x\nx\nx')).duplicates).toBe(0);
});

describe('rare typographic signs', () => {
  const plain = `it's "here" and\n`.repeat(9);

  test.each([
    ['quotes and apostrophes', `${plain}“It’s here”\n`, `${plain}"It's here"\n`],
    ['spaces that do not break', `${plain}12\u00a0km\u202f!\n`, `${plain}12 km !\n`],
  ])('become plain if the text has the plain ones: %s', (_, text, after) => {
    expect(replaceTwins(text, RARE)).toBe(after);
    expect(rareTwins(after, RARE)).toEqual([]);
  });

  test.each([
    ['the text has no plain ones', `${'it is here and\n'.repeat(9)}it’s\n`],
    ['they are not rare', `${plain}${'it’s\n'.repeat(3)}`],
    ['the line has plain ones, and may be a string', `${plain}print("say “hi”")\n`],
    ['they have no twin', `${plain}— … – ‐ « » é ☃ 🌙\n`],
  ])('stay if %s', (_, text) => {
    expect(rareTwins(text, RARE)).toEqual([]);
    expect(replaceTwins(text, RARE)).toBe(text);
  });
});
