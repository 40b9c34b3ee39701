/**
 * Sampling parameters and their limits, shared by the fields of the page, the library and the
 * engine's argument checks.
 */

export interface Limits {
  readonly min: number;
  readonly max: number;
  readonly whole: boolean;
}

/** The same limits as in c/api/gpt_sampling.c; a test compares the two files. */
export const SAMPLING_LIMITS = {
  temperature: { min: 0, max: 100, whole: false },
  topK: { min: 0, max: 65_536, whole: true },
  topP: { min: 1e-6, max: 1, whole: false },
  maxTokens: { min: 1, max: 65_536, whole: true },
  seed: { min: 0, max: Number.MAX_SAFE_INTEGER, whole: true },
} as const satisfies Readonly<Record<string, Limits>>;

export type SamplingName = keyof typeof SAMPLING_LIMITS;

/** Whether `value` is valid for the parameter `name`. */
export function fitsSampling(name: SamplingName, value: number): boolean {
  const { min, max, whole } = SAMPLING_LIMITS[name];
  return value >= min && value <= max && (!whole || Number.isInteger(value));
}

/** A prompt and the sampling parameters to continue it with. */
export interface PromptRequest {
  readonly prompt: string;
  readonly temperature: number;
  readonly topK: number;
  readonly topP: number;
  readonly maxTokens: number;
  readonly seed: number;
}
