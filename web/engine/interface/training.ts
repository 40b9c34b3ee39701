/** What a trainer tells of a run: its plan, its numbers, where it is. */
import type { ErrorFacts } from '../errors.ts';
import type { OptionTable, Recipe, WantedRecipe } from '../options.ts';
import type { CallTable } from './call.ts';
import type { Origin } from './files.ts';
import type { Attention } from './inside.ts';

/** Steps a second, 0 for full speed; or the least seconds for all of a run. */
export type Pace = number | { readonly seconds: number };

/** What a recipe would make of the text, known before any memory of the model is taken. */
export interface Plan {
  readonly vocab: number;
  readonly tokens: number;
  /** Whether part of the text is held out, so that there will be validation losses. */
  readonly hasValidation: boolean;
  /** 0 when the text is one stream. */
  readonly documents: number;
  readonly cutDocuments: number;
  readonly cutTokens: number;
  readonly invalidBytes: number;
  readonly parameters: number;
  /** ln V: the loss of guessing every token with the same probability. */
  readonly randomLoss: number;
  readonly totalBytes: number;
  readonly limitBytes: number;
  readonly tokensPerStep: number;
  /** What an index of the text takes at most, beside all that, once somebody asks of it. */
  readonly indexBytes: number;
}

/** A recipe that suits a text. */
export interface Fit {
  readonly recipe: Recipe;
  /** What kind of text it was taken for: "prose", "list", "chat"...; see c/fit/fit.h. */
  readonly kind: string;
  /** Why the recipe is as it is: codes of c/fit/fit.h, each with its numbers. */
  readonly reasons: readonly { readonly code: string; readonly values: readonly number[] }[];
  /** Code points, and lines that are not empty. */
  readonly characters: number;
  readonly lines: number;
}

export type RunState = 'none' | 'ready' | 'running' | 'paused' | 'finished' | 'diverged';

/** What a model that was made or read is. */
export interface RunInfo {
  readonly run: number;
  /** 0 but for models from files. */
  readonly step: number;
  readonly steps: number;
  readonly context: number;
  /** Whether sequences are documents that begin with BOS. */
  readonly documents: boolean;
  readonly hasValidation: boolean;
  readonly memoryBytes: number;
  /** False when it was opened to write only. */
  readonly trains: boolean;
  /** Of its BPE; 0 for other tokenizers. */
  readonly merges: number;
  /** Of the text to learn; NaN without one. See bitsPerCharacter. */
  readonly trainTokensPerCharacter: number;
  /** Of what is held out; NaN when nothing is. */
  readonly validationTokensPerCharacter: number;
  /**
   * The held-out text from its beginning, some kilobytes at most; empty when nothing is held out.
   * Documents are lines, in the order in which they were drawn.
   */
  readonly heldOutText: string;
  readonly prompts: Prompts;
}

/** What a MemorisedPoint is of: at each step the same prompts, drawn by the seed of the run. */
export interface Prompts {
  /** How many are drawn of either part of the text; 0 where a part has none. */
  readonly train: number;
  readonly heldOut: number;
  /**
   * Tokens of a prompt, and of what must follow it. Of documents at most that many: the first half
   * is the prompt, and the second must follow with the document's end.
   */
  readonly tokens: number;
}

/** Texts that the model wrote at one step. */
export interface StepSample {
  readonly step: number;
  readonly texts: readonly string[];
  /**
   * Which documents among them, from 0, the model did not end: there was no room for more of them.
   * Runs that were saved earlier do not say.
   */
  readonly cut?: readonly number[];
}

export interface ValidationPoint {
  readonly step: number;
  readonly loss: number;
}

/**
 * How much of its text a model continues word for word: of the prompts from a part of the text, the
 * share, from 0 to 1, after which always taking the most probable token gives exactly what follows
 * there. NaN where that part has no prompts.
 */
export interface MemorisedPoint {
  readonly step: number;
  readonly train: number;
  readonly heldOut: number;
}

/** What a run has shown from its first step on; see Snapshot for what each is. */
export interface RunHistory {
  /** Steps from one of the numbers below to the next, the first being of step 1; 1 unless said. */
  readonly stride?: number;
  readonly losses: Float32Array<ArrayBuffer>;
  readonly learningRates: Float32Array<ArrayBuffer>;
  readonly gradientNorms: Float32Array<ArrayBuffer>;
  readonly validations: readonly ValidationPoint[];
  /** Runs that were saved before it was measured have none. */
  readonly memorised?: readonly MemorisedPoint[];
  readonly samples: readonly StepSample[];
}

/** A run as it was at one moment: everything in it belongs to the same step. */
export interface Checkpoint {
  /** Goes on where it stopped; see `save`. */
  readonly file: Blob;
  /** Not in the file; `Origin.history` takes it back. */
  readonly history: RunHistory;
  readonly run: number;
  readonly state: RunState;
  readonly step: number;
  readonly steps: number;
  /** Milliseconds that training stood still for it. */
  readonly cost: number;
}

/** What has happened since the last snapshot, and where the run is now. */
export interface Snapshot {
  /** Counts models and rewinds; what carries an older number is of another run. */
  readonly run: number;
  readonly state: RunState;
  readonly step: number;
  readonly steps: number;
  /** That compute now, the one that leads them included. */
  readonly threads: number;
  readonly tokensPerSecond: number;
  readonly stepsPerSecond: number;
  readonly learningRate: number;
  readonly gradientNorm: number;
  /** Losses of the steps after `lossesFrom`: the first is that of step `lossesFrom + 1`. */
  readonly lossesFrom: number;
  readonly losses: Float64Array<ArrayBuffer>;
  /**
   * The learning rate of the same steps, and the length of the gradient over all parameters before
   * any clipping (the engine computes it in every step). NaN for steps that a file brought along.
   */
  readonly learningRates: Float64Array<ArrayBuffer>;
  readonly gradientNorms: Float64Array<ArrayBuffer>;
  readonly validations: readonly ValidationPoint[];
  /** None of models of more weights than are quickly asked; see memorisingInterval. */
  readonly memorised: readonly MemorisedPoint[];
  readonly samples: readonly StepSample[];
  /** Those that were asked for and are newer than the last snapshot, in order of their steps. */
  readonly attentions: readonly Attention[];
  /** Why the probe gave nothing, or why the run stopped. */
  readonly attentionError: ErrorFacts | null;
  readonly error: ErrorFacts | null;
}

/** What the views want to see; nothing else is computed or sent. */
export interface Watch {
  /**
   * Attention on this text, null for none: at the steps of samples and, if `live`, a few times a
   * second besides.
   */
  readonly attention: {
    readonly text: string;
    readonly maxTokens: number;
    readonly live: boolean;
  } | null;
  /** Texts written at chosen steps; null for none. */
  readonly samples: { readonly count: number; readonly maxTokens: number } | null;
}

/** Texts, plans and runs. */
export interface Training {
  /** The options that recipes are made of. */
  options(): Promise<OptionTable>;
  /** Holds the text to learn. Takes bytes over: the caller's view may be empty after. */
  setText(text: Uint8Array<ArrayBuffer> | string): Promise<void>;
  /** What `recipe` would make of the text held now, or of the model in a file. */
  plan(recipe: WantedRecipe | null, origin?: Origin): Promise<Plan>;
  /** The recipe that suits the text held now, and why; a matter of the text alone. */
  fit(): Promise<Fit>;
  /**
   * A fresh model at step 0, or the one in a file; replaces the model there was. When it fails,
   * that one stays (unless there was no room for both, and the file could then not be read to its
   * end).
   */
  prepare(recipe: WantedRecipe | null, origin?: Origin): Promise<RunInfo>;
  /** Trains until paused, finished or diverged, or at step `until`; answers at once. */
  start(until?: number): Promise<void>;
  pause(): Promise<void>;
  /** Trains one step and stays paused. */
  step(): Promise<void>;
  /**
   * Back to step 0 with the same initial weights and the same order of the data; stays paused.
   * Answers the number of the run that begins there; see Snapshot.
   */
  rewind(): Promise<number>;
  /**
   * Holds training back, to be watched: to this many steps a second, 0 for full speed; or so that
   * a run takes at least that many seconds in all, and its first steps take longest.
   */
  pace(pace: Pace): Promise<void>;
  /**
   * Lets training rest for this many milliseconds, 500 at most, from the next step on: a caller
   * with much to draw has the machine's cores to itself meanwhile. What is computed does not
   * change.
   */
  rest(milliseconds: number): Promise<void>;
  /** Changes an option that may change during a run. */
  set(option: string, value: number): Promise<void>;
  /** Sets what snapshots hold from now on. */
  watch(watch: Watch): Promise<void>;
  /** Calls `listener` with each snapshot until the function it returns is called. */
  subscribe(listener: (snapshot: Snapshot) => void): () => void;
}

export const TRAINING = {
  options: { args: [] },
  setText: { args: ['text: bytes'], moves: 'arguments' },
  plan: { args: ['recipe: recipe', 'origin?: origin'] },
  fit: { args: [] },
  prepare: { args: ['recipe: recipe', 'origin?: origin'] },
  start: { args: ['until?: count'] },
  pause: { args: [] },
  step: { args: [] },
  rewind: { args: [] },
  pace: { args: ['pace: pace'] },
  rest: { args: ['milliseconds: number'] },
  set: { args: ['option: text', 'value: number'] },
  watch: { args: ['watch: object'] },
} satisfies CallTable<Training>;
