/** The rows of the check-up: where they stand after a press, and what can be taken back. */
import { describe, expect, test } from 'vitest';
import type { Advice, Checked } from '../web/app/check-up/advice.ts';
import { remedyKey } from '../web/app/check-up/remedy.ts';
import type { Remedy } from '../web/app/check-up/remedy.ts';
import { rowsAfter, undoneFirst } from '../web/app/check-up/rows.ts';
import type { Row } from '../web/app/check-up/rows.ts';
import { Treatment } from '../web/app/check-up/treatment.ts';
import type { Hands } from '../web/app/check-up/treatment.ts';
import { failure } from '../web/engine/errors.ts';

/** A finding with these remedies; one that is only to be known has none. */
function advice(id: string, ...remedies: Remedy[]): Advice {
  return { id, look: remedies.length > 0, text: `${id}.`, remedies };
}

const bytes: Remedy = { kind: 'option', name: 'tokenizer', value: 0, label: 'bytes' };
const context: Remedy = { kind: 'option', name: 'context', value: 8, label: 'context' };
const preset: Remedy = { kind: 'preset', preset: 'microgpt' };
const western: Remedy = { kind: 'western' };
const [garbled, rare, space, hidden, markup, duplicates] = (
  ['garbled', 'rare', 'space', 'hidden', 'markup', 'duplicates'] as const
).map((kind): Remedy => ({ kind })) as [Remedy, Remedy, Remedy, Remedy, Remedy, Remedy];

const first = [advice('garbled', garbled), advice('rare', bytes, rare), advice('size')];
const rows = rowsAfter([], first, [], false);
const inShort = (all: readonly Row[]) =>
  all.map(({ id, found, remedies }) =>
    [`${id}:`, found ? '' : 'gone', ...remedies.map(remedyKey)].filter(Boolean).join(' '),
  );

describe('the rows after a press', () => {
  test('stay in their order, with what was pressed, and new ones come behind them', () => {
    const next = [advice('space', space), advice('rare', bytes), advice('size')];
    const pressed = [
      { id: 'garbled', remedy: garbled },
      { id: 'rare', remedy: rare },
    ];
    expect(inShort(rowsAfter(rows, next, pressed, true))).toEqual([
      'garbled: gone garbled',
      'rare: tokenizer 0 rare',
      'space: space',
      'size:',
    ]);
  });

  test('keep what another press made an end of, without a button that would do nothing', () => {
    const pressed = [{ id: 'garbled', remedy: garbled }];
    const after = rowsAfter(rows, [advice('size')], pressed, true);
    expect(inShort(after)).toEqual(['garbled: gone garbled', 'rare: gone', 'size:']);
    // All was taken back: what is not found then was never mended.
    expect(inShort(rowsAfter(after, [advice('garbled', garbled)], [], true))).toEqual([
      'garbled: garbled',
    ]);
    // The text became another by other hands: only what is found now is left.
    expect(inShort(rowsAfter(after, [advice('rare', bytes)], [], false))).toEqual([
      'rare: tokenizer 0',
    ]);
  });
});

describe('a remedy whose text never comes', () => {
  /** A page on which nothing happens by itself. */
  function page() {
    const state = { source: 'own', version: 1, textError: null as Error | null };
    const session = { recipe: { preset: 'microgpt', changes: {} }, table: { options: [] } };
    const readBytes = () => Promise.resolve(new TextEncoder().encode('a  b'));
    const actions = { readBytes, onMend: () => () => undefined };
    const hands = { state, actions, session: () => session } as unknown as Hands;
    return { state, hands };
  }

  test('is not waited for once it is known to have failed', async () => {
    const { state, hands } = page();
    const treatment = new Treatment();
    const look = (...ids: string[]) => {
      treatment.follow(hands);
      treatment.look(
        {} as Checked,
        ids.map((id) => advice(id, space)),
      );
      return treatment.rows.map(({ id }) => id);
    };
    // What was said before the press is not about its text.
    state.textError = failure('file-read', 'another file');
    expect(look('space')).toEqual(['space']);
    await treatment.carryOut('space', space, hands);
    expect(look('other')).toEqual(['space']);
    state.textError = failure('file-read', 'this text');
    expect(look('other')).toEqual(['other']);
    expect(treatment.done).toEqual([]);
  });
});

describe('a text that is changed by hand after remedies', () => {
  test('leaves those of the settings to be undone, and says so of the others', async () => {
    const state = { source: 'own', version: 1, textError: null };
    const option = { name: 'context', choices: [], presets: { microgpt: 16 } };
    const table = { presets: ['microgpt'], options: [option] };
    let recipe = { preset: 'microgpt', changes: {} };
    const actions = {
      readBytes: () => Promise.resolve(new TextEncoder().encode('a  b')),
      onMend: () => {
        state.version++;
        return () => undefined;
      },
      onOption: (name: string, value: number) => {
        recipe = { preset: 'microgpt', changes: { [name]: value } };
      },
    };
    const session = () => ({ recipe, table });
    const hands = { state, actions, session } as unknown as Hands;
    const treatment = new Treatment();
    const look = (...all: Advice[]) => {
      treatment.follow(hands);
      treatment.look({} as Checked, all);
      return inShort(treatment.rows);
    };
    look(advice('space', space), advice('cut', context));
    await treatment.carryOut('space', space, hands);
    await treatment.carryOut('cut', context, hands);
    expect(look(advice('size'))).toEqual(['space: gone space', 'cut: gone context 8', 'size:']);
    expect(treatment.overtaken).toBe(false);
    state.version++;
    expect(look(advice('size'))).toEqual(['cut: gone context 8', 'size:']);
    expect(treatment.overtaken).toBe(true);
    // The next remedy of the text can be undone.
    await treatment.carryOut('space', space, hands);
    look(advice('size'));
    expect([treatment.overtaken, treatment.done.length]).toEqual([false, 2]);
  });
});

describe('what has to be undone first', () => {
  test('is what was done to blanks and signs, before what they were part of', () => {
    const all = [markup, garbled, duplicates, space].map((remedy) => ({ id: 'any', remedy }));
    expect(all.map((one) => undoneFirst(one, all))).toEqual([null, space, null, null]);
    const bytesFirst = [western, duplicates].map((remedy) => ({ id: 'any', remedy }));
    expect(bytesFirst.map((one) => undoneFirst(one, bytesFirst))).toEqual([duplicates, null]);
    const signs = [garbled, hidden].map((remedy) => ({ id: 'any', remedy }));
    expect(signs.map((one) => undoneFirst(one, signs))).toEqual([hidden, null]);
  });

  test('is a single setting, before all settings that it was changed in', () => {
    const all = [context, preset, bytes].map((remedy) => ({ id: 'any', remedy }));
    expect(all.map((one) => undoneFirst(one, all))).toEqual([null, bytes, null]);
  });
});
