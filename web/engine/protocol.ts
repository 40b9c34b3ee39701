/**
 * The messages between the page and the worker that owns the engine. Requests carry an id that the
 * answer repeats; snapshots come unasked, one at a time: the next only after the page has
 * acknowledged the last, so that a busy page never finds a heap of them.
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
  /** The index of the argument that hears of progress; -1 without a listener. */
  readonly progress: number;
}

export type ToWorker =
  | { readonly kind: 'load'; readonly module: WebAssembly.Module; readonly helpers: number }
  | { readonly kind: 'load-failed'; readonly error: ErrorFacts }
  | CallMessage
  | { readonly kind: 'seen' }
  /** Fetch the scripts that are needed later. */
  | { readonly kind: 'preload' };

export type ToPage =
  /** `sharesMemory`: the threaded module can run there. */
  | { readonly kind: 'hello'; readonly sharesMemory: boolean }
  /** Please start this helper. */
  | { readonly kind: 'help'; readonly task: HelperTask }
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly error: ErrorFacts }
  /** What is there of an answer that is still being made. */
  | { readonly kind: 'partial'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'snapshot'; readonly snapshot: Snapshot };

/** What a worker, its inside, and a message port have in common. */
export interface Wire {
  postMessage(message: unknown, transfer: Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}

/** The calls whose entry in the table says this of `moves`. */
type Moving<What> = {
  [Name in Method]: (typeof CALLS)[Name] extends { readonly moves: What } ? Name : never;
}[Method];

const momentOf = ({ moment }: WayBack): Transferable[] => (moment === null ? [] : [moment.buffer]);

// The buffers that are moved: who sends them loses them, and all others are copied. Page and worker
// each need only a part of this.

/** Buffers that are moved with the arguments of a call. */
export const MOVED_ARGUMENTS: {
  readonly [Name in Moving<'arguments'>]: (...args: Parameters<Trainer[Name]>) => Transferable[];
} = {
  // A copy of fifty million bytes would take a fifth of a second. A part of a buffer is copied.
  setText: (text) =>
    typeof text === 'string' || text.byteLength < text.buffer.byteLength ? [] : [text.buffer],
  goBack: momentOf,
};

/** Buffers that are moved with an answer. */
export const MOVED_ANSWERS: {
  readonly [Name in Moving<'answer'>]: (
    answer: Awaited<ReturnType<Trainer[Name]>>,
  ) => Transferable[];
} = { wayBack: momentOf };

/** Buffers that are moved with a snapshot. */
export function movedBySnapshot(snapshot: Snapshot): Transferable[] {
  const { losses, learningRates, gradientNorms, attentions } = snapshot;
  const columns = [losses, learningRates, gradientNorms, ...attentions.map((one) => one.weights)];
  return columns.map(({ buffer }) => buffer);
}

/** One of these tables, for a call that may not be in it. */
export type Moved = Partial<Record<Method, (...sent: readonly unknown[]) => Transferable[]>>;
