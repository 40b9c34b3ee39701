/**
 * The losses of one run, from which the chart, its summary and its table are drawn. Does not touch
 * the DOM.
 */
import { KeptSteps } from '../base/kept-steps.ts';

/** Factors of 1: losses stay in nats per token. */
const NATS = { train: 1, validation: 1 };

/** Statistics of a block of steps: one row of the table. */
export interface LossBlock {
  readonly from: number;
  readonly to: number;
  readonly mean: number;
  readonly lowest: number;
  readonly highest: number;
}

/** Columns of a chart, one row per x; null where a curve has no point. */
export interface LossColumns {
  readonly steps: number[];
  readonly losses: (number | null)[];
  readonly smoothed: (number | null)[];
  readonly validation: (number | null)[];
  readonly rates: (number | null)[];
  readonly norms: (number | null)[];
}

/** The curve of a saved run: the numbers of every `stride`-th step, from step 1. */
export interface KeptCurve {
  readonly stride?: number;
  readonly losses: Float32Array;
  readonly learningRates: Float32Array;
  readonly gradientNorms: Float32Array;
}

/** The numbers of one step. */
export interface LossPoint {
  readonly step: number;
  /** NaN if the run's file does not contain the loss; likewise `rate` and `norm`. */
  readonly loss: number;
  readonly smoothed: number;
  readonly validation: number | undefined;
  readonly rate: number;
  readonly norm: number;
}

/** Share (0 to 1) of prompts whose greedy continuation equals the text; see MemorisedPoint. */
export interface Memorised {
  readonly step: number;
  readonly train: number;
  /** NaN if nothing is held out. */
  readonly heldOut: number;
}

/** Range of steps to read from the curve, and the smoothing. */
export interface LossPart {
  /** First and last step; all steps by default. */
  readonly from?: number;
  readonly to?: number;
  /** Factor on the default span of the running mean; 1 by default. */
  readonly smoothing?: number;
  /**
   * Whether points are evenly spaced on a logarithmic axis, which keeps more points of early steps.
   */
  readonly logSteps?: boolean;
}

/** Losses of a run with running means, in bounded memory. */
export class LossHistory {
  readonly #kept = new KeptSteps(['losses', 'rates', 'norms', 'smooth'] as const);
  #last: number | undefined;
  #lastStep = 0;
  #highest = -Infinity;
  readonly #usual = new RunningMean(1);
  /**
   * Running mean of the stored losses for the most recently requested smoothing other than 1; null
   * before any such request.
   */
  #other: {
    readonly smoothing: number;
    readonly stride: number;
    readonly mean: RunningMean;
  } | null = null;
  #otherSmooth: number[] = [];
  readonly #validation = new Map<number, number>();
  /** Ascending by step. */
  readonly memorised: Memorised[] = [];

  /** Number of steps so far, including steps whose loss is unknown; steps count from 1. */
  get length(): number {
    return this.#kept.length;
  }

  /** Distance between stored steps. */
  get stride(): number {
    return this.#kept.stride;
  }

  /** The stored losses, from step 1. */
  get all(): readonly number[] {
    return this.#kept.columns.losses;
  }

  get first(): number | undefined {
    return this.#kept.columns.losses[0];
  }

  get last(): number | undefined {
    return this.#last;
  }

  /** Highest loss of all steps, stored or not. */
  get highest(): number {
    return this.#highest;
  }

  /** The stored numbers of the first `step` steps, in the form of a saved run. */
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

  /** The lowest validation loss with its step, the first of equals, or undefined. */
  get lowestValidation(): { step: number; loss: number } | undefined {
    const [first, ...rest] = this.validations;
    return rest.reduce((best, one) => (best && one.loss < best.loss ? one : best), first);
  }

  /** The last value of the curve with this smoothing; undefined before the first step. */
  smoothedLast(smoothing = 1): number | undefined {
    if (this.length === 0) return undefined;
    return smoothing === 1 ? this.#usual.value : this.#smoothed(smoothing).at(-1);
  }

  /** The newest validation loss with its step, or undefined. */
  get lastValidation(): { step: number; loss: number } | undefined {
    return this.validationUntil(Infinity);
  }

  /** All validation losses, ascending by step. */
  get validations(): { step: number; loss: number }[] {
    return [...this.#validation].map(([step, loss]) => ({ step, loss }));
  }

  /**
   * Adds losses of the steps after `from`, with learning rates and gradient norms if known; skips
   * steps that are already there.
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
   * Restores the curve of a saved run of `steps` steps; call before anything is added. Time depends
   * on the size of `kept` alone, because a file may claim any number of steps.
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
    // A file of a long run does not contain every loss.
    if (Number.isFinite(loss)) {
      this.#last = loss;
      this.#lastStep = this.length + 1;
      this.#highest = Math.max(this.#highest, loss);
    }
    this.#kept.add({ losses: loss, rates: rate, norms: norm, smooth });
  }

  /**
   * First step with a known learning rate and gradient norm; undefined if no step has them, since
   * checkpoint files contain losses only.
   */
  get measuredFrom(): number | undefined {
    const { rates } = this.#kept.columns;
    const index = rates.findIndex((rate) => Number.isFinite(rate));
    return index < 0 ? undefined : this.#stepOf(index);
  }

  /** Steps within the part whose value in column `name` exceeds `top`, ascending. */
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
   * The numbers of the last stored step up to `step`, but the validation loss of `step` itself;
   * undefined outside the run.
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

  /** The loss of exactly this step; undefined if it is not stored. */
  lossAt(step: number): number | undefined {
    if (step === this.#lastStep) return this.#last;
    const point = this.at(step);
    return point?.step === step && Number.isFinite(point.loss) ? point.loss : undefined;
  }

  #stepOf(index: number): number {
    return 1 + index * this.stride;
  }

  /** The running mean at each stored step; `smoothing` is a factor on the default span. */
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
   * Rows of a chart: about `most` steps, plus every step with a validation loss. Includes one step
   * on either side of the part, so that lines reach the edges. Multiplies losses by the factors
   * `train` and `validation` of the unit; a factor of NaN makes them null.
   */
  columns(most: number, part: LossPart = {}, { train, validation } = NATS): LossColumns {
    const { from = 1, to = this.length, smoothing = 1, logSteps = false } = part;
    const kept = this.stride;
    const begin = Math.max(0, Math.floor((from - 1) / kept) - 1);
    const end = Math.min(this.#kept.columns.losses.length, Math.ceil(to / kept) + 1);
    const every = Math.max(1, Math.ceil((end - begin) / most));
    // Index of the slot that contains `index`, of `most` equally wide slots on a logarithmic axis.
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
      const measured = this.#validationFrom(step, step + kept);
      const chosen = logSteps ? slot(index) > slot(index - 1) : index % every === 0;
      const onGrid = chosen || index === begin || index === end - 1;
      if (!onGrid && measured === undefined) continue;
      columns.steps.push(step);
      columns.losses.push(onGrid ? known(this.#kept.columns.losses[index], train) : null);
      columns.smoothed.push(known(smooth[index], train));
      columns.validation.push(known(measured, validation));
      columns.rates.push(known(this.#kept.columns.rates[index]));
      columns.norms.push(known(this.#kept.columns.norms[index]));
    }
    return columns;
  }

  /** The first validation loss from step `from` up to but not including `end`, or undefined. */
  #validationFrom(from: number, end: number): number | undefined {
    for (let step = from; step < end; step++) {
      const loss = this.#validation.get(step);
      if (loss !== undefined) return loss;
    }
    return undefined;
  }

  /** The validation loss nearest to `step`, the earlier of two equally near, or undefined. */
  validationNear(step: number): { step: number; loss: number } | undefined {
    let near: { step: number; loss: number } | undefined;
    for (const [at, loss] of this.#validation) {
      if (near === undefined || Math.abs(at - step) < Math.abs(near.step - step))
        near = { step: at, loss };
    }
    return near;
  }

  /** Statistics of blocks of `size` steps; the last block may be shorter. */
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

  /** The last validation loss after step `after` and up to `step`, or undefined. */
  validationIn(after: number, step: number): number | undefined {
    let found: number | undefined;
    for (const [at, loss] of this.#validation) if (at > after && at <= step) found = loss;
    return found;
  }

  /** The last step up to `step` at which all `runs` have a validation loss, or undefined. */
  static commonValidation(runs: readonly LossHistory[], step: number): number | undefined {
    const [first, ...others] = runs;
    if (first === undefined) return undefined;
    return [...first.#validation.keys()]
      .filter((at) => at <= step && others.every((other) => other.#validation.has(at)))
      .at(-1);
  }

  /** The last validation loss up to `step`, or undefined. */
  validationUntil(step: number): { step: number; loss: number } | undefined {
    const last = [...this.#validation].filter(([at]) => at <= step).at(-1);
    return last === undefined ? undefined : { step: last[0], loss: last[1] };
  }

  /** A round block size for at most 60 rows; 1 for a run of at most SINGLE_STEPS. */
  blockSize(): number {
    if (this.length <= SINGLE_STEPS) return 1;
    for (let size = 100; ; size *= 10) {
      const found = [size, 2 * size, 5 * size].find((one) => this.length / one <= 60);
      if (found !== undefined) return found;
    }
  }
}

/** Maximum steps of a run whose table has a row for each step. */
const SINGLE_STEPS = 20;

/** The running mean spans this share of the steps so far, but at most LONGEST steps. */
const SHARE = 1 / 10;
const LONGEST = 150;

/**
 * Running mean over a growing span, so that the steep start is not smeared and late steps are not
 * noisy. The value of step t has the weight min(1, max(1 / 150, 10 / t)), with a correction for the
 * empty start; explained to readers in web/docs/glossary.md.
 */
class RunningMean {
  readonly #strength: number;
  readonly #stride: number;
  #count = 0;
  #average = 0;
  #weight = 0;

  /**
   * `strength` is a factor on the span, 0 for no smoothing; `stride` is the distance between
   * values.
   */
  constructor(strength: number, stride = 1) {
    this.#strength = strength;
    this.#stride = stride;
  }

  get value(): number {
    return this.#average / this.#weight;
  }

  /** Counts values as unknown, up to `count` values in all. */
  skipTo(count: number): void {
    this.#count = Math.max(this.#count, count);
  }

  /** Adds the next value, NaN if unknown; returns the mean, NaN before any known value. */
  add(loss: number): number {
    const step = 1 + this.#count++ * this.#stride;
    const span = (this.#strength * Math.min(LONGEST, SHARE * step)) / this.#stride;
    const keep = span > 1 ? 1 - 1 / span : 0;
    // A file may lack the losses of some steps.
    if (Number.isFinite(loss)) {
      this.#average = keep * this.#average + (1 - keep) * loss;
      this.#weight = keep * this.#weight + (1 - keep);
    }
    return this.value;
  }
}

/** Returns `value` times `factor`; null if the product is not finite. */
function known(value = NaN, factor = 1): number | null {
  return Number.isFinite(value * factor) ? value * factor : null;
}
