/**
 * The interface of an app for its host: a page, element or frame. A command has the same effect as
 * its button.
 */
import type { ErrorFacts } from '../engine/errors.ts';

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

export interface Remote {
  readonly status: () => Status;
  /**
   * Stored losses in nats per token, from step 1; a long run stores only every second, fourth, …
   * step.
   */
  readonly losses: () => readonly number[];
  readonly start: () => void;
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
  /**
   * Calls `listener` whenever the status may have changed; returns the function that unsubscribes
   * it.
   */
  readonly subscribe: (listener: (status: Status) => void) => () => void;
}

/** A running app. */
export interface App extends Remote {
  /** Stops the engine and removes the app from the page. */
  readonly destroy: () => void;
}
