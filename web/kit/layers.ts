/**
 * Chart layers: marks at steps and losses, and curves of shares below them, which instruments add
 * to charts of other instruments without depending on them.
 */
import type { LossUnit } from '../data/loss-data.ts';

export interface StepMark {
  readonly step: number;
  readonly label: string;
}

/** A reference loss for a curve, in both units. */
export interface LevelMark {
  readonly level: Readonly<Record<LossUnit, number>>;
  readonly label: string;
  /** Whether no model can reach a lower loss on unseen text. */
  readonly isLeast?: boolean;
}

/** Two curves below the losses, on the same steps, with a scale from 0 to 1. */
export interface SharesMark {
  readonly title: string;
  /** Shares, ascending by step; NaN if a curve has no point at a step. */
  readonly shares: readonly {
    readonly step: number;
    readonly full: number;
    readonly dashed: number;
  }[];
}

export type ChartMark = StepMark | LevelMark | SharesMark;

/** Returns the current marks. */
export type MakeMarks = () => readonly ChartMark[];

export class Layers {
  readonly #makers = new Map<string, MakeMarks>();
  /** Called when marks have changed, to draw the charts again. */
  readonly changed: () => void;

  constructor(changed: () => void) {
    this.changed = changed;
  }

  /**
   * Sets the marks of an instrument, which has one layer even if it is on the page several times.
   */
  set(instrument: string, make: MakeMarks): void {
    this.#makers.set(instrument, make);
  }

  /** The current marks of all instruments. */
  get marks(): readonly ChartMark[] {
    return [...this.#makers.values()].flatMap((make) => make());
  }
}
