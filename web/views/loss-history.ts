/**
 * The losses of one run: everything that the chart, its summary and its table are drawn from.
 * Knows no DOM.
 */

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

/** Which part of the curve to take, and how smooth. */
export interface LossPart {
  /** Steps from and to, both included; all of them unless said otherwise. */
  readonly from?: number;
  readonly to?: number;
  /** Times the usual span of the running mean; 1 unless said otherwise. */
  readonly smoothing?: number;
}

/** Losses as they come, smoothed on the way. */
export class LossHistory {
  readonly #losses: number[] = [];
  readonly #rates: number[] = [];
  readonly #norms: number[] = [];
  readonly #usual = new RunningMean(1);
  /** Another strength, for as long as it is asked for. */
  #other = new RunningMean(1);
  readonly #validation = new Map<number, number>();

  /** Steps that have a loss; step numbers begin at 1. */
  get length(): number {
    return this.#losses.length;
  }

  /** All losses; the first is that of step 1. */
  get all(): readonly number[] {
    return this.#losses;
  }

  get first(): number | undefined {
    return this.#losses[0];
  }

  get last(): number | undefined {
    return this.#losses.at(-1);
  }

  /** The smoothed loss of the last step. */
  get smoothedLast(): number | undefined {
    return this.#usual.values.at(-1);
  }

  /** The newest validation loss with its step. */
  get lastValidation(): { step: number; loss: number } | undefined {
    const last = [...this.#validation].at(-1);
    return last === undefined ? undefined : { step: last[0], loss: last[1] };
  }

  /**
   * Adds the losses of the steps after `from`, with the learning rates and the lengths of the gradient
   * of the same steps where they are known; what is already there is left alone.
   */
  append(
    from: number,
    losses: ArrayLike<number>,
    rates: ArrayLike<number> = [],
    norms: ArrayLike<number> = [],
  ): void {
    for (let index = Math.max(0, this.length - from); index < losses.length; index++) {
      this.#losses.push(losses[index] ?? NaN);
      this.#rates.push(rates[index] ?? NaN);
      this.#norms.push(norms[index] ?? NaN);
    }
    this.#usual.follow(this.#losses);
  }

  /** What is known of a step; undefined outside of the run. */
  at(step: number, smoothing = 1): LossPoint | undefined {
    const index = step - 1;
    const loss = this.#losses[index];
    if (loss === undefined) return undefined;
    return {
      step,
      loss,
      smoothed: this.#smoothed(smoothing)[index] ?? NaN,
      validation: this.#validation.get(step),
      rate: this.#rates[index] ?? NaN,
      norm: this.#norms[index] ?? NaN,
    };
  }

  /** The running mean of `smoothing` times the usual span. */
  #smoothed(smoothing: number): readonly number[] {
    if (smoothing === 1) return this.#usual.values;
    if (this.#other.strength !== smoothing) this.#other = new RunningMean(smoothing);
    return this.#other.follow(this.#losses);
  }

  addValidation(step: number, loss: number): void {
    this.#validation.set(step, loss);
  }

  /**
   * Rows for a chart of at most about `most` points; steps with a validation loss always stay. One
   * step on either side of the part is taken along, so that lines run to the edges of the picture.
   */
  columns(most: number, { from = 1, to = this.length, smoothing = 1 }: LossPart = {}): LossColumns {
    const begin = Math.max(0, Math.floor(from) - 2);
    const end = Math.min(this.length, Math.ceil(to) + 1);
    const stride = Math.max(1, Math.ceil((end - begin) / most));
    const smooth = this.#smoothed(smoothing);
    const columns: LossColumns = {
      ...{ steps: [], losses: [], smoothed: [], validation: [], rates: [], norms: [] },
    };
    for (let index = begin; index < end; index++) {
      const step = index + 1;
      const validation = this.#validation.get(step);
      const onGrid = index % stride === 0 || index === begin || step === end;
      if (!onGrid && validation === undefined) continue;
      columns.steps.push(step);
      columns.losses.push(onGrid ? known(this.#losses[index]) : null);
      columns.smoothed.push(known(smooth[index]));
      columns.validation.push(validation ?? null);
      columns.rates.push(known(this.#rates[index]));
      columns.norms.push(known(this.#norms[index]));
    }
    return columns;
  }

  /** Means over blocks of `size` steps; the last block may be shorter. */
  blocks(size: number): LossBlock[] {
    const blocks: LossBlock[] = [];
    for (let start = 0; start < this.length; start += size) {
      const end = Math.min(start + size, this.length);
      const part = this.#losses.slice(start, end).filter(Number.isFinite);
      if (part.length === 0) continue;
      const mean = part.reduce((sum, loss) => sum + loss, 0) / part.length;
      blocks.push({
        from: start + 1,
        to: end,
        mean,
        lowest: Math.min(...part),
        highest: Math.max(...part),
      });
    }
    return blocks;
  }

  /** The last validation loss at or before `step` and after `after`, if any. */
  validationIn(after: number, step: number): number | undefined {
    let found: number | undefined;
    for (const [at, loss] of this.#validation) if (at > after && at <= step) found = loss;
    return found;
  }

  /** A round block size that keeps the table below some sixty rows. */
  blockSize(): number {
    const sizes = [100, 200, 500, 1000, 2000, 5000, 10000];
    return sizes.find((size) => this.length / size <= 60) ?? 20000;
  }
}

/**
 * A running mean over about a fifteenth of what was seen: the steep fall at the start is not smeared,
 * and late steps are not noisy. Corrected for its empty start.
 */
class RunningMean {
  readonly strength: number;
  readonly values: number[] = [];
  #average = 0;
  #weight = 0;

  /** `strength` multiplies the span; at 0 the values stay as they are. */
  constructor(strength: number) {
    this.strength = strength;
  }

  /** Goes on to the end of `losses`. */
  follow(losses: readonly number[]): readonly number[] {
    for (let index = this.values.length; index < losses.length; index++) {
      const loss = losses[index] ?? NaN;
      const span = this.strength * Math.min(150, Math.max(8, index / 15));
      const keep = span > 1 ? 1 - 1 / span : 0;
      // A file may not have the loss of every step.
      if (Number.isFinite(loss)) {
        this.#average = keep * this.#average + (1 - keep) * loss;
        this.#weight = keep * this.#weight + (1 - keep);
      }
      this.values.push(this.#average / this.#weight);
    }
    return this.values;
  }
}

function known(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null;
}
