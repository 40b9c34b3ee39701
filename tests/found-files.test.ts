/** What was copied as files: web/instruments/copied/found-files.ts. */
import { expect, test } from 'vitest';
import { foundCsv, foundJson } from '../web/instruments/copied/found-files.ts';
import type { Found } from '../web/instruments/copied/look.ts';

const run = { isLine: false, count: 2, place: 9, line: 3, before: 'a', after: 'b' };
const found: Found = {
  ...{ key: '', busy: false, error: null },
  base: { characters: 6, lines: 0.5, of: 'held-out' },
  yardsticks: { heldOut: true, targets: 4, yardsticks: [{ order: 0, nats: 1.5, bits: 2 }] },
  newest: {
    step: 40,
    texts: ['say "yes",\nnow', 'new'],
    runs: [[{ ...run, start: 4, end: 14, characters: 10 }], []],
  },
};

test('a part with quotes, a comma and a line break stays one cell of the table', () => {
  expect(foundCsv(found)).toBe(
    'step,text,start,end,characters,is_line,count,line,place,part\r\n' +
      '40,1,4,14,10,false,2,3,9,"""yes"",\nnow"\r\n',
  );
});

test('the JSON has each text with its parts, the base rate and the tables', () => {
  expect(JSON.parse(foundJson(found))).toEqual({
    step: 40,
    base: found.base,
    texts: [
      { text: 'say "yes",\nnow', runs: found.newest?.runs[0] },
      { text: 'new', runs: [] },
    ],
    yardsticks: found.yardsticks,
  });
});
