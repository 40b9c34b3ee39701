/** Expands a stored history, which may have every n-th step only, to one number per step. */
import type { RunHistory } from './trainer.ts';

/** Columns of per-step numbers. */
export interface StepNumbers {
  losses: number[];
  learningRates: number[];
  gradientNorms: number[];
}

/** The numbers of the first `steps` steps; NaN for steps that were not stored. */
export function everyStep(history: RunHistory, steps: number): StepNumbers {
  const { stride = 1, losses, learningRates, gradientNorms } = history;
  const spread = (kept: Float32Array): number[] => {
    if (stride === 1) return [...kept];
    // A file may claim any number of steps: the stored losses bound them.
    const all = new Array<number>(Math.min(steps, kept.length * stride)).fill(NaN);
    for (const [index, value] of kept.entries()) all[index * stride] = value;
    return all;
  };
  return {
    losses: spread(losses),
    learningRates: spread(learningRates),
    gradientNorms: spread(gradientNorms),
  };
}
