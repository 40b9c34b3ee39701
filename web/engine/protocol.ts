/**
 * Messages between the page and the worker that owns the engine. An answer repeats the id of its
 * request. Reports (`Snapshot`) are sent unasked, each only after the page has acknowledged the one
 * before, so that they never queue up behind a busy page.
 */
import type { ErrorFacts } from './errors.ts';
import type { HelperTask } from './help.ts';
import type { Method } from './remote.ts';
import type { CALLS, Snapshot, Trainer, WayBack } from './trainer.ts';

export interface CallMessage {
  readonly kind: 'call';
  readonly id: number;
  readonly method: Method;
  readonly args: readonly unknown[];
  /** Index of the progress callback among the arguments; -1 if absent. */
  readonly progress: number;
}

export type ToWorker =
  | { readonly kind: 'load'; readonly module: WebAssembly.Module; readonly helpers: number }
  | { readonly kind: 'load-failed'; readonly error: ErrorFacts }
  | CallMessage
  | { readonly kind: 'seen' }
  /** Makes the worker a helper thread of another one. */
  | { readonly kind: 'help'; readonly task: HelperTask }
  /** Fetch the scripts that are needed later. */
  | { readonly kind: 'preload' };

export type ToPage =
  /** `sharesMemory`: the worker can run the threaded module. */
  | { readonly kind: 'hello'; readonly sharesMemory: boolean }
  /** Asks the page to start a helper thread. */
  | { readonly kind: 'help'; readonly task: HelperTask }
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly error: ErrorFacts }
  /** A progress value of an unfinished call. */
  | { readonly kind: 'partial'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'snapshot'; readonly snapshot: Snapshot };

/** The common part of a worker, its global scope, and a message port. */
export interface Wire {
  postMessage(message: unknown, transfer: Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}

/** Names of the calls with this value of `moves`. */
type Moving<What> = {
  [Name in Method]: (typeof CALLS)[Name] extends { readonly moves: What } ? Name : never;
}[Method];

const snapshotBuffer = ({ moment }: WayBack): Transferable[] =>
  moment === null ? [] : [moment.buffer];

// Tables of transferred buffers, which the sender loses; other buffers are copied. Two tables,
// because the page sends arguments only and the worker answers only.

/** Buffers transferred with the arguments of a call. */
export const MOVED_ARGUMENTS: {
  readonly [Name in Moving<'arguments'>]: (...args: Parameters<Trainer[Name]>) => Transferable[];
} = {
  // Copying 50 MB would take 0.2 s. A view of part of a buffer is copied all the same.
  setText: (text) =>
    typeof text === 'string' || text.byteLength < text.buffer.byteLength ? [] : [text.buffer],
  goBack: snapshotBuffer,
};

/** Buffers transferred with an answer. */
export const MOVED_ANSWERS: {
  readonly [Name in Moving<'answer'>]: (
    answer: Awaited<ReturnType<Trainer[Name]>>,
  ) => Transferable[];
} = { wayBack: snapshotBuffer };

/** Buffers transferred with a snapshot. */
export function movedBySnapshot(snapshot: Snapshot): Transferable[] {
  const { losses, learningRates, gradientNorms, attentions } = snapshot;
  const columns = [losses, learningRates, gradientNorms, ...attentions.map((one) => one.weights)];
  return columns.map(({ buffer }) => buffer);
}

/** One of these tables, indexed by any call. */
export type Moved = Partial<Record<Method, (...sent: readonly unknown[]) => Transferable[]>>;
