/**
 * Chart layers: marks at steps and at losses, and curves of shares below them, which instruments
 * put on the charts of others without knowing them.
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
  /** Whether no model gets below it on text that it never saw. */
  readonly isLeast?: boolean;
}

/** Two curves below the losses, on the same steps and a scale of their own: from 0 to 1. */
export interface SharesMark {
  readonly title: string;
  /** In the order of their steps. NaN where a curve has no point. */
  readonly shares: readonly {
    readonly step: number;
    readonly full: number;
    readonly dashed: number;
  }[];
}

export type ChartMark = StepMark | LevelMark | SharesMark;

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
