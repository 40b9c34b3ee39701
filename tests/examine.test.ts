/** Findings in texts before training, and the removal of duplicate lines. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { examine, removeDuplicates } from '../web/instruments/text/text-check/examine.ts';
import { findingsOf } from './node/findings-of.ts';

const texts = join(import.meta.dirname, '../public/texts');
const sample = (name: string): string => readFileSync(join(texts, name), 'utf8');

describe('an examination', () => {
  test('finds lines that repeat earlier ones', () => {
    const { duplicates } = findingsOf('anna\nbea\nanna\n\n\nanna');
    expect(duplicates).toEqual({ count: 2, change: { before: 'anna', after: '' } });
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
    const { lost, ...found } = findingsOf('');
    expect(lost).toBe(0);
    expect([found.duplicates, found.hidden, found.pieces, found.stamps]).toEqual(
      Array.from({ length: 4 }, () => null),
    );
  });

  test('finds nothing lost in any of the sample texts', () => {
    for (const name of ['first-names-en', 'moby-dick-en', 'tang-quatrains-zh']) {
      expect(findingsOf(sample(`${name}.txt`)).lost).toBe(0);
    }
  });
});

test('of equal lines the first is kept, and all empty ones are', () => {
  expect(removeDuplicates('b\na\n\nb\n\na\nc')).toBe('b\na\n\n\nc');
  expect(findingsOf(removeDuplicates('x\nx\nx')).duplicates).toBeNull();
});
