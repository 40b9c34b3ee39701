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
}

/** Losses as they come, smoothed on the way. */
export class LossHistory {
  readonly #losses: number[] = [];
  readonly #smoothed: number[] = [];
  readonly #validation = new Map<number, number>();
  #average = 0;
  #weight = 0;

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
    return this.#smoothed.at(-1);
  }

  /** The newest validation loss with its step. */
  get lastValidation(): { step: number; loss: number } | undefined {
    const last = [...this.#validation].at(-1);
    return last === undefined ? undefined : { step: last[0], loss: last[1] };
  }

  /** Adds the losses of the steps after `from`; what is already known is left alone. */
  append(from: number, losses: ArrayLike<number>): void {
    for (let index = Math.max(0, this.length - from); index < losses.length; index++) {
      const loss = losses[index] ?? NaN;
      // A running mean over about a fifteenth of what was seen: the steep fall at the start is not
      // smeared, and late steps are not noisy. Corrected for its empty start.
      const span = Math.min(150, Math.max(8, this.#losses.length / 15));
      const keep = 1 - 1 / span;
      // A file may not have the loss of every step.
      if (Number.isFinite(loss)) {
        this.#average = keep * this.#average + (1 - keep) * loss;
        this.#weight = keep * this.#weight + (1 - keep);
      }
      this.#losses.push(loss);
      this.#smoothed.push(this.#average / this.#weight);
    }
  }

  addValidation(step: number, loss: number): void {
    this.#validation.set(step, loss);
  }

  /** Rows for a chart of at most about `most` points; steps with a validation loss always stay. */
  columns(most: number): LossColumns {
    const stride = Math.max(1, Math.ceil(this.length / most));
    const columns: LossColumns = { steps: [], losses: [], smoothed: [], validation: [] };
    for (let index = 0; index < this.length; index++) {
      const step = index + 1;
      const validation = this.#validation.get(step);
      const onGrid = index % stride === 0 || step === this.length;
      if (!onGrid && validation === undefined) continue;
      columns.steps.push(step);
      const loss = this.#losses[index] ?? NaN;
      columns.losses.push(onGrid && Number.isFinite(loss) ? loss : null);
      columns.smoothed.push(this.#smoothed[index] ?? null);
      columns.validation.push(validation ?? null);
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
