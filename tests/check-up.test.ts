/** The rows of the check-up: where they stand after a press, and what can be taken back. */
import { describe, expect, test } from 'vitest';
import type { Advice } from '../web/app/check-up/advice.ts';
import { rowsAfter, undoneFirst } from '../web/app/check-up/rows.ts';
import type { Done } from '../web/app/check-up/rows.ts';

const remedy = { kind: 'space' } as const;

/** A finding with buttons of these names; one that is only to be known has none. */
function advice(id: string, ...labels: string[]): Advice {
  const remedies = labels.map((label) => ({ label, remedy }));
  return { id, look: labels.length > 0, text: `${id}.`, remedies };
}

function done(id: string, label: string, mend: Done['mend'], preset = false): Done {
  return { id, label, mend, preset };
}

const first = [advice('garbled', 'Read'), advice('rare', 'Bytes', 'Plain'), advice('size')];
const rows = rowsAfter([], first, [], false);
const inShort = (all: ReturnType<typeof rowsAfter>) =>
  all.map(({ id, found, remedies }) =>
    [id, found ? '' : 'gone', ...remedies.map(({ label }) => label)].join(' ').trim(),
  );

describe('the rows after a press', () => {
  test('stay in their order, with what was pressed, and new ones come behind them', () => {
    const next = [advice('space', 'Tidy'), advice('rare', 'Bytes'), advice('size')];
    const pressed = [done('garbled', 'Read', 'garbled'), done('rare', 'Plain', 'rare')];
    expect(inShort(rowsAfter(rows, next, pressed, true))).toEqual([
      'garbled gone Read',
      'rare  Bytes Plain',
      'space  Tidy',
      'size',
    ]);
  });

  test('keep what another press made an end of, without a button that would do nothing', () => {
    const pressed = [done('garbled', 'Read', 'garbled')];
    const after = rowsAfter(rows, [advice('size')], pressed, true);
    expect(inShort(after)).toEqual(['garbled gone Read', 'rare gone', 'size']);
    // The text became another by other hands: only what is found now is left.
    expect(inShort(rowsAfter(after, [advice('rare', 'Bytes')], [], false))).toEqual([
      'rare  Bytes',
    ]);
  });
});

describe('what has to be undone first', () => {
  test('is what was done to blanks and signs, before what they were part of', () => {
    const all = [
      done('markup', 'Take', 'markup'),
      done('garbled', 'Read', 'garbled'),
      done('duplicates', 'Remove', 'duplicates'),
      done('space', 'Tidy', 'space'),
    ];
    expect(all.map((one) => undoneFirst(one, all))).toEqual(['', 'Tidy', '', '']);
  });

  test('is a single setting, before all settings that it was changed in', () => {
    const all = [
      done('short', 'Context', null),
      done('shape', 'Preset', null, true),
      done('rare', 'Bytes', null),
    ];
    expect(all.map((one) => undoneFirst(one, all))).toEqual(['', 'Bytes', '']);
  });
});
