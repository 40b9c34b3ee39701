/**
 * What all parts of the plot share: the losses and how they are looked at, words and colours; and
 * what narrows, widens and moves the steps in view, whether by buttons, keys, wheel or fingers.
 * Nothing beyond the ends of the curve comes into view.
 */
import { longestOf, stepRange, zoomPlace } from '../../../data/loss-data.ts';
import type { LossData, LossState } from '../../../data/loss-data.ts';
import type { Words } from '../../../i18n/index.ts';
import { keptValues } from '../../../kit/dom.ts';
import type { KeptValues } from '../../../kit/dom.ts';

/** A window never becomes narrower than this many steps. */
const NARROWEST = 5;

export interface SceneOptions {
  readonly words: Words;
  readonly data: LossData;
  readonly look: LossState;
  /** The reader wants to see these steps; null for all. */
  readonly onWindow: (window: LossState['window']) => void;
}

export class PlotScene {
  data: LossData;
  look: LossState;
  readonly words: Words;
  readonly styles: KeptValues;
  readonly #onWindow: SceneOptions['onWindow'];

  /** In the colours and letters of `box`. */
  constructor(box: HTMLElement, { words, data, look, onWindow }: SceneOptions) {
    this.data = data;
    this.look = look;
    this.words = words;
    this.styles = keptValues(box);
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
  #zoom(factor: number, step: number, [low, high]: readonly [number, number]): void {
    const { logSteps } = this.look;
    const place = (at: number): number => (logSteps ? Math.log(Math.max(1, at)) : at);
    const [a, b, centre] = [place(low), place(high), place(step)];
    const ends = [centre - (centre - a) * factor, centre + (b - centre) * factor] as const;
    if (logSteps) this.narrow(Math.exp(ends[0]), Math.exp(ends[1]));
    else this.narrow(...ends);
  }
}
