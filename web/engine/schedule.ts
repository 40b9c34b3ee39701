/**
 * Steps at which samples and measurements are made, and the speed of a slowed run. The steps depend
 * on settings, never on time, so that runs with the same settings show samples at the same steps.
 */

import type { Pace } from './trainer.ts';

/**
 * Target speed in steps per second of a slowed run. For a total time, the step grows with the
 * square of the time: half of it goes to the first quarter of the steps.
 */
export function paceAt(
  pace: Pace,
  { step, steps }: { readonly step: number; readonly steps: number },
): number {
  return typeof pace === 'number' ? pace : (2 * Math.sqrt(steps * (step + 1))) / pace.seconds;
}

/** Whether the model writes a sample after `step` steps; dense at first, when it changes most. */
export function isSampleStep(step: number): boolean {
  if (step <= 100) return step === 0 || step === 10 || step === 25 || step === 50 || step === 100;
  if (step <= 500) return step % 100 === 0;
  if (step <= 2000) return step % 250 === 0;
  // Later, each doubling of the steps has equally many, so that long runs have only dozens more.
  let interval = 500;
  while (interval * 40 < step) interval *= 2;
  return step % interval === 0;
}

/** Steps between validation losses: a round number, for 20 to 50 losses in the planned run. */
export function validationInterval(steps: number): number {
  const rough = Math.max(1, steps / 50);
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * magnitude >= rough) ?? 10;
  return factor * magnitude;
}

/** Maximum parameters for measuring memorisation, which would pause larger models for seconds. */
export const MOST_TRACED = 2 ** 24;
/** Tokens of all prompts and continuations of one text, training or held-out: memorising.h. */
const PROMPTS_TOKENS = 32 * 16;
/** Training on a token costs this many times a forward pass. */
const TRAINING_TIMES = 3;
/** Share of training time that the measurement may take. */
const PROMPTS_PART = 1 / 20;

/**
 * Steps between memorisation measurements: the validation interval, or two or five times it if the
 * measurement would exceed PROMPTS_PART of the time. Never longer, so that short runs have some.
 */
export function memorisingInterval(run: {
  readonly steps: number;
  readonly tokensPerStep: number;
  readonly hasValidation: boolean;
}): number {
  const interval = validationInterval(run.steps);
  const tokens = run.hasValidation ? 2 * PROMPTS_TOKENS : PROMPTS_TOKENS;
  const part = tokens / (TRAINING_TIMES * run.tokensPerStep * interval);
  return interval * ([1, 2].find((times) => part <= times * PROMPTS_PART) ?? 5);
}
