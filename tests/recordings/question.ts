/**
 * The content of a recording: questions to a trainer, each with the trainer's state, and their
 * answers. Runs are bit-exact, so the answer does not depend on the way to that state.
 */
import type { ErrorFacts } from '../../web/engine/errors.ts';
import type { WantedRecipe } from '../../web/engine/options.ts';
import type { Purpose, RunState, Snapshot } from '../../web/engine/trainer.ts';
import { textOf } from './values.ts';

/** Files of a model by name: the SHA-256 of the bytes, or null for a missing file. */
export interface RecordedOrigin {
  readonly purpose: Purpose;
  readonly form?: string;
  readonly files: Readonly<Record<string, string | null>>;
  /** Further files named in `weights`, by SHA-256. */
  readonly parts?: Readonly<Record<string, string>>;
}

/** The state of a model: its origin and the step of its run. */
export interface ModelState {
  /** SHA-256 of the training text; null for a model without a text. */
  readonly text: string | null;
  readonly recipe: WantedRecipe | null;
  readonly origin: RecordedOrigin | null;
  /** Changed live options, in order. */
  readonly changes: readonly (readonly [step: number, option: string, value: number])[];
  /** -1: the initial step after `prepare`. */
  readonly step: number;
}

/** One call of a token-by-token generation, and the model at that time. */
export interface GenerationCall {
  readonly model: ModelState;
  readonly call: readonly [method: string, ...args: unknown[]];
}

export interface Question {
  /** SHA-256 of the trainer's text; null without a text. */
  readonly text: string | null;
  readonly model: ModelState | null;
  /** Arguments of the last call of `tensors`, which `tensor` refers to. */
  readonly listed?: readonly unknown[];
  /** All calls of the current generation; the last is this call. */
  readonly generation?: readonly GenerationCall[];
  /**
   * A method of Trainer; or `info`, the answer of `prepare`; or `history`, the joined snapshots
   * from step 0.
   */
  readonly call: readonly [method: string, ...args: unknown[]];
}

/** The joined snapshots of a run up to a step. */
export type History = Pick<
  Snapshot,
  | 'state'
  | 'step'
  | 'steps'
  | 'learningRate'
  | 'gradientNorm'
  | 'losses'
  | 'learningRates'
  | 'gradientNorms'
  | 'validations'
  | 'memorised'
  | 'samples'
  | 'error'
> & { readonly state: RunState };

export type Answer = { readonly value: unknown } | { readonly error: ErrorFacts };

/** Answers questions: from a recording, or from the engine. */
export interface Answers {
  /** Registers bytes that questions name by digest. */
  input(digest: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  ask(question: Question): Promise<Answer>;
}

/** The key of a question: equal for equal questions. */
export const keyOf = (question: Question): string => textOf(question);
