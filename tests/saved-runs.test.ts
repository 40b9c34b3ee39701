/** Saved runs: retention, the interval between saves, and restored lines beside the shown run. */
import { describe, expect, test } from 'vitest';
import { EarlierRuns } from '../web/store/training/earlier-runs.ts';
import type { BesideRun, EarlierRun } from '../web/store/training/earlier-runs.ts';
import { RunData } from '../web/store/training/run-data.ts';
import { readEarlier, writeEarlier } from '../web/store/runs/earlier-note.ts';
import { KEEP_AUTOMATIC, toDrop, visible } from '../web/store/runs/run-record.ts';
import type { RunRecord } from '../web/store/runs/run-record.ts';
import { checkpointBytes, saveInterval } from '../web/store/runs/save-pace.ts';

/** A history of three steps with stride 2. */
const historyOfThree = {
  ...{ stride: 2, losses: Float32Array.of(3, 1), learningRates: Float32Array.of(1, 0.5) },
  ...{ gradientNorms: Float32Array.of(2, 4), validations: [{ step: 2, loss: 9 }], samples: [] },
};

function record(id: string, updated: number, changes: Partial<RunRecord> = {}): RunRecord {
  return {
    id,
    name: '',
    created: 0,
    updated,
    recipe: { preset: 'microgpt', changes: {} },
    text: { key: 'k', source: 'names', fileName: '', bytes: 1 },
    state: 'paused',
    step: 1,
    steps: 2,
    loss: null,
    bytes: 1,
    save: 1,
    writer: 'tab',
    dismissed: false,
    deleted: false,
    ...changes,
  };
}

describe('the lines beside the shown run', () => {
  test('are noted with what is known nowhere else, and read back; others are left out', () => {
    const run = RunData.kept(7, 3, historyOfThree, ['lr']);
    expect(run.history.at(3)).toMatchObject({ loss: 1, rate: 0.5, norm: 4 });
    expect(run.history.lastValidation).toEqual({ step: 2, loss: 9 });
    expect(run.changed).toEqual(['lr']);
    const one: EarlierRun = {
      ...{
        id: 2,
        run,
        shown: false,
        isOpened: true,
        textKey: 'text 5',
        text: { source: 'own', fileName: 'a' },
      },
      recipe: { preset: 'microgpt', changes: { layers: 2 } },
      before: { preset: 'microgpt', changes: {} },
      tokensPerCharacter: { train: 1.5, validation: NaN },
    };
    const unsaved = { ...one, run: new RunData(8) };
    const savedAs = (number: number): string | undefined => (number === 7 ? 'abc' : undefined);
    const note = writeEarlier([one, unsaved], savedAs, 'text 6');
    const { id, shown, recipe, before, tokensPerCharacter } = one;
    expect(readEarlier(note)).toEqual([
      {
        ...{ saved: 'abc', id, shown, recipe, before, tokensPerCharacter },
        ...{ changed: ['lr'], aside: false, isOpened: true, beside: 'text 6' },
      },
    ]);
    expect(writeEarlier([unsaved], savedAs, null)).toBeNull();
    for (const strange of [null, '', '{', '{}', '[null, 1, {"saved": "abc"}]']) {
      expect(readEarlier(strange)).toEqual([]);
    }
  });

  test('take no longer for a file that claims any number of steps', () => {
    const one = Float32Array.of(3);
    const curve = { losses: one, learningRates: one, gradientNorms: one };
    const history = { ...curve, stride: 5e9, validations: [], samples: [] };
    const run = RunData.kept(7, 5e9, history, []);
    expect(run.history.length).toBe(5e9);
    expect(run.history.last).toBe(3);
  });

  test('keep the numbers that they had where these are free', () => {
    const runs = new EarlierRuns();
    const about = { text: { source: 'own', fileName: '' }, textKey: 'text' } as const;
    const rest = {
      ...about,
      recipe: { preset: 'microgpt', changes: {} },
      shown: true,
      before: null,
    };
    const tokensPerCharacter = { train: 1, validation: 1 };
    const line = (id: number, number: number): BesideRun => {
      const run = RunData.kept(number, 3, historyOfThree, []);
      return { ...rest, id, run, tokensPerCharacter, beside: 'text' };
    };
    runs.restore([line(0, -2), line(3, -3)], 'text');
    expect(runs.all.map(({ id }) => id)).toEqual([0, 3]);
    // A different run gets a new line.
    const other = { ...rest, recipe: { preset: 'nano', changes: {} }, tokensPerCharacter };
    runs.keep(RunData.kept(1, 3, historyOfThree, []), other);
    expect(runs.all.map(({ id }) => id)).toEqual([0, 3, 4]);
    runs.restore([line(4, -4)], 'text');
    expect(runs.all.map(({ id }) => id)).toEqual([5, 0, 3, 4]);
  });
});

describe('what is kept', () => {
  const many = Array.from({ length: 12 }, (_, age) => record(`run${age}`, 100 - age));

  test('are the newest automatic runs, and every run with a name', () => {
    const named = record('old but named', 1, { name: 'mine' });
    const dropped = toDrop([named, ...many], new Set());
    expect(dropped).toEqual(['run8', 'run9', 'run10', 'run11']);
    expect(many.length - dropped.length).toBe(KEEP_AUTOMATIC);
  });

  test('is every run that is under way somewhere, however old, and it counts', () => {
    const dropped = toDrop(many, new Set(['run11']));
    expect(dropped).toEqual(['run7', 'run8', 'run9', 'run10']);
  });

  test('is out of sight once deleted, but not yet gone', () => {
    const [first, second] = [record('a', 1), record('b', 2, { deleted: true })];
    expect(visible([first, second]).map(({ id }) => id)).toEqual(['a']);
    expect(toDrop([first, second], new Set())).toEqual([]);
  });
});

describe('saving', () => {
  test('takes at most a hundredth of the time, whatever a save costs', () => {
    for (const cost of [0, 1, 5, 100, 2500]) {
      expect(cost / saveInterval(3, cost)).toBeLessThanOrEqual(0.01);
      expect(saveInterval(3, cost)).toBeGreaterThanOrEqual(3000);
    }
    expect(saveInterval(0, 5)).toBeLessThan(saveInterval(1, 5));
  });

  test('knows beforehand about how large a checkpoint is', () => {
    // Weights and the two moments of 124 million parameters in float32.
    expect(checkpointBytes(124_000_000, 0)).toBe(1_488_000_000);
  });
});
