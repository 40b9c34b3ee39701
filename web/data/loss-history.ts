/**
 * The losses of one run: everything that the chart, its summary and its table are drawn from.
 * Knows no DOM.
 */
import { KeptSteps } from '../base/kept-steps.ts';

/** A block of steps, as one row of the table. */
export interface LossBlock {
  readonly from: number;
  readonly to: number;
  readonly mean: number;
  readonly lowest: number;
  readonly highest: number;
}

/** Columns for a chart: one x value per row, null where a curve has no point. */
export interface LossColumns {
  readonly steps: number[];
  readonly losses: (number | null)[];
  readonly smoothed: (number | null)[];
  readonly validation: (number | null)[];
  readonly rates: (number | null)[];
  readonly norms: (number | null)[];
}

/** The curve of a saved run: the numbers of every `stride`-th step, from the first. */
export interface KeptCurve {
  readonly stride?: number;
  readonly losses: Float32Array;
  readonly learningRates: Float32Array;
  readonly gradientNorms: Float32Array;
}

/** Everything that is known of one step. */
export interface LossPoint {
  readonly step: number;
  /** NaN where a file did not keep it; so are rate and norm. */
  readonly loss: number;
  readonly smoothed: number;
  readonly validation: number | undefined;
  readonly rate: number;
  readonly norm: number;
}

/** Shares of prompts that the model continued word for word at a step; see the engine's. */
export interface Memorised {
  readonly step: number;
  readonly train: number;
  /** NaN if nothing is held out. */
  readonly heldOut: number;
}

/** Which part of the curve to take, and how smooth. */
export interface LossPart {
  /** Steps from and to, both included; all of them unless said otherwise. */
  readonly from?: number;
  readonly to?: number;
  /** Times the usual span of the running mean; 1 unless said otherwise. */
  readonly smoothing?: number;
  /** Whether they are drawn along a logarithmic axis, on which the first steps are far apart. */
  readonly logSteps?: boolean;
}

/** Losses as they come, smoothed on the way. However long the run, they take no more room. */
export class LossHistory {
  readonly #kept = new KeptSteps(['losses', 'rates', 'norms', 'smooth'] as const);
  #last: number | undefined;
  #lastStep = 0;
  #highest = -Infinity;
  readonly #usual = new RunningMean(1);
  /** Another strength, for as long as it is asked for; made from what is kept. */
  #other: {
    readonly smoothing: number;
    readonly stride: number;
    readonly mean: RunningMean;
  } | null = null;
  #otherSmooth: number[] = [];
  readonly #validation = new Map<number, number>();
  /** In the order of their steps. */
  readonly memorised: Memorised[] = [];

  /** Steps that have had a loss; step numbers begin at 1. */
  get length(): number {
    return this.#kept.length;
  }

  /** Steps from one that is kept to the next. */
  get stride(): number {
    return this.#kept.stride;
  }

  /** The losses that are kept; the first is that of step 1. */
  get all(): readonly number[] {
    return this.#kept.columns.losses;
  }

  get first(): number | undefined {
    return this.#kept.columns.losses[0];
  }

  get last(): number | undefined {
    return this.#last;
  }

  /** The highest loss of all steps, kept or not. */
  get highest(): number {
    return this.#highest;
  }

  /** What is kept of the first `step` steps, as a run that goes on from there brings it along. */
  until(step: number): {
    readonly stride: number;
    readonly losses: Float32Array<ArrayBuffer>;
    readonly learningRates: Float32Array<ArrayBuffer>;
    readonly gradientNorms: Float32Array<ArrayBuffer>;
  } {
    const { columns, stride } = this.#kept;
    const first = (column: readonly number[]): Float32Array<ArrayBuffer> =>
      Float32Array.from(column.slice(0, Math.ceil(step / stride)));
    return {
      stride,
      losses: first(columns.losses),
      learningRates: first(columns.rates),
      gradientNorms: first(columns.norms),
    };
  }

  /** The lowest validation loss with its step, the first of several; undefined without any. */
  get lowestValidation(): { step: number; loss: number } | undefined {
    const [first, ...rest] = this.validations;
    return rest.reduce((best, one) => (best && one.loss < best.loss ? one : best), first);
  }

  /** The smoothed loss where the curve of that smoothing ends. */
  smoothedLast(smoothing = 1): number | undefined {
    if (this.length === 0) return undefined;
    return smoothing === 1 ? this.#usual.value : this.#smoothed(smoothing).at(-1);
  }

  /** The newest validation loss with its step. */
  get lastValidation(): { step: number; loss: number } | undefined {
    return this.validationUntil(Infinity);
  }

  /** All validation losses with their steps, the earliest first. */
  get validations(): { step: number; loss: number }[] {
    return [...this.#validation].map(([step, loss]) => ({ step, loss }));
  }

  /**
   * Adds the losses of the steps after `from`, with the learning rates and the lengths of the
   * gradient of the same steps where they are known; what is already there is left alone.
   */
  append(
    from: number,
    losses: ArrayLike<number>,
    rates: ArrayLike<number> = [],
    norms: ArrayLike<number> = [],
  ): void {
    for (let index = Math.max(0, this.length - from); index < losses.length; index++) {
      this.#add(losses[index] ?? NaN, rates[index] ?? NaN, norms[index] ?? NaN);
    }
  }

  /**
   * Restores the curve of a saved run of `steps` steps, before anything else is added. Its cost
   * depends on the numbers in `kept` alone: a file may claim any number of steps.
   */
  restore(kept: KeptCurve, steps: number): void {
    const { stride = 1, losses, learningRates, gradientNorms } = kept;
    this.#kept.begin(stride);
    for (const [index, loss] of losses.entries()) {
      this.#skipTo(index * stride);
      this.#add(loss, learningRates[index] ?? NaN, gradientNorms[index] ?? NaN);
    }
    this.#skipTo(steps);
  }

  #skipTo(length: number): void {
    this.#usual.skipTo(length);
    this.#kept.skipTo(length);
  }

  /** Adds the numbers of the next step. */
  #add(loss: number, rate: number, norm: number): void {
    const smooth = this.#usual.add(loss);
    // A file of a long run has only some of its losses.
    if (Number.isFinite(loss)) {
      this.#last = loss;
      this.#lastStep = this.length + 1;
      this.#highest = Math.max(this.#highest, loss);
    }
    this.#kept.add({ losses: loss, rates: rate, norms: norm, smooth });
  }

  /**
   * The first step whose learning rate and gradient norm are known: a checkpoint that was opened
   * from a file keeps losses only. Undefined where none are known.
   */
  get measuredFrom(): number | undefined {
    const { rates } = this.#kept.columns;
    const index = rates.findIndex((rate) => Number.isFinite(rate));
    return index < 0 ? undefined : this.#stepOf(index);
  }

  /** The steps of a part at which this is above `top`, in order. */
  above(
    name: 'losses' | 'norms',
    top: number,
    { from = 1, to = this.length }: LossPart = {},
  ): { readonly step: number; readonly value: number }[] {
    const values = this.#kept.columns[name];
    const found: { step: number; value: number }[] = [];
    const begin = Math.max(0, Math.ceil((from - 1) / this.stride));
    for (let index = begin; index < values.length && this.#stepOf(index) <= to; index++) {
      const value = values[index] ?? NaN;
      if (value > top && Number.isFinite(value)) found.push({ step: this.#stepOf(index), value });
    }
    return found;
  }

  /**
   * What is known of a step, or of the last one before it that is kept; undefined outside of the
   * run.
   */
  at(step: number, smoothing = 1): LossPoint | undefined {
    if (step > this.length) return undefined;
    const index = Math.floor((step - 1) / this.stride);
    const loss = this.#kept.columns.losses[index];
    if (loss === undefined) return undefined;
    const kept = this.#stepOf(index);
    return {
      step: kept,
      loss,
      smoothed: this.#smoothed(smoothing)[index] ?? NaN,
      validation: this.#validation.get(step),
      rate: this.#kept.columns.rates[index] ?? NaN,
      norm: this.#kept.columns.norms[index] ?? NaN,
    };
  }

  /** The loss of exactly this step; undefined if it is not kept. */
  lossAt(step: number): number | undefined {
    if (step === this.#lastStep) return this.#last;
    const point = this.at(step);
    return point?.step === step && Number.isFinite(point.loss) ? point.loss : undefined;
  }

  #stepOf(index: number): number {
    return 1 + index * this.stride;
  }

  /** The running mean of `smoothing` times the usual span, at each step that is kept. */
  #smoothed(smoothing: number): readonly number[] {
    if (smoothing === 1) return this.#kept.columns.smooth;
    const { stride } = this;
    if (this.#other?.smoothing !== smoothing || this.#other.stride !== stride) {
      this.#other = { smoothing, stride, mean: new RunningMean(smoothing, stride) };
      this.#otherSmooth = [];
    }
    for (let index = this.#otherSmooth.length; index < this.#kept.columns.losses.length; index++) {
      this.#otherSmooth.push(this.#other.mean.add(this.#kept.columns.losses[index] ?? NaN));
    }
    return this.#otherSmooth;
  }

  addValidation(step: number, loss: number): void {
    this.#validation.set(step, loss);
  }

  /**
   * Rows for a chart of at most about `most` points; steps with a validation loss always stay. One
   * step on either side of the part is taken along, so that lines run to the edges of the picture.
   */
  columns(most: number, part: LossPart = {}): LossColumns {
    const { from = 1, to = this.length, smoothing = 1, logSteps = false } = part;
    const kept = this.stride;
    const begin = Math.max(0, Math.floor((from - 1) / kept) - 1);
    const end = Math.min(this.#kept.columns.losses.length, Math.ceil(to / kept) + 1);
    const every = Math.max(1, Math.ceil((end - begin) / most));
    // Of `most` equally wide slots along a logarithmic axis, the one that an index falls into.
    const slots = most / Math.log(Math.max(2, end / (begin + 1)));
    const slot = (index: number): number => Math.floor(slots * Math.log((index + 1) / (begin + 1)));
    const smooth = this.#smoothed(smoothing);
    const columns: LossColumns = {
      steps: [],
      losses: [],
      smoothed: [],
      validation: [],
      rates: [],
      norms: [],
    };
    for (let index = begin; index < end; index++) {
      const step = this.#stepOf(index);
      const validation = this.#validationFrom(step, step + kept);
      const chosen = logSteps ? slot(index) > slot(index - 1) : index % every === 0;
      const onGrid = chosen || index === begin || index === end - 1;
      if (!onGrid && validation === undefined) continue;
      columns.steps.push(step);
      columns.losses.push(onGrid ? known(this.#kept.columns.losses[index]) : null);
      columns.smoothed.push(known(smooth[index]));
      columns.validation.push(validation ?? null);
      columns.rates.push(known(this.#kept.columns.rates[index]));
      columns.norms.push(known(this.#kept.columns.norms[index]));
    }
    return columns;
  }

  /** The validation loss of the first step from `from` on, and before `end`, that has one. */
  #validationFrom(from: number, end: number): number | undefined {
    for (let step = from; step < end; step++) {
      const loss = this.#validation.get(step);
      if (loss !== undefined) return loss;
    }
    return undefined;
  }

  /** The validation loss nearest to a step, with its own; of two that are as near, the earlier. */
  validationNear(step: number): { step: number; loss: number } | undefined {
    let near: { step: number; loss: number } | undefined;
    for (const [at, loss] of this.#validation) {
      if (near === undefined || Math.abs(at - step) < Math.abs(near.step - step))
        near = { step: at, loss };
    }
    return near;
  }

  /** Means over blocks of `size` steps; the last block may be shorter. */
  blocks(size: number): LossBlock[] {
    const blocks: LossBlock[] = [];
    for (let start = 0; start < this.length; start += size) {
      const end = Math.min(start + size, this.length);
      const part = this.#kept.columns.losses
        .slice(Math.ceil(start / this.stride), Math.ceil(end / this.stride))
        .filter(Number.isFinite);
      if (part.length === 0) continue;
      const mean = part.reduce((sum, loss) => sum + loss, 0) / part.length;
      let [lowest, highest] = [Infinity, -Infinity];
      for (const loss of part) {
        lowest = Math.min(lowest, loss);
        highest = Math.max(highest, loss);
      }
      blocks.push({ from: start + 1, to: end, mean, lowest, highest });
    }
    return blocks;
  }

  /** The last validation loss at or before `step` and after `after`, if any. */
  validationIn(after: number, step: number): number | undefined {
    let found: number | undefined;
    for (const [at, loss] of this.#validation) if (at > after && at <= step) found = loss;
    return found;
  }

  /** The last step up to `step` at which all of `runs` have a validation loss, if there is one. */
  static commonValidation(runs: readonly LossHistory[], step: number): number | undefined {
    const [first, ...others] = runs;
    if (first === undefined) return undefined;
    return [...first.#validation.keys()]
      .filter((at) => at <= step && others.every((other) => other.#validation.has(at)))
      .at(-1);
  }

  /** The last validation loss up to `step`, with its own step. */
  validationUntil(step: number): { step: number; loss: number } | undefined {
    const last = [...this.#validation].filter(([at]) => at <= step).at(-1);
    return last === undefined ? undefined : { step: last[0], loss: last[1] };
  }

  /**
   * A round block size that keeps the table below some sixty rows; the steps themselves of the
   * shortest runs.
   */
  blockSize(): number {
    if (this.length <= SINGLE_STEPS) return 1;
    for (let size = 100; ; size *= 10) {
      const found = [size, 2 * size, 5 * size].find((one) => this.length / one <= 60);
      if (found !== undefined) return found;
    }
  }
}

/** Up to this many steps each has a row of its own. */
const SINGLE_STEPS = 20;

/** A running mean is over this part of the steps so far .. */
const SHARE = 1 / 10;
/** .. but over no more steps than these. */
const LONGEST = 150;

/**
 * A running mean over a fixed share of what was seen: the steep fall at the start is not smeared,
 * and late steps are not noisy. Each value comes in by the weight min(1, max(1 / 150, 10 / t)) at
 * step t; web/docs/glossary.md tells readers. Corrected for its empty start.
 */
class RunningMean {
  readonly #strength: number;
  readonly #stride: number;
  #count = 0;
  #average = 0;
  #weight = 0;

  /**
   * `strength` multiplies the span, at 0 the values stay as they are; `stride` steps lie between
   * them.
   */
  constructor(strength: number, stride = 1) {
    this.#strength = strength;
    this.#stride = stride;
  }

  get value(): number {
    return this.#average / this.#weight;
  }

  /** Counts values that are not known, up to `count` in all. */
  skipTo(count: number): void {
    this.#count = Math.max(this.#count, count);
  }

  /** Goes on by one value; the mean there. */
  add(loss: number): number {
    const step = 1 + this.#count++ * this.#stride;
    const span = (this.#strength * Math.min(LONGEST, SHARE * step)) / this.#stride;
    const keep = span > 1 ? 1 - 1 / span : 0;
    // A file may not have the loss of every step.
    if (Number.isFinite(loss)) {
      this.#average = keep * this.#average + (1 - keep) * loss;
      this.#weight = keep * this.#weight + (1 - keep);
    }
    return this.value;
  }
}

function known(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null;
}
