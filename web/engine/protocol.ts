/**
 * The messages between the page and the worker that owns the engine. Requests carry an id that the
 * answer repeats; snapshots come unasked, one at a time: the next only after the page has
 * acknowledged the last, so that a busy page never finds a heap of them.
 */
import type { ErrorFacts } from './errors.ts';
import type { HelperTask } from './help.ts';
import type { Method } from './remote.ts';
import type { Snapshot } from './trainer.ts';

export type ToWorker =
  | { readonly kind: 'load'; readonly module: WebAssembly.Module; readonly helpers: number }
  | { readonly kind: 'load-failed'; readonly error: ErrorFacts }
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly method: Method;
      readonly args: readonly unknown[];
    }
  | { readonly kind: 'seen' }
  /** For what runs beside the trainer; see `Beside`. */
  | { readonly kind: 'beside'; readonly message: unknown };

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
