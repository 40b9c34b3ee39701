/**
 * Head statistics before training: known for randomly initialised models, unknown for models from a
 * file.
 */
import { expect, it } from 'vitest';
import { failure } from '../web/engine/errors.ts';
import { RunData } from '../web/store/training/run-data.ts';
import { untrainedHeads } from '../web/store/training/untrained-heads.ts';
import type { AskedSession } from '../web/store/training/untrained-heads.ts';
import type { Attention } from '../web/engine/trainer.ts';

const attention: Attention = {
  step: 0,
  tokens: ['a', 'b'].map((text, id) => ({ id, text, kind: 'text', hex: '' })),
  layers: 1,
  heads: 1,
  weights: new Float32Array([1, 0, 0.25, 0.75]),
  omitted: 0,
};

const session = (purpose: 'train' | 'resume' | null): AskedSession => ({
  current: { model: purpose === null ? null : { purpose } },
  trainer: { untrainedHeads: () => Promise.resolve(null) },
});

function runAtStart(): RunData {
  const run = new RunData(1);
  run.attention = attention;
  run.attentions.add(attention);
  return run;
}

const nothing = (): void => undefined;

it('are those of the first probe, where the model came from chance', () => {
  const heads = untrainedHeads(session(null), runAtStart(), nothing);
  expect(heads).toMatchObject([{ previous: { value: 0.25 } }]);
});

it('are not known of a model from a file', () => {
  expect(untrainedHeads(session('train'), runAtStart(), nothing)).toBe('unknown');
});

it('are asked for again where the engine was between two models', async () => {
  const run = new RunData(2);
  run.attention = { ...attention, step: 3 };
  let asked = 0;
  const answers = [
    () => Promise.reject(failure('state', 'there is no model yet')),
    () => Promise.resolve([]),
  ];
  const untrained = (): Promise<never[]> => answers[asked++]!();
  const one: AskedSession = { ...session(null), trainer: { untrainedHeads: untrained } };
  const heads = () => untrainedHeads(one, run, nothing);
  expect(heads()).toBe('awaited');
  await expect.poll(heads).toEqual([]);
  expect(asked).toBe(2);
});
