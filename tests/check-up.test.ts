/** The rows of the check-up: where they stand after a press, and what can be taken back. */
import { describe, expect, test } from 'vitest';
import type { Advice, Checked } from '../web/instruments/text/check-up/advice.ts';
import type { Remedy } from '../web/instruments/text/check-up/remedy.ts';
import { rowsAfter } from '../web/instruments/text/check-up/rows.ts';
import type { Row } from '../web/instruments/text/check-up/rows.ts';
import { Treatment } from '../web/instruments/text/check-up/treatment.ts';
import type { Hands } from '../web/instruments/text/check-up/treatment.ts';
import { failure } from '../web/engine/errors.ts';

/** A finding with these remedies; one that is only to be known has none. */
function advice(id: string, ...remedies: Remedy[]): Advice {
  return { id, look: remedies.length > 0, text: `${id}.`, remedies };
}

const first = [advice('hidden', 'hidden'), advice('rare', 'bytes', 'rare'), advice('size')];
const rows = rowsAfter([], first, [], false);
const inShort = (all: readonly Row[]) =>
  all.map(({ id, found, remedies }) =>
    [`${id}:`, found ? '' : 'gone', ...remedies].filter(Boolean).join(' '),
  );

describe('the rows after a press', () => {
  test('stay in their order, with what was pressed, and new ones come behind them', () => {
    const next = [advice('pieces', 'pieces'), advice('rare', 'bytes'), advice('size')];
    expect(inShort(rowsAfter(rows, next, ['hidden', 'rare'], true))).toEqual([
      'hidden: gone hidden',
      'rare: bytes rare',
      'pieces: pieces',
      'size:',
    ]);
  });

  test('keep the example of what was done beside its button', () => {
    const before = rowsAfter([], [{ ...advice('hidden', 'hidden'), example: 'a → b' }], [], false);
    const [after] = rowsAfter(before, [], ['hidden'], true);
    expect(after?.example).toBe('a → b');
  });

  test('keep what another press made an end of, without a button that would do nothing', () => {
    const after = rowsAfter(rows, [advice('size')], ['hidden'], true);
    expect(inShort(after)).toEqual(['hidden: gone hidden', 'rare: gone', 'size:']);
    // All was taken back: what is not found then was never mended.
    expect(inShort(rowsAfter(after, [advice('hidden', 'hidden')], [], true))).toEqual([
      'hidden: hidden',
    ]);
    // The text became another by other hands: only what is found now is left.
    expect(inShort(rowsAfter(after, [advice('rare', 'bytes')], [], false))).toEqual([
      'rare: bytes',
    ]);
  });
});

describe('a remedy whose text never comes', () => {
  /** A page on which nothing happens by itself. */
  function page() {
    const state = { source: 'own', version: 1, textError: null as Error | null };
    const session = { recipe: { preset: 'microgpt', changes: {} }, table: { options: [] } };
    const readText = () => Promise.resolve('a\u200b');
    const actions = { readText, onMend: () => () => undefined };
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
        ids.map((id) => advice(id, 'hidden')),
      );
      return treatment.rows.map(({ id }) => id);
    };
    // What was said before the press is not about its text.
    state.textError = failure('file-read', 'another file');
    expect(look('hidden')).toEqual(['hidden']);
    await treatment.carryOut('hidden', hands);
    expect(look('other')).toEqual(['hidden']);
    state.textError = failure('file-read', 'this text');
    expect(look('other')).toEqual(['other']);
    expect(treatment.done).toEqual([]);
  });
});

describe('a text that is changed by hand after remedies', () => {
  test('leaves those of the settings to be undone, and says so of the others', async () => {
    const state = { source: 'own', version: 1, textError: null };
    const option = { name: 'tokenizer', choices: ['byte', 'char'], presets: { microgpt: 1 } };
    const table = { presets: ['microgpt'], options: [option] };
    let recipe = { preset: 'microgpt', changes: {} };
    const actions = {
      readText: () => Promise.resolve('a\u200b'),
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
    look(advice('hidden', 'hidden'), advice('rare', 'bytes'));
    await treatment.carryOut('hidden', hands);
    await treatment.carryOut('bytes', hands);
    expect(look(advice('size'))).toEqual([...['hidden: gone hidden', 'rare: gone bytes', 'size:']]);
    expect(treatment.overtaken).toBe(false);
    state.version++;
    expect(look(advice('size'))).toEqual(['rare: gone bytes', 'size:']);
    expect(treatment.overtaken).toBe(true);
    // The next remedy of the text can be undone.
    await treatment.carryOut('hidden', hands);
    look(advice('size'));
    expect([treatment.overtaken, treatment.done.length]).toEqual([false, 2]);
  });
});
