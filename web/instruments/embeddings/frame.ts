/**
 * The frame of a run: fixed axes and scale for all its steps, so that a point moves only if its
 * numbers change. The axes are the principal plane of one step, computed again once the run has
 * outgrown them.
 */
import { principalPlane, project } from '../../data/pca.ts';
import type { Matrix, Plane, Projection } from '../../data/pca.ts';

/** New axes are due at GROWTH times the step of the old, and at least LEAST_GROWTH steps later. */
const GROWTH = 2;
const LEAST_GROWTH = 100;

/** Bounds of the picture, in units of the model. */
export interface Bounds {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

const NOWHERE: Bounds = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };

export interface Frame {
  /** The step at which the axes were computed. */
  readonly step: number;
  readonly plane: Plane;
  /** Contain all points so far. Shrinking bounds would hide that points approach each other. */
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

/** Projects rows into `frame`; also returns the frame, enlarged to contain them. */
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

/** Frames of one run, by kind of points and text. */
export class Frames {
  #run = NaN;
  readonly #frames = new Map<string, Frame>();

  /** The run requested last; NaN before the first request. */
  get run(): number {
    return this.#run;
  }

  of(run: number, shown: string): Frame | null {
    if (run !== this.#run) this.#frames.clear();
    this.#run = run;
    return this.#frames.get(shown) ?? null;
  }

  /** Stores `frame` for the run that was requested last. */
  keep(shown: string, frame: Frame): void {
    this.#frames.set(shown, frame);
  }
}
