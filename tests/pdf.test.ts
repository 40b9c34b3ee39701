/**
 * The text check's findings on text copied from a PDF (ligatures, hyphenated words, page numbers),
 * and their repair.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CURES } from '../web/instruments/text/text-check/advice.ts';
import { findingsOf } from './node/findings-of.ts';

/** Lines of running text that all end in mid-sentence. */
const lines = (count: number): string =>
  Array.from({ length: count }, (_, at) => `and line ${String(at)} of the page goes on to`).join(
    '\n',
  );
const COPIED = readFileSync(join(import.meta.dirname, 'fixtures/texts/from-pdf.txt'), 'utf8');

test('a page of a PDF has all of them, and loses no hyphen of its own words', () => {
  const { ligatures, hyphens, breaks, pages } = findingsOf(COPIED);
  expect([ligatures?.count, hyphens, breaks?.count, pages?.count]).toEqual([2, null, 3, 1]);
  const book = `${COPIED}In the harbour, fishermen and well-known men slept.\n`;
  const cured = CURES.hyphens(CURES.pages(CURES.ligatures(book)));
  expect(cured).toBe(
    'The harbour\nwas quiet and the efficient fishermen\nof the well-\n' +
      'known island came home at nine. It was the first day of the\n' +
      'year, and the sea lay still as glass before them all.\n' +
      'In the harbour, fishermen and well-known men slept.\n',
  );
  expect(findingsOf(cured)).toMatchObject({ ligatures: null, hyphens: null, pages: null });
});

test('ligatures become their letters, and no other letter changes', () => {
  const text = 'eﬃcient ﬂower oﬀ ﬁne aﬄuent ﬆ œuvre æther ² ½ Ǆ';
  expect(findingsOf(text).ligatures).toEqual({
    count: 6,
    change: { before: 'eﬃcient ﬂower ', after: 'efficient flower ' },
  });
  expect(CURES.ligatures(text)).toBe('efficient flower off fine affluent st œuvre æther ² ½ Ǆ');
});

describe('a word that is broken at the end of a line', () => {
  test.each([
    ['stands whole elsewhere', 'the har-\nbour, and\nHarbour', 'the harbour,\nand\nHarbour'],
    ['ends a paragraph', 'the har-\nbour\n\nharbour', 'the harbour\n\nharbour'],
    ['ends the text', 'harbour\nthe har-\nbour', 'harbour\nthe harbour'],
    ['has blanks around the break', 'har- \n  bour is\nharbour', 'harbour\nis\nharbour'],
    ['has a hyphen of Unicode', 'har\u2010\nbour is\nharbour', 'harbour\nis\nharbour'],
    ['has a soft hyphen', 'the har\u00ad\nbour is', 'the harbour\nis'],
    ['is in pieces', 'cafe\u0301-\nteria\ncafe\u0301teria', 'cafe\u0301teria\ncafe\u0301teria'],
    [
      'stands with its hyphen more rarely',
      'e-\nmail email email e-mail',
      'email\nemail email e-mail',
    ],
  ])('is joined if it %s', (_, text, joined) => {
    expect(findingsOf(text).hyphens).toMatchObject({ count: 1 });
    expect(CURES.hyphens(text)).toBe(joined);
  });

  test.each([
    ['stands nowhere else', 'the well-\nknown man'],
    ['stands elsewhere with its hyphen', 'the well-\nknown man is well-known'],
    ['stands as often with its hyphen', 'e-\nmail or email or e-mail'],
    ['stands whole only as a part of others', 'the har-\nbour of harbours'],
    ['goes on with a capital', 'Nord-\nSüd, Nordsüd'],
    ['ends with two hyphens', 'the har--\nbour, harbour'],
    ['is parted by an empty line', 'the har-\n\nbour, harbour'],
  ])('stays as it is if it %s', (_, text) => {
    expect(findingsOf(text).hyphens).toBeNull();
    expect(CURES.hyphens(text)).toBe(text);
  });

  test('is counted, too, where nothing tells its hyphen from one of the word', () => {
    const { hyphens, breaks } = findingsOf('the har-\nbour of a well-\nknown harbour');
    expect(hyphens).toEqual({
      count: 1,
      change: { before: 'the har-\nbour of a', after: 'the harbour\nof a' },
    });
    expect(breaks?.count).toBe(2);
  });

  test('is not counted where few lines end so', () => {
    expect(findingsOf(`a well-\nknown man\n${lines(99)}`).breaks).toBeNull();
  });
});

describe('numbers alone on their lines', () => {
  const book = (...numbers: string[]): string =>
    numbers.map((number) => `${lines(30)}\n${number}\n`).join('');

  test.each([
    ['of a book', book('7', '8', '9', '10')],
    ['with a page that has none', book('7', '8', '10')],
    ['behind a form feed', book('\f7', ' 8 ', '\f9')],
    ['with other numbers between them', book('7\n1984', '8', '3', '9')],
  ])('are page numbers if they rise and stand within sentences: %s', (_, text) => {
    expect(findingsOf(text).pages).not.toBeNull();
    const cured = CURES.pages(text);
    expect(cured).not.toMatch(/^\s*(?:[789]|10)\s*$/m);
    expect(cured.match(/goes/g)).toEqual(text.match(/goes/g));
    expect(cured.match(/^(?:1984|3)$/gm)).toEqual(text.match(/^(?:1984|3)$/gm));
  });

  test.each([
    ['a list of numbers', Array.from({ length: 90 }, (_, at) => String(at)).join('\n')],
    ['a column of a table', '1\nAnna and\n2\nBea and\n3\nClara and\n'],
    ['numbers of poems', [18, 19, 20].map((at) => `\n${String(at)}\n\nO ${lines(13)}.\n`).join('')],
    ['years that fall', book('1990', '1985', '1970')],
    ['one number alone', book('12')],
  ])('are none in %s', (_, text) => {
    expect(findingsOf(text).pages).toBeNull();
    expect(CURES.pages(text)).toBe(text);
  });
});
