/**
 * Chart layers: marks at steps, which instruments put on the charts of others without knowing them.
 */

export interface StepMark {
  readonly step: number;
  readonly label: string;
}

/** Says what to mark now. */
export type MakeMarks = () => readonly StepMark[];

export class Layers {
  readonly #makers = new Map<string, MakeMarks>();

  /** The marks of one instrument, which has one layer however often it is on the page. */
  set(instrument: string, make: MakeMarks): void {
    this.#makers.set(instrument, make);
  }

  /** Everything to mark now. */
  get marks(): readonly StepMark[] {
    return [...this.#makers.values()].flatMap((make) => make());
  }
}
