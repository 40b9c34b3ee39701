/** Choice of the lines that a twin leaves out: web/instruments/twin/left-out.ts. */
import { expect, test } from 'vitest';
import { beginningOf, bytesOfLines, lineNumbers } from '../web/instruments/twin/left-out.ts';

test.each([
  ['3, 8–10', [3, 8, 9, 10]],
  ['10-8', null],
  ['2 2，1', [1, 2]],
  ['0', null],
  ['12', null],
  ['1-999999999', null],
  ['three', null],
  ['', null],
])('the numbers in “%s” of a text of 11 lines are %j', (typed, numbers) => {
  expect(lineNumbers(typed, 11)).toEqual(numbers);
});

test('lines are found by their bytes, and empty ones are none', () => {
  expect(bytesOfLines(['aé', '', '猫', 'b'], [1, 2, 3])).toEqual([
    [0, 3],
    [5, 8],
  ]);
});

test('the beginning of a line is its first half, in whole characters', () => {
  expect([beginningOf('anna'), beginningOf('猫咪好'), beginningOf('🐈a')]).toEqual([
    'an',
    '猫咪',
    '🐈',
  ]);
});
