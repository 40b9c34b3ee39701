/** What a trainer tells of the past of its run: the way back to any step. */
import type { CallTable } from './call.ts';

/** A live option that was changed when `step` steps had been done. */
export interface LiveChange {
  readonly step: number;
  readonly option: string;
  readonly value: number;
}

/** How a run gets to a step again: from a moment that was kept, step by step. */
export interface WayBack {
  /** The step to come to. */
  readonly step: number;
  /** That of the moment: the newest one kept that is not after it. */
  readonly from: number;
  /**
   * The state of the run there, in a form that this version of the engine alone reads; null where
   * the one that goes back is at `from` already.
   */
  readonly moment: Uint8Array<ArrayBuffer> | null;
  /** What was changed in the steps between. */
  readonly changes: readonly LiveChange[];
}

/** A moment that was kept elsewhere. */
export interface KeptMoment {
  readonly step: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Moments are kept by the trainer that trains. Another one, of its recipe and text, goes back. */
export interface Past {
  /**
   * From now on keeps the state of the run at some steps, in `bytes` of memory at most; 0 forgets
   * them all. A worker keeps more of them in a file, of `fileBytes` at most, where the browser has
   * such files. Losses stay what they would be.
   */
  keepMoments(bytes: number, fileBytes?: number): Promise<void>;
  /**
   * Takes moments of earlier steps of the run of now back, in order of their steps, as far as they
   * fit. Answers the first step that can be come back to.
   */
  giveMoments(moments: readonly KeptMoment[]): Promise<number>;
  /** The steps whose moments are kept, rising. */
  moments(): Promise<readonly number[]>;
  /**
   * The way to `step`, from 0 to the step of now, for one that may be at step `have` of this run.
   * `past` when no moment before it is kept.
   */
  wayBack(step: number, have?: number): Promise<WayBack>;
  /**
   * Goes that way, in a trainer that has prepared the same recipe and text: it is then a run at
   * that step, paused, with the weights of then to the bit. `onProgress` hears the steps done.
   * Another call ends the one before with `cancelled`. `moment` when it is of another run.
   */
  goBack(way: WayBack, onProgress?: (step: number) => void): Promise<void>;
  /** Ends that call with `cancelled`, wherever it has come to. */
  giveUpWay(): Promise<void>;
}

export const PAST = {
  keepMoments: { args: ['bytes: number', 'fileBytes?: number'] },
  giveMoments: { args: ['moments: list'] },
  moments: { args: [] },
  wayBack: { args: ['step: number', 'have?: number'], moves: 'answer' },
  goBack: {
    args: ['way: object', 'onProgress?: progress'],
    cancel: 'giveUpWay',
    moves: 'arguments',
  },
  giveUpWay: { args: [] },
} satisfies CallTable<Past>;
