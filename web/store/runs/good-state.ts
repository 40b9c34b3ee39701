/** The last healthy state of the current run, to return to if the run diverges. */
import type { Checkpoint } from '../../engine/trainer.ts';
import { rateOf } from '../training/current-run.ts';
import type { CurrentRun } from '../training/current-run.ts';
import type { Session } from '../training/session.ts';
import type { KeptText } from '../text/text-source.ts';
import type { RunSave } from './run-record.ts';

/** A run is healthy if its smoothed loss is at most this multiple of its lowest. */
const HEALTHY = 1.15;

export interface GoodState extends RunSave {
  readonly step: number;
  readonly text: KeptText;
  readonly preset: string;
  /** Learning rate before the schedule. */
  readonly rate: number;
}

export class GoodStates {
  #lowest = Infinity;
  #last: GoodState | null = null;

  /** The newest good state; null before the first. */
  get last(): GoodState | null {
    return this.#last;
  }

  /** Notes the smoothed loss of the present step. */
  noteLoss(loss: number | undefined): void {
    this.#lowest = Math.min(this.#lowest, loss ?? Infinity);
  }

  /** Keeps the state if the run is healthy. */
  keep(point: Checkpoint, session: Session, run: CurrentRun, probe: string): void {
    const loss = run.data.history.smoothedLast();
    if (loss === undefined || !(loss <= HEALTHY * this.#lowest)) return;
    const { file, history, step } = point;
    this.keepResumed({ file, history, probe }, step, session, run);
  }

  /** Keeps a resumed save, which counts as good. */
  keepResumed(save: RunSave, step: number, { table }: Session, run: CurrentRun): void {
    if (run.text === null) return;
    const { preset } = run.recipe;
    this.#last = { ...save, step, text: run.text, preset, rate: rateOf(run, table) };
  }

  /** Forgets the lowest loss, when a run begins, is resumed or returns to the good state. */
  begin(): void {
    this.#lowest = Infinity;
  }

  /** Forgets the lowest loss and the good state, for another run. */
  forget(): void {
    this.#lowest = Infinity;
    this.#last = null;
  }

  /**
   * Learning rate of a retry: that of the good state, but at most a tenth of `failed`, the rate of
   * the diverged run; null without a good state.
   */
  gentler(failed: number): number | null {
    if (this.#last === null) return null;
    return Number(Math.min(this.#last.rate, failed / 10).toPrecision(6));
  }
}
