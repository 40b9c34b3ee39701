/** Positions of marks in a text: on character boundaries and without overlap. */
import { expect, test } from 'vitest';
import { placed } from '../web/kit/marked-texts.ts';

const mark = (start: number, end: number) => ({
  ...{ start, end, note: '', onPress: () => undefined },
});
const places = (text: string, ...ranges: [start: number, end: number][]) =>
  placed(
    text,
    ranges.map((range) => mark(...range)),
  ).map(({ start, end }) => text.slice(start, end));

test('a mark is cut to the whole characters within it', () => {
  const wave = '👋🏽';
  expect(places(`a${wave}e\u0301b`, [0, 1 + wave.length + 1])).toEqual([`a${wave}`]);
  expect(places(`a${wave}e\u0301b`, [2, 99])).toEqual(['e\u0301b']);
  expect(places(`a${wave}`, [2, 1 + wave.length - 1])).toEqual([]);
});

test('marks stand in the order of the text, each without what one before it has', () => {
  expect(places('abcdef', [4, 6], [0, 2])).toEqual(['ab', 'ef']);
  expect(places('abcdef', [1, 4], [0, 2], [2, 3])).toEqual(['ab', 'cd']);
  expect(places('abcdef', [0, 2], [0, 5])).toEqual(['abcde']);
});

test('a range outside of the text, or without length, marks nothing', () => {
  expect(places('abc', [3, 9], [-4, 0], [2, 2], [2, 1])).toEqual([]);
  expect(places('', [0, 1])).toEqual([]);
});
