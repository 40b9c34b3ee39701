/** Which saved runs stay, and how often one is saved. */
import { describe, expect, test } from 'vitest';
import { KEEP_AUTOMATIC, toDrop, visible } from '../web/app/runs/run-record.ts';
import type { RunRecord } from '../web/app/runs/run-record.ts';
import { checkpointBytes, saveInterval } from '../web/app/runs/save-pace.ts';

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
    // Weights and two running means of 124 million parameters in single floats.
    expect(checkpointBytes(124_000_000, 0)).toBe(1_488_000_000);
  });
});
