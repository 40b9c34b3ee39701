/**
 * The steps in view, and what narrows, widens and moves them, whether by buttons, keys, wheel or
 * fingers. Knows the curve that is shown: nothing beyond its ends comes into view.
 */
import { EMPTY_LOSS, longestOf, pinched, PLAIN_LOOK, stepRange, zoomPlace } from '../../data/loss-data.ts'; // prettier-ignore
import type { Hold, LossData, LossLook } from '../../data/loss-data.ts';

/** A window never becomes narrower than this many steps. */
const NARROWEST = 5;

type Range = readonly [number, number];

export class StepWindow {
  data: LossData = EMPTY_LOSS;
  look: LossLook = PLAIN_LOOK;
  readonly #onWindow: (window: LossLook['window']) => void;

  /** `onWindow`: the reader wants to see these steps; null for all. */
  constructor(onWindow: (window: LossLook['window']) => void) {
    this.#onWindow = onWindow;
  }

  /** The first and the last step on the axis. */
  get range(): [number, number] {
    return stepRange(this.data, this.look);
  }

  get #whole(): [number, number] {
    return stepRange(this.data, { ...this.look, window: null });
  }

  all(): void {
    this.#onWindow(null);
  }

  narrow(from: number, to: number): void {
    const [low, high] = this.#whole;
    let begin = Math.max(low, from);
    let end = Math.min(high, to);
    if (end - begin < NARROWEST) {
      const centre = (begin + end) / 2;
      begin = Math.max(low, centre - NARROWEST / 2);
      end = Math.min(high, begin + NARROWEST);
      begin = Math.max(low, end - NARROWEST);
    }
    // Beyond the last step there is nothing yet to be seen.
    const last = Math.min(high, longestOf(this.data));
    this.#onWindow(begin <= low && end >= last ? null : [begin, end]);
  }

  /** Narrower (below 1) or wider, around a share of the width: where the wheel is turned. */
  zoomAt(factor: number, share: number): void {
    this.#zoom(factor, this.stepAt(share), this.range);
  }

  /** The same around `chosen` or, if that is null or out of sight, as `zoomPlace` says. */
  zoomAround(factor: number, chosen: number | null): void {
    if (longestOf(this.data) === 0) return;
    const { step, range } = zoomPlace(this.data, this.look, chosen);
    this.#zoom(factor, step, range);
  }

  /** Two fingers keep the steps that they hold below them. */
  pinch(one: Hold, other: Hold): void {
    const range = pinched(one, other, this.look);
    if (range !== null) this.narrow(...range);
  }

  /** Moves the part in view, or what was in view, by a share of its width. */
  pan(share: number, window = this.look.window): void {
    if (window === null) return;
    const [from, to] = window;
    const [low, high] = this.#whole;
    const by = Math.min(high - to, Math.max(low - from, share * (to - from)));
    this.#onWindow([from + by, to + by]);
  }

  /** The step at a share of the width. */
  stepAt(share: number): number {
    const [low, high] = this.range;
    const [a, b] = [Math.log(Math.max(1, low)), Math.log(high)];
    return this.look.logSteps ? Math.exp(a + share * (b - a)) : low + share * (high - low);
  }

  /** Around a step, which stays where it is on screen. */
  #zoom(factor: number, step: number, [low, high]: Range): void {
    if (!this.look.logSteps) {
      this.narrow(step - (step - low) * factor, step + (high - step) * factor);
      return;
    }
    const log = (at: number): number => Math.log(Math.max(1, at));
    const [a, b, centre] = [log(low), log(high), log(step)];
    this.narrow(Math.exp(centre - (centre - a) * factor), Math.exp(centre + (b - centre) * factor));
  }
}
