/** Calls that plan and train a run, and the reports about it. */
import type { ErrorFacts } from '../errors.ts';
import type { OptionTable, Recipe, WantedRecipe } from '../options.ts';
import type { CallTable } from './call.ts';
import type { Origin } from './files.ts';
import type { Attention } from './inside.ts';

/** Steps per second, 0 for full speed; or the minimum duration of the whole run. */
export type Pace = number | { readonly seconds: number };

/** Facts of a recipe on a text, known before the model is allocated. */
export interface Plan {
  readonly vocab: number;
  readonly tokens: number;
  /** Whether part of the text is held out, so that validation losses exist. */
  readonly hasValidation: boolean;
  /** Number of documents; 0 if the text is one stream. */
  readonly documents: number;
  readonly cutDocuments: number;
  readonly cutTokens: number;
  readonly invalidBytes: number;
  readonly parameters: number;
  /** ln V: the loss of guessing uniformly. */
  readonly randomLoss: number;
  readonly totalBytes: number;
  readonly limitBytes: number;
  readonly tokensPerStep: number;
  /** Maximum size of the index of the text, in addition to `totalBytes`; built on demand. */
  readonly indexBytes: number;
}

/** A recipe that suits a text. */
export interface Fit {
  readonly recipe: Recipe;
  /** Kind of text, such as "prose", "list" or "chat": c/fit/fit.h. */
  readonly kind: string;
  /** Reasons for the recipe: codes of c/fit/fit.h with their numbers. */
  readonly reasons: readonly { readonly code: string; readonly values: readonly number[] }[];
  /** Version of the rules. */
  readonly version: number;
  /** Code points, and non-empty lines. */
  readonly characters: number;
  readonly lines: number;
}

export type RunState = 'none' | 'ready' | 'running' | 'paused' | 'finished' | 'diverged';

/** Facts of a model just made or read. */
export interface RunInfo {
  readonly run: number;
  /** 0 unless the model comes from a file. */
  readonly step: number;
  readonly steps: number;
  readonly context: number;
  /** Whether sequences are documents that begin with BOS. */
  readonly documents: boolean;
  readonly hasValidation: boolean;
  readonly memoryBytes: number;
  /** False if the model only generates. */
  readonly trains: boolean;
  /** Number of BPE merges; 0 for other tokenizers. */
  readonly merges: number;
  /** Tokens per character of the training text; NaN if there is no text. See bitsPerCharacter. */
  readonly trainTokensPerCharacter: number;
  /** Tokens per character of the held-out text; NaN if nothing is held out. */
  readonly validationTokensPerCharacter: number;
  /**
   * The first kilobytes of the held-out text; empty if nothing is held out. Documents are lines, in
   * shuffled order.
   */
  readonly heldOutText: string;
  readonly prompts: Prompts;
}

/** The prompts behind MemorisedPoint: the same at each step, drawn with the seed of the run. */
export interface Prompts {
  /** Number of prompts from the training and the held-out text; 0 if a text has no prompts. */
  readonly train: number;
  readonly heldOut: number;
  /**
   * Maximum length of a prompt, and of its continuation. A document is split in the middle, and its
   * continuation includes its end.
   */
  readonly tokens: number;
}

/** Texts that the model wrote at one step. */
export interface StepSample {
  readonly step: number;
  readonly texts: readonly string[];
  /**
   * Indices of the documents that were cut off for lack of room. Absent in runs saved before it was
   * recorded.
   */
  readonly cut?: readonly number[];
}

export interface ValidationPoint {
  readonly step: number;
  readonly loss: number;
}

/**
 * Memorisation: share (0 to 1) of prompts from each part of the text whose greedy continuation
 * equals the text. NaN if a part has no prompts.
 */
export interface MemorisedPoint {
  readonly step: number;
  readonly train: number;
  readonly heldOut: number;
}

/** The numbers and texts of a run so far; fields as in Snapshot. */
export interface RunHistory {
  /** Distance between the steps of the numbers below, from step 1; 1 by default. */
  readonly stride?: number;
  readonly losses: Float32Array<ArrayBuffer>;
  readonly learningRates: Float32Array<ArrayBuffer>;
  readonly gradientNorms: Float32Array<ArrayBuffer>;
  readonly validations: readonly ValidationPoint[];
  /** Absent in runs saved before it was recorded. */
  readonly memorised?: readonly MemorisedPoint[];
  readonly samples: readonly StepSample[];
}

/** A saved run; all fields belong to the same step. */
export interface Checkpoint {
  /** Resumes the run; see `save`. */
  readonly file: Blob;
  /** Not in the file; pass it as `Origin.history`. */
  readonly history: RunHistory;
  readonly run: number;
  readonly state: RunState;
  readonly step: number;
  readonly steps: number;
  /** Milliseconds that saving paused training. */
  readonly cost: number;
}

/** A progress report: everything since the previous report, and the present state. */
export interface Snapshot {
  /** Number of the run: counts models and rewinds, so a lower number is an earlier run. */
  readonly run: number;
  readonly state: RunState;
  readonly step: number;
  readonly steps: number;
  /** Threads in use, including the main one. */
  readonly threads: number;
  readonly tokensPerSecond: number;
  readonly stepsPerSecond: number;
  readonly learningRate: number;
  readonly gradientNorm: number;
  /** Losses of the steps from `lossesFrom + 1` on. */
  readonly lossesFrom: number;
  readonly losses: Float64Array<ArrayBuffer>;
  /**
   * Learning rate and gradient norm (before clipping, over all parameters) of the same steps; NaN
   * for steps of a resumed run that `Origin.history` lacks.
   */
  readonly learningRates: Float64Array<ArrayBuffer>;
  readonly gradientNorms: Float64Array<ArrayBuffer>;
  readonly validations: readonly ValidationPoint[];
  /** Empty for models too large to measure quickly; see memorisingInterval. */
  readonly memorised: readonly MemorisedPoint[];
  readonly samples: readonly StepSample[];
  /** Attention requested by `watch`, ascending by step. */
  readonly attentions: readonly Attention[];
  /** Errors of the attention probe and of the run, or null. */
  readonly attentionError: ErrorFacts | null;
  readonly error: ErrorFacts | null;
}

/** Optional content of the reports; anything else is neither computed nor sent. */
export interface Watch {
  /**
   * Attention on a text at the steps of samples and, if `live`, several times a second; null for
   * none.
   */
  readonly attention: {
    readonly text: string;
    readonly maxTokens: number;
    readonly live: boolean;
  } | null;
  /** Texts written at chosen steps; null for none. */
  readonly samples: { readonly count: number; readonly maxTokens: number } | null;
  /**
   * Steps between validation losses, 0 for none; by default 20 to 50 in the planned run. They do
   * not touch training: the run and its receipt stay the same.
   */
  readonly validations?: number;
}

/** Texts, plans and runs. */
export interface Training {
  /** The table of options. */
  options(): Promise<OptionTable>;
  /** Sets the training text. Bytes are transferred: the caller's view may be empty afterwards. */
  setText(text: Uint8Array<ArrayBuffer> | string): Promise<void>;
  /** Plans `recipe` on the current text, or the model in a file. */
  plan(recipe: WantedRecipe | null, origin?: Origin): Promise<Plan>;
  /**
   * The recipe that suits the current text, by the rules of `version` (the newest by default);
   * depends on nothing else.
   */
  fit(version?: number): Promise<Fit>;
  /**
   * Replaces the model by a new one at step 0, or by one from a file. If that fails, the old model
   * stays, unless it was freed first to make room (the error then has `dropped`).
   */
  prepare(recipe: WantedRecipe | null, origin?: Origin): Promise<RunInfo>;
  /** Starts training until paused, finished, diverged or at step `until`; resolves at once. */
  start(until?: number): Promise<void>;
  pause(): Promise<void>;
  /** Trains one step and stays paused. */
  step(): Promise<void>;
  /**
   * Returns to step 0 with the same initial weights and data order; does not start training.
   * Returns the number of the new run; see Snapshot.
   */
  rewind(): Promise<number>;
  /**
   * Slows training down for watching: to a number of steps per second (0: full speed), or to a
   * minimum duration of the run, whose first steps then take longest.
   */
  pace(pace: Pace): Promise<void>;
  /**
   * Pauses training for `milliseconds` (at most 500) from the next step on, so that the caller can
   * draw with all cores. Results do not change.
   */
  rest(milliseconds: number): Promise<void>;
  /** Changes an option that may change during a run. */
  set(option: string, value: number): Promise<void>;
  /** Sets the optional content of reports from now on. */
  watch(watch: Watch): Promise<void>;
  /** Calls `listener` with each report; the returned function unsubscribes. */
  subscribe(listener: (snapshot: Snapshot) => void): () => void;
}

export const TRAINING = {
  options: { args: [] },
  setText: { args: ['text: bytes'], moves: 'arguments' },
  plan: { args: ['recipe: recipe', 'origin?: origin'] },
  fit: { args: ['version?: count'] },
  prepare: { args: ['recipe: recipe', 'origin?: origin'] },
  start: { args: ['until?: count'] },
  pause: { args: [] },
  step: { args: [] },
  rewind: { args: [] },
  pace: { args: ['pace: pace'] },
  rest: { args: ['milliseconds: number'] },
  set: { args: ['option: text', 'value: number'] },
  watch: { args: ['watch: watch'] },
} satisfies CallTable<Training>;
