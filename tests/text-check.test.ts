/** Rows of the text check: their order after a change, and undo. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Advice, Cure } from '../web/instruments/text/text-check/advice.ts';
import { Treatment } from '../web/instruments/text/text-check/treatment.ts';
import type { TreatmentDependencies } from '../web/instruments/text/text-check/treatment.ts';

const GIVEN = 'anna\nanna\na\u200b\n';
const change = { before: 'a', after: 'b' };
const advice = (id: Advice['id'], cure: Cure | null = id as Cure): Advice => ({
  ...{ id, cure, count: 1 },
  change,
});
const HIDDEN = advice('hidden');
const REPEATS = advice('duplicates');
const PIECES = advice('pieces');

let text: string;
let treatment: Treatment;

const dependencies = {
  session: () => ({}),
  actions: {
    readText: () => Promise.resolve(text),
    onMend: (cured: string) => {
      const before = text;
      text = cured;
      return () => {
        text = before;
      };
    },
  },
} as unknown as TreatmentDependencies;

/** Updates the rows with these findings; returns their ids, marked “gone” if no longer found. */
function look(...all: Advice[]): string[] {
  treatment.follow(text);
  treatment.look(all);
  return treatment.rows.map(({ id, found }) => (found ? id : `${id}: gone`));
}

beforeEach(() => {
  text = GIVEN;
  treatment = new Treatment();
  look(HIDDEN, PIECES);
});

describe('the rows after a press', () => {
  test('stay in their order, with what is gone, and new ones come behind them', async () => {
    await treatment.apply('hidden', dependencies);
    expect(look(REPEATS, PIECES)).toEqual(['hidden: gone', 'pieces', 'duplicates']);
  });

  test('keep the example of what was done beside its button', async () => {
    await treatment.apply('hidden', dependencies);
    look(PIECES);
    expect(treatment.rows[0]?.change).toEqual(change);
  });

  test('are only what is found once all is undone, or the text is changed by hand', async () => {
    await treatment.apply('hidden', dependencies);
    expect(look()).toEqual(['hidden: gone', 'pieces: gone']);
    await treatment.undo(dependencies);
    expect(look(HIDDEN)).toEqual(['hidden']);
    await treatment.apply('hidden', dependencies);
    text += 'b';
    expect(look(PIECES)).toEqual(['pieces']);
  });
});

describe('undo', () => {
  test('takes back one press after the other, the last first', async () => {
    await treatment.apply('hidden', dependencies);
    await treatment.apply('duplicates', dependencies);
    expect([text, treatment.last]).toEqual(['anna\na\n', 'duplicates']);
    await treatment.undo(dependencies);
    expect([text, treatment.last]).toEqual(['anna\nanna\na\n', 'hidden']);
    await treatment.undo(dependencies);
    expect([text, treatment.last]).toEqual([GIVEN, null]);
  });

  test('never takes back what was typed since a press', async () => {
    await treatment.apply('hidden', dependencies);
    text += 'b';
    await treatment.undo(dependencies);
    expect([text, treatment.last]).toEqual(['anna\nanna\na\nb', null]);
  });
});
