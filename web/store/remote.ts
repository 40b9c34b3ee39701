/**
 * An app from the outside: what a page, an element or a frame around it may ask of it. Its commands
 * take the same way as a press of the button would.
 */
import type { ErrorFacts } from '../engine/errors.ts';
import type { RunBarState } from './training/run-bar-state.ts';

/** Where the run of an app is. */
export interface Status {
  readonly state: RunBarState;
  /** Steps done, and steps planned. */
  readonly step: number;
  readonly steps: number;
  /** Loss of the last step in nats per token, all digits; null before the first. */
  readonly loss: number | null;
  /** The same, smoothed as the page does it unless its reader chooses otherwise. */
  readonly smoothedLoss: number | null;
  /** The newest loss on text that is held out, in nats per token. */
  readonly validationLoss: number | null;
  readonly preset: string;
  /** Where the engine works: in a worker, or on the page's own thread. */
  readonly place: 'worker' | 'page';
  readonly error: ErrorFacts | null;
}

export interface Remote {
  readonly status: () => Status;
  /** All losses so far, in nats per token; the first is that of step 1. */
  readonly losses: () => readonly number[];
  readonly start: () => void;
  readonly pause: () => void;
  readonly step: () => void;
  readonly rewind: () => void;
  /** Another text to learn, as if it had been pasted. */
  readonly setText: (text: string) => void;
  readonly setPreset: (preset: string) => void;
  /** Another value for an option of the recipe, by its name. */
  readonly setOption: (name: string, value: number) => void;
  /**
   * Calls `listener` whenever the status may have changed, until the returned function is called.
   */
  readonly subscribe: (listener: (status: Status) => void) => () => void;
}

/** A running app. */
export interface App extends Remote {
  /** Ends the engine and takes everything off the page. */
  readonly destroy: () => void;
}
