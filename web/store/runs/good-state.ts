/** A state of the run under way from which it could go on, should it diverge. */
import type { Checkpoint } from '../../engine/trainer.ts';
import { rateOf } from '../training/current-run.ts';
import type { CurrentRun } from '../training/current-run.ts';
import type { Session } from '../training/session.ts';
import type { KeptText } from '../text/text-source.ts';
import type { RunSave } from './run-record.ts';

/** A run is healthy while its smoothed loss is at most this many times its lowest. */
const HEALTHY = 1.15;

export interface GoodState extends RunSave {
  readonly step: number;
  readonly text: KeptText;
  readonly preset: string;
  /** Its learning rate, before the schedule. */
  readonly rate: number;
}

export class GoodStates {
  #lowest = Infinity;
  #last: GoodState | null = null;

  /** The newest; null before the first. */
  get last(): GoodState | null {
    return this.#last;
  }

  /** The run has come to this smoothed loss. */
  look(loss: number | undefined): void {
    this.#lowest = Math.min(this.#lowest, loss ?? Infinity);
  }

  /** Keeps the state if it is a good one. */
  keep(point: Checkpoint, session: Session, run: CurrentRun, probe: string): void {
    const loss = run.data.history.smoothedLast();
    if (loss === undefined || !(loss <= HEALTHY * this.#lowest)) return;
    const { file, history, step } = point;
    this.put({ file, history, probe }, step, session, run);
  }

  /** What was read back is where a run that diverges later can go on from. */
  put(save: RunSave, step: number, { table }: Session, run: CurrentRun): void {
    if (run.text === null) return;
    const { preset } = run.recipe;
    this.#last = { ...save, step, text: run.text, preset, rate: rateOf(run, table) };
  }

  /** The run goes on from such a state. */
  begin(): void {
    this.#lowest = Infinity;
  }

  /** Another run is under way. */
  forget(): void {
    this.#lowest = Infinity;
    this.#last = null;
  }

  /** The learning rate to go on with: not above that of the state, well below what failed. */
  gentler(failed: number): number | null {
    if (this.#last === null) return null;
    return Number(Math.min(this.#last.rate, failed / 10).toPrecision(6));
  }
}
