/** CSV and JSON files of copied parts: web/instruments/copied/found-files.ts. */
import { expect, test } from 'vitest';
import { foundCsv, foundJson } from '../web/instruments/copied/found-files.ts';
import type { FoundRun } from '../web/instruments/copied/found-files.ts';
import type { Found } from '../web/instruments/copied/state.ts';
import { ownLoss } from '../web/instruments/copied/own-loss.ts';
import { LossHistory } from '../web/data/loss-history.ts';

const run = { isLine: false, count: 2, place: 9, line: 3, before: 'a', after: 'b' };
const found: Found = {
  ...{ key: '', error: null },
  base: { characters: 6, lines: 0.5, of: 'held-out' },
  yardsticks: { heldOut: true, targets: 4, yardsticks: [{ order: 0, nats: 1.5, bits: 2 }] },
  newest: {
    step: 40,
    texts: ['say "yes",\nnow', 'new'],
    runs: [[{ ...run, start: 4, end: 14, characters: 10 }], []],
  },
};

const options = { validation: 0.1, left_out: [[2, 5]] };
const receipt = { line: 'gh1-tinygpt', preset: 'tinygpt', options, changes: [], text_hash: '0a' };
const foundRun: FoundRun = {
  receipt: JSON.stringify({
    ...receipt,
    imported: false,
    text_bytes: 90,
    losses: '40b2',
    step: 50,
  }),
  textKey: 'ab12',
  model: { of: 'held-out', step: 50, nats: 1.25, bits: NaN },
  memorised: {
    documents: true,
    prompts: { train: 8, heldOut: 4, tokens: 16 },
    points: [{ step: 50, train: 0.25, heldOut: 0 }],
  },
};
const nothing: Found = { ...found, newest: { step: 40, texts: ['new'], runs: [[]] } };

const HEAD =
  'row,step,text,start,end,characters,is_line,count,line,place,part,of,order,nats,bits,share,tokens';
const REST = [
  'base,,,,,6,,,,,,held-out,,,,0.5,',
  'table,,,,,,,,,,,held-out,0,1.5,2,,4',
  'model,50,,,,,,,,,,held-out,,1.25,,,',
  'memorised,50,,,,,,8,,,,training,,,,0.25,16',
  'memorised,50,,,,,,4,,,,held-out,,,,0,16',
  '',
];

test('a part with quotes, a comma and a line break stays one cell of the table', () => {
  const part = 'part,40,1,4,14,10,false,2,3,9,"""yes"",\nnow",,,,,,';
  expect(foundCsv(found, foundRun)).toBe([HEAD, part, ...REST].join('\r\n'));
});

test('the table begins with a byte order mark, which Excel needs, only if a part is not ASCII', () => {
  const texts = [found.newest!.texts[0]!.replace('yes', '是'), 'new'];
  const table = foundCsv({ ...found, newest: { ...found.newest!, texts } }, foundRun);
  expect(table.startsWith(`\ufeff${HEAD}\r\n`)).toBe(true);
  expect(foundCsv(found, foundRun).startsWith(HEAD)).toBe(true);
});

test('the table has the base rate, losses and what is memorised if nothing was copied', () => {
  expect(foundCsv(nothing, foundRun)).toBe([HEAD, ...REST].join('\r\n'));
});

test('the table has no rows of prompts from held-out text if nothing is held out', () => {
  const prompts = { train: 8, heldOut: 0, tokens: 16 };
  const points = [{ step: 50, train: 0.25, heldOut: NaN }];
  const rows = foundCsv(nothing, {
    ...foundRun,
    memorised: { documents: true, prompts, points },
  });
  const kept = REST.filter((row) => !/^memorised.*held-out/.test(row));
  expect(rows).toBe([HEAD, ...kept].join('\r\n'));
});

test('the JSON has the run, each text with its parts, and all that they are compared with', () => {
  expect(JSON.parse(foundJson(found, foundRun))).toEqual({
    run: { ...receipt, imported: false, text_bytes: 90, text_sha256: 'ab12' },
    step: 40,
    base: found.base,
    texts: [
      { text: 'say "yes",\nnow', runs: found.newest?.runs[0] },
      { text: 'new', runs: [] },
    ],
    yardsticks: {
      ...{ of: 'held-out', units: { nats: 'per token', bits: 'per character' } },
      ...found.yardsticks,
      model: { ...foundRun.model, bits: null },
    },
    memorised: { prompts: foundRun.memorised.prompts, points: foundRun.memorised.points },
  });
});

test('neither has a share of lines where sequences are no lines', () => {
  const run = { ...foundRun, memorised: { ...foundRun.memorised, documents: false } };
  expect(foundCsv(nothing, run)).toContain('\nbase,,,,,6,,,,,,held-out,,,,,\r\n');
  expect(JSON.parse(foundJson(nothing, run))).toMatchObject({ base: { lines: null } });
});

test('the loss of the model is of held-out text if that of the tables is, else of training', () => {
  const history = new LossHistory();
  history.append(0, [3, 2]);
  history.addValidation(1, 4);
  const session = { run: { history }, tokensPerCharacter: { train: 0.5, validation: 0.25 } };
  const both = [true, false].map((heldOut) => ownLoss(session as never, heldOut));
  const smoothed = history.smoothedLast()!;
  expect(both).toEqual([
    { of: 'held-out', step: 1, nats: 4, bits: 1 / Math.LN2 },
    { of: 'training', step: 2, nats: smoothed, bits: smoothed * (0.5 / Math.LN2) },
  ]);
});
