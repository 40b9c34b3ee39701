/**
 * What all parts of the plot share: losses, view settings, words, colours, and the zoom. Nothing
 * beyond the ends of the curve comes into view.
 */
import { longestOf, stepRange, zoomPlace } from '../../../data/loss-data.ts';
import type { LossData, LossState } from '../../../data/loss-data.ts';
import type { Words } from '../../../i18n/index.ts';
import { keptValues } from '../../../kit/dom.ts';
import type { KeptValues } from '../../../kit/dom.ts';
import type { Losses } from '../losses.ts';

/** The fewest steps in view. */
const NARROWEST = 5;

export class PlotScene {
  readonly losses: Losses;
  readonly words: Words;
  /** Colours and fonts of the page. */
  readonly styles: KeptValues;
  /** Draws the charts in one of the next frames. */
  readonly redraw: () => void;

  constructor(box: HTMLElement, losses: Losses, redraw: () => void) {
    this.losses = losses;
    this.words = losses.words;
    this.styles = keptValues(box);
    this.redraw = redraw;
  }

  get data(): LossData {
    return this.losses.data.peek();
  }

  get look(): LossState {
    return this.losses.look.peek();
  }

  /** The first and the last step on the axis. */
  get range(): [number, number] {
    return stepRange(this.data, this.look);
  }

  get #whole(): [number, number] {
    return stepRange(this.data, { ...this.look, window: null });
  }

  narrow(from: number, to: number): void {
    const [low, high] = this.#whole;
    let begin = Math.max(low, from);
    let end = Math.min(high, to);
    if (end - begin < NARROWEST) {
      const centre = (begin + end) / 2;
      end = Math.min(high, Math.max(low, centre - NARROWEST / 2) + NARROWEST);
      begin = Math.max(low, end - NARROWEST);
    }
    // The axis may extend beyond the last step.
    const last = Math.min(high, longestOf(this.data));
    this.losses.show(begin <= low && end >= last ? null : [begin, end]);
  }

  /** Zooms in (`factor` below 1) or out around a share of the width. */
  zoomAt(factor: number, share: number): void {
    this.#zoom(factor, this.stepAt(share), this.range);
  }

  /** Zooms around the step `chosen` or, if it is null or out of sight, as `zoomPlace` says. */
  zoomAround(factor: number, chosen: number | null): void {
    if (longestOf(this.data) === 0) return;
    const { step, range } = zoomPlace(this.data, this.look, chosen);
    this.#zoom(factor, step, range);
  }

  /** Moves the window, or the window of an earlier time, by a share of its width. */
  pan(share: number, window = this.look.window): void {
    if (window === null) return;
    const [from, to] = window;
    const [low, high] = this.#whole;
    const by = Math.min(high - to, Math.max(low - from, share * (to - from)));
    this.losses.show([from + by, to + by]);
  }

  /** The step at a share of the width. */
  stepAt(share: number): number {
    const [low, high] = this.range.map((step) => this.#place(step)) as [number, number];
    return this.#stepAtPlace(low + share * (high - low));
  }

  /** Zooms around a step, which keeps its place on the screen. */
  #zoom(factor: number, step: number, range: readonly [number, number]): void {
    const centre = this.#place(step);
    const [from, to] = range.map((end) =>
      this.#stepAtPlace(centre + (this.#place(end) - centre) * factor),
    ) as [number, number];
    this.narrow(from, to);
  }

  /** The position of a step on the axis, in its own units. */
  #place(step: number): number {
    return this.look.logSteps ? Math.log(Math.max(1, step)) : step;
  }

  #stepAtPlace(place: number): number {
    return this.look.logSteps ? Math.exp(place) : place;
  }
}
