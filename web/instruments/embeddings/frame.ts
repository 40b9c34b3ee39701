/**
 * One frame for all steps of a run: axes and scale that stay, so that a point moves on the picture
 * only if its numbers change. The axes are those of one step; they are taken anew when the run has
 * grown so far that they fit no longer.
 */
import { principalPlane, project } from '../../data/pca.ts';
import type { Matrix, Plane, Projection } from '../../data/pca.ts';

/** A run outgrows its axes at GROWTH times their step, but at least LEAST_GROWTH steps later. */
const GROWTH = 2;
const LEAST_GROWTH = 100;

/** What is in the picture, in units of the model. */
export interface Bounds {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

const NOWHERE: Bounds = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };

export interface Frame {
  /** The step whose axes these are. */
  readonly step: number;
  readonly plane: Plane;
  /** Only ever grow: points that draw together are seen to do so. */
  readonly bounds: Bounds;
}

export async function makeFrame(
  matrix: Matrix,
  step: number,
  rest: () => Promise<void>,
): Promise<Frame> {
  return { step, plane: await principalPlane(matrix, rest), bounds: NOWHERE };
}

/** Whether the axes of `frame` are too old for the newest step of a run. */
export function isOutgrown(frame: Frame, step: number, isFinished: boolean): boolean {
  if (isFinished) return step > frame.step;
  return step >= Math.max(GROWTH * frame.step, frame.step + LEAST_GROWTH);
}

/** Rows as they are seen in `frame`, and the frame with room for all of them. */
export function seeIn(frame: Frame, matrix: Matrix): { frame: Frame; seen: Projection } {
  const seen = project(matrix, frame.plane);
  const { left, right, bottom, top } = frame.bounds;
  const least = (values: Float64Array, so: number): number =>
    values.reduce((a, b) => Math.min(a, b), so);
  const most = (values: Float64Array, so: number): number =>
    values.reduce((a, b) => Math.max(a, b), so);
  const bounds = {
    left: least(seen.x, left),
    right: most(seen.x, right),
    bottom: least(seen.y, bottom),
    top: most(seen.y, top),
  };
  return { frame: { ...frame, bounds }, seen };
}

/** The frames of one run, by what is shown. */
export class Frames {
  #run = NaN;
  readonly #frames = new Map<string, Frame>();

  /** The run that was asked for last; NaN before that. */
  get run(): number {
    return this.#run;
  }

  of(run: number, shown: string): Frame | null {
    if (run !== this.#run) this.#frames.clear();
    this.#run = run;
    return this.#frames.get(shown) ?? null;
  }

  /** Keeps a frame of the run that was asked for last. */
  keep(shown: string, frame: Frame): void {
    this.#frames.set(shown, frame);
  }
}
