/** The numbers of a run's steps, as they are kept of some steps and taken in of every one. */
import type { RunHistory } from './trainer.ts';

/** The same numbers of each of some steps. */
export interface StepNumbers {
  losses: number[];
  learningRates: number[];
  gradientNorms: number[];
}

/** The numbers of the first `steps` steps of a history: NaN where only some of many were kept. */
export function everyStep(history: RunHistory, steps: number): StepNumbers {
  const { stride = 1, losses, learningRates, gradientNorms } = history;
  const spread = (kept: Float32Array): number[] => {
    if (stride === 1) return [...kept];
    // A file may claim any number of steps: the losses that it has say how many there can be.
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
