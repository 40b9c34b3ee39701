/**
 * When to look at a run: at steps that depend on the step alone, so that two runs of the same
 * settings show the same samples and validation losses at the same steps.
 */

import type { Pace } from './trainer.ts';

/**
 * Steps a second at a step of a run that is held back. With all seconds given, the step grows with
 * the square of the time, so that half of the time goes to the first quarter of the steps.
 */
export function paceAt(
  pace: Pace,
  { step, steps }: { readonly step: number; readonly steps: number },
): number {
  return typeof pace === 'number' ? pace : (2 * Math.sqrt(steps * (step + 1))) / pace.seconds;
}

/** Whether the model writes a sample after `step` steps: often at first, when it changes most. */
export function isSampleStep(step: number): boolean {
  if (step <= 100) return step === 0 || step === 10 || step === 25 || step === 50 || step === 100;
  if (step <= 500) return step % 100 === 0;
  if (step <= 2000) return step % 250 === 0;
  // From here on about as often for each doubling, so that the longest run has some dozens more.
  let interval = 500;
  while (interval * 40 < step) interval *= 2;
  return step % interval === 0;
}

/** Steps between two validation losses: about fifty of them in the planned run, on round steps. */
export function validationInterval(steps: number): number {
  const rough = Math.max(1, steps / 50);
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * magnitude >= rough) ?? 10;
  return factor * magnitude;
}

/** Models of more weights are not asked about their text: it would hold training up for seconds. */
export const MOST_TRACED = 2 ** 24;
/** Tokens of the prompts of one part of the text, with what follows them. */
const PROMPTS_TOKENS = 32 * 16;
/** A training step computes this many times as much of a token as reading it does. */
const TRAINING_TIMES = 3;
/** The part of the time of training that the prompts may take. */
const PROMPTS_PART = 1 / 20;

/**
 * Steps between two looks at how much of its text a model continues: those between two validation
 * losses. Where the steps are so brief that this would take more than a twentieth of the time, it
 * is every second or fifth of them; no fewer, so that the briefest run has some too.
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
