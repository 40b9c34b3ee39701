/** Trainers of a small model on a small text, for tests of their snapshots. */
import { afterEach } from 'vitest';
import { DirectTrainer } from '../../web/engine/direct.ts';
import type {
  GenerationState,
  MemorisedPoint,
  Snapshot,
  ValidationPoint,
} from '../../web/engine/trainer.ts';
import { eventually } from '../wait.ts';
import { engineBytes } from './load-engine.ts';

export const encode = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(new TextEncoder().encode(text));
export const small = { layers: 2, heads: 2, channels: 16, context: 12, batch: 2, steps: 1000 };
export const names = 'anna\nbella\nhanna\nalba\nnora\nleonora\n';
export const prose = 'the cat sat on the mat and the rat sat on that cat\n'.repeat(6);

const open: DirectTrainer[] = [];

/** Closes the trainers after each test. */
export function useTrainers(): typeof begin {
  afterEach(() => {
    for (const trainer of open.splice(0)) trainer.close();
  });
  return begin;
}

/** Creates a trainer for `text`, and collects all numbers of its snapshots. */
async function begin(preset: string, text: string, changes: Record<string, number> = {}) {
  const trainer = new DirectTrainer(engineBytes());
  open.push(trainer);
  const seen = {
    ...{ losses: [] as number[], rates: [] as number[], norms: [] as number[] },
    validations: [] as ValidationPoint[],
    memorised: [] as MemorisedPoint[],
  };
  let last: Snapshot | null = null;
  trainer.subscribe((snapshot) => {
    if (last?.run !== snapshot.run) for (const list of Object.values(seen)) list.length = 0;
    last = snapshot;
    seen.losses.push(...snapshot.losses);
    seen.rates.push(...snapshot.learningRates);
    seen.norms.push(...snapshot.gradientNorms);
    seen.validations.push(...snapshot.validations);
    seen.memorised.push(...snapshot.memorised);
  });
  await trainer.setText(encode(text));
  const info = await trainer.prepare({ preset, changes: { ...small, ...changes } });
  const train = async (steps: number): Promise<void> => {
    for (let step = 0; step < steps; step++) await trainer.step();
    await eventually(
      () => Promise.resolve(seen.losses.length),
      (count) => count >= steps,
    );
  };
  return { trainer, seen, info, train };
}

export const plain = { temperature: 1, topK: 0, topP: 1, seed: 7 };
export const drawn = (state: GenerationState): number => state.token?.id ?? NaN;
