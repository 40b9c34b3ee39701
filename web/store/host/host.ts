/**
 * The interface of an app for its host: the page around an element or frame, or a notebook. The
 * table HOST lists its calls; from it are made the element's methods, the answers to messages, the
 * schema of the messages, and the reference in the documentation. A command has the same effect as
 * its button. A question has the same name, arguments and answer as in the library.
 */
import type { ErrorFacts } from '../../engine/errors.ts';
import { FILES, RECEIPTS } from '../../engine/interface/files.ts';
import type { FileSource, SaveForm } from '../../engine/interface/files.ts';
import { INSPECTION } from '../../engine/interface/inside.ts';
import { TRACING } from '../../engine/interface/tracing.ts';
import { TRAINING } from '../../engine/interface/training.ts';
import { WRITING } from '../../engine/interface/writing.ts';
import type { Call } from '../../engine/interface/call.ts';
import type { Finding } from '../../engine/receipt.ts';
import type { Trainer } from '../../engine/trainer.ts';

/** State of the run bar. */
export type RunBarState =
  'loading' | 'blocked' | 'ready' | 'running' | 'paused' | 'finished' | 'diverged';

/** Status of an app's run. */
export interface Status {
  readonly state: RunBarState;
  /** Steps done and planned. */
  readonly step: number;
  readonly steps: number;
  /** Loss of the last step in nats per token, unrounded; null before step 1. */
  readonly loss: number | null;
  /** Loss with default smoothing, independent of the reader's choice; null before step 1. */
  readonly smoothedLoss: number | null;
  /** Newest validation loss in nats per token; null before the first. */
  readonly validationLoss: number | null;
  readonly preset: string;
  /** Thread of the engine: a worker, or the page's own. */
  readonly place: 'worker' | 'page';
  readonly error: ErrorFacts | null;
}

/** Commands that act at once, as buttons do. */
export interface Remote {
  readonly status: () => Status;
  /**
   * Stored losses in nats per token, from step 1; a long run stores only every second, fourth, …
   * step.
   */
  readonly losses: () => readonly number[];
  /** Starts training until paused, finished, diverged or at step `until`. */
  readonly start: (until?: number) => void;
  readonly pause: () => void;
  readonly step: () => void;
  readonly rewind: () => void;
  /**
   * Sets the training text. Unlike a pasted text, it changes no settings unless `fit` asks for
   * that.
   */
  readonly setText: (text: string) => void;
  readonly setPreset: (preset: string) => void;
  /** Sets an option of the recipe by name. */
  readonly setOption: (name: string, value: number) => void;
  /** Opens a tab, by the id of its panel. */
  readonly setView: (tab: string) => void;
  /**
   * Calls `listener` whenever the status may have changed; returns the function that unsubscribes
   * it.
   */
  readonly subscribe: (listener: (status: Status) => void) => () => void;
}

/** Calls of the trainer that a host can make, of the model of any step. */
type ModelQuestion =
  'sample' | 'probe' | 'analyse' | 'tensors' | 'tensor' | 'trace' | 'yardsticks' | 'receipt';

/** Calls of the trainer that a host can make, of text, recipe and files. */
type OtherQuestion =
  | 'options'
  | 'plan'
  | 'fit'
  | 'architecture'
  | 'vocabulary'
  | 'merges'
  | 'inspect'
  | 'convert'
  | 'measure';

/** The model of one step. */
export interface HostModel extends Pick<Trainer, ModelQuestion> {
  /** Saves the model; see Files. `run` is the whole run with its text, of the newest step. */
  save(form: SaveForm | 'run', note?: string): Promise<Blob>;
}

export interface AskOptions {
  /** Ends the wait: the call then rejects with `cancelled`. `train` also pauses the run. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of `ask`. */
export interface Asked extends AskOptions {
  /** The step of the model that is asked; by default the newest. */
  readonly at?: number | undefined;
  /** Receives the progress of calls that have such an argument, if it is left out. */
  readonly onProgress?: ((value: unknown) => void) | undefined;
}

/** Calls that are answered later. */
export interface Questions extends HostModel, Pick<Trainer, OtherQuestion> {
  /**
   * Trains to step `until`, by default to the end, and resolves there. Rejects with `paused` if the
   * run is paused before, `diverged` if the loss diverges, or the reason why it cannot start.
   */
  train(until?: number, options?: AskOptions): Promise<Status>;
  /** Replays a receipt, by default on the app's text; see Receipts. */
  verify(
    json: string,
    text?: Uint8Array<ArrayBuffer> | string | readonly Uint8Array<ArrayBuffer>[],
    onProgress?: (finding: Finding) => void,
  ): Promise<Finding>;
  /**
   * Trains on from `step` with new values of options that may change during a run; on the newest
   * text if that is not the run's.
   */
  fork(step: number, changes?: Readonly<Record<string, number>>): Promise<void>;
  /** Opens a file as the reader would: a text, a model, a whole run. */
  open(file: FileSource, name?: string): Promise<void>;
  /** Moves the slider to `step`; by default to the newest. */
  lookAt(step?: number): Promise<void>;
}

/** An app as its host sees it. */
export interface Host extends Remote {
  /** Makes one of `Questions`. */
  readonly ask: (name: string, args: readonly unknown[], asked?: Asked) => Promise<unknown>;
}

/** A running app. */
export interface App extends Host {
  /** Stops the engine and removes the app from the page. */
  readonly destroy: () => void;
}

/** Commands, which act at once. */
export const COMMANDS = {
  status: { args: [] },
  losses: { args: [] },
  start: { args: ['until?: count'] },
  pause: { args: [] },
  step: { args: [] },
  rewind: { args: [] },
  setText: { args: ['text: text'] },
  setPreset: { args: ['preset: text'] },
  setOption: { args: ['name: text', 'value: number'] },
  setView: { args: ['tab: text'] },
} satisfies Record<keyof Omit<Remote, 'subscribe'>, Call>;

const { sample } = WRITING;
const { probe, analyse, tensors, tensor, architecture, vocabulary, merges } = INSPECTION;
const { save, convert, measure, inspect } = FILES;
const { options, plan, fit } = TRAINING;
// Both depend on the text alone, so that the answer is the same at any step.
const trace = { ...TRACING.trace, atAnyStep: true as const };
const yardsticks = { ...TRACING.yardsticks, atAnyStep: true as const };

/** Calls that are answered later. */
export const QUESTIONS = {
  train: { args: ['until?: count'] },
  ...{ sample, probe, analyse, tensors, tensor, receipt: RECEIPTS.receipt, save },
  verify: { args: ['json: text', 'text?: bytes', 'onProgress?: progress'] },
  ...{ convert, measure, inspect, trace, yardsticks },
  ...{ options, plan, fit, architecture, vocabulary, merges },
  fork: { args: ['step: whole', 'changes?: object'] },
  open: { args: ['file: file', 'name?: text'] },
  lookAt: { args: ['step?: whole'] },
} satisfies Record<keyof Questions, Call>;

/** All calls of a host, beside `subscribe`. */
export const HOST: Readonly<Record<keyof typeof COMMANDS | keyof typeof QUESTIONS, Call>> = {
  ...COMMANDS,
  ...QUESTIONS,
};

/** Makes a call; its options, of type AskOptions, follow its arguments. */
export function callBy(
  ask: Host['ask'],
  name: keyof typeof QUESTIONS,
  args: readonly unknown[],
  of: Asked = {},
): Promise<unknown> {
  const { length } = QUESTIONS[name].args;
  return ask(name, args.slice(0, length), { ...of, ...(args[length] as AskOptions | undefined) });
}

/** The questions to the model of step `of.at` as methods. */
export function modelBy(ask: Host['ask'], of: Asked): HostModel {
  const names = (Object.entries(QUESTIONS) as [keyof typeof QUESTIONS, Call][]).flatMap(
    ([name, { atAnyStep }]) => (atAnyStep === true ? [name] : []),
  );
  const methods = names.map((name) => [
    name,
    (...args: readonly unknown[]) => callBy(ask, name, args, of),
  ]);
  return Object.fromEntries(methods) as HostModel;
}
