/** Calls that reach an earlier step of a run: restore a snapshot, recompute the steps after it. */
import type { CallTable } from './call.ts';

/** A change of a live option after `step` steps. */
export interface LiveChange {
  readonly step: number;
  readonly option: string;
  readonly value: number;
}

/** How to reach a step: restore a snapshot, then train from there. */
export interface WayBack {
  /** The step to reach. */
  readonly step: number;
  /** Step of the newest readable snapshot up to `step`, or the `have` of the restoring trainer. */
  readonly from: number;
  /**
   * The snapshot, readable by this version of the engine only; null if the restoring trainer is at
   * `from` already.
   */
  readonly moment: Uint8Array<ArrayBuffer> | null;
  /** Changes of options at steps `from` to `step` - 1. */
  readonly changes: readonly LiveChange[];
}

/** A snapshot kept outside the trainer. */
export interface KeptMoment {
  readonly step: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The trainer of a run keeps snapshots (moments); another of the same recipe restores them. */
export interface Past {
  /**
   * Keeps snapshots of some steps from now on, in at most `bytes` of memory; 0 deletes them all. In
   * a worker with file access, more are kept in a file of at most `fileBytes`. Losses do not
   * change.
   */
  keepMoments(bytes: number, fileBytes?: number): Promise<void>;
  /**
   * Restores kept snapshots of earlier steps of the current run, oldest first, until the budget is
   * full. Returns the first step that can be reached.
   */
  giveMoments(moments: readonly KeptMoment[]): Promise<number>;
  /** Steps with a snapshot in memory, ascending; those in a file are not listed. */
  moments(): Promise<readonly number[]>;
  /**
   * How to reach `step` (0 to the current step) for a trainer that may be at step `have`. Rejects
   * with `past` if no snapshot up to `step` is kept.
   */
  wayBack(step: number, have?: number): Promise<WayBack>;
  /**
   * Restores and recomputes the run at `way.step`, paused, with bit-identical weights. This trainer
   * must have prepared the same recipe and text. `onProgress` receives the step reached. A newer
   * call ends this one with `cancelled`. Rejects with `moment` if the snapshot is of another run.
   */
  goBack(way: WayBack, onProgress?: (step: number) => void): Promise<void>;
  /** Ends `goBack` with `cancelled`. */
  giveUpWay(): Promise<void>;
}

export const PAST = {
  keepMoments: { args: ['bytes: whole', 'fileBytes?: whole'] },
  giveMoments: { args: ['moments: moments'] },
  moments: { args: [] },
  wayBack: { args: ['step: number', 'have?: number'], moves: 'answer' },
  goBack: {
    args: ['way: way', 'onProgress?: progress'],
    cancel: 'giveUpWay',
    moves: 'arguments',
  },
  giveUpWay: { args: [] },
} satisfies CallTable<Past>;
