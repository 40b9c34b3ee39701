/**
 * State shared by all parts of the plot: losses, view settings, words, colours, and zoom. The
 * window (the visible steps) stays within the axis that shows all steps.
 */
import { longestOf, stepRange, zoomPlace } from '../../../data/loss-data.ts';
import type { LossData, LossState } from '../../../data/loss-data.ts';
import { keptValues } from '../../../kit/dom.ts';
import type { Losses } from '../losses.ts';

/** Minimum width of the window, in steps. */
const NARROWEST = 5;

type Steps = [from: number, to: number];

export type PlotScene = ReturnType<typeof sceneOf>;

/**
 * Creates the scene with the colours of `box`; `redraw` draws the charts in one of the next frames.
 */
export function sceneOf(box: HTMLElement, losses: Losses, redraw: () => void) {
  const { data, look, marks, show, words } = losses;
  const whole = (): Steps => stepRange(data.peek(), { ...look.peek(), window: null });
  /** Coordinate of a step on the axis: the step, or its logarithm on a logarithmic axis. */
  const placeOf = (step: number): number =>
    look.peek().logSteps ? Math.log(Math.max(1, step)) : step;
  const stepAtPlace = (place: number): number => (look.peek().logSteps ? Math.exp(place) : place);

  const scene = {
    marks,
    redraw,
    show,
    words,
    /** Colours and fonts of the page. */
    styles: keptValues(box),

    get data(): LossData {
      return data.peek();
    },

    get look(): LossState {
      return look.peek();
    },

    /** The first and the last step on the axis. */
    get range(): Steps {
      return stepRange(data.peek(), look.peek());
    },

    narrow(from: number, to: number): void {
      const [low, high] = whole();
      let begin = Math.max(low, from);
      let end = Math.min(high, to);
      if (end - begin < NARROWEST) {
        const centre = (begin + end) / 2;
        end = Math.min(high, Math.max(low, centre - NARROWEST / 2) + NARROWEST);
        begin = Math.max(low, end - NARROWEST);
      }
      // The axis may extend beyond the last step.
      const last = Math.min(high, longestOf(data.peek()));
      show(begin <= low && end >= last ? null : [begin, end]);
    },

    /** Zooms in (`factor` below 1) or out around a share of the width. */
    zoomAt(factor: number, share: number): void {
      zoom(factor, scene.stepAt(share), scene.range);
    },

    /**
     * Zooms around the step `chosen`; if it is null or out of sight, around the step from
     * `zoomPlace`.
     */
    zoomAround(factor: number, chosen: number | null): void {
      if (longestOf(data.peek()) === 0) return;
      const { step, range } = zoomPlace(data.peek(), look.peek(), chosen);
      zoom(factor, step, range);
    },

    /** Shifts `window` by a share of its width; a finger shifts the window of its first contact. */
    pan(share: number, window = look.peek().window): void {
      if (window === null) return;
      const [from, to] = window;
      const [low, high] = whole();
      const by = Math.min(high - to, Math.max(low - from, share * (to - from)));
      show([from + by, to + by]);
    },

    /** The step at a share of the width. */
    stepAt(share: number): number {
      const [low, high] = scene.range;
      return stepAtPlace(placeOf(low) + share * (placeOf(high) - placeOf(low)));
    },
  };

  /** Zooms around a step, which keeps its screen position. */
  function zoom(factor: number, step: number, [low, high]: readonly [number, number]): void {
    const centre = placeOf(step);
    const moved = (end: number): number => stepAtPlace(centre + (placeOf(end) - centre) * factor);
    scene.narrow(moved(low), moved(high));
  }

  return scene;
}
