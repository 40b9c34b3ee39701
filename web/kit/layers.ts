/**
 * Chart layers: marks at steps and at losses, which instruments put on the charts of others without
 * knowing them.
 */
import type { LossUnit } from '../data/loss-data.ts';

export interface StepMark {
  readonly step: number;
  readonly label: string;
}

/** A loss that a curve is compared with, in both units. */
export interface LevelMark {
  readonly level: Readonly<Record<LossUnit, number>>;
  readonly label: string;
}

export type ChartMark = StepMark | LevelMark;

/** Says what to mark now. */
export type MakeMarks = () => readonly ChartMark[];

export class Layers {
  readonly #makers = new Map<string, MakeMarks>();
  /** The marks would be others now: the charts are drawn again. */
  readonly changed: () => void;

  constructor(changed: () => void) {
    this.changed = changed;
  }

  /** The marks of one instrument, which has one layer however often it is on the page. */
  set(instrument: string, make: MakeMarks): void {
    this.#makers.set(instrument, make);
  }

  /** Everything to mark now. */
  get marks(): readonly ChartMark[] {
    return [...this.#makers.values()].flatMap((make) => make());
  }
}
