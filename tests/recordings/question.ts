/**
 * What a recording consists of: questions to a trainer, each with the state in which it is asked,
 * and their answers. Runs are bit-exact, so a question has one answer, however its state was
 * reached.
 */
import type { ErrorFacts } from '../../web/engine/errors.ts';
import type { WantedRecipe } from '../../web/engine/options.ts';
import type { Purpose, RunState, Snapshot } from '../../web/engine/trainer.ts';
import { textOf } from './values.ts';

/** Files of a model by name: the SHA-256 of the bytes, or null for a file that is missing. */
export interface RecordedOrigin {
  readonly purpose: Purpose;
  readonly form?: string;
  readonly files: Readonly<Record<string, string | null>>;
  /** Files that `weights` may name, likewise. */
  readonly parts?: Readonly<Record<string, string>>;
}

/** A model: how it was made, and where its run is. */
export interface ModelState {
  /** SHA-256 of the training text; null for a model that has no text. */
  readonly text: string | null;
  readonly recipe: WantedRecipe | null;
  readonly origin: RecordedOrigin | null;
  /** Live options that were set, in order. */
  readonly changes: readonly (readonly [step: number, option: string, value: number])[];
  /** -1: the step at which `prepare` leaves it. */
  readonly step: number;
}

/** One call of a text that is written token by token, and the model at that moment. */
export interface GenerationCall {
  readonly model: ModelState;
  readonly call: readonly [method: string, ...args: unknown[]];
}

export interface Question {
  /** SHA-256 of the text that the trainer holds. */
  readonly text: string | null;
  readonly model: ModelState | null;
  /** Arguments of the last call of `tensors`, which `tensor` reads from. */
  readonly listed?: readonly unknown[];
  /** All calls of the text being written, this one last. */
  readonly generation?: readonly GenerationCall[];
  /**
   * A method of Trainer; or `info`, what `prepare` answers, or `history`, what snapshots have told
   * from step 0 on.
   */
  readonly call: readonly [method: string, ...args: unknown[]];
}

/** What snapshots tell of a run up to a step. */
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
  /** Makes bytes known that questions name by their digest. */
  input(digest: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  ask(question: Question): Promise<Answer>;
}

/** The key of a question: equal for equal questions. */
export const keyOf = (question: Question): string => textOf(question);
