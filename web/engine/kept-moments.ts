/**
 * Moments of the run that trains, at as many of its steps as fit into a budget of bytes:
 * close together at the beginning, where most happens, then at even distances. They lie outside the
 * memory of the module.
 */
import { failure } from './errors.ts';
import type { LiveChange, WayBack } from './interface/past.ts';
import type { Run } from './run.ts';

/**
 * Tokens that are trained between two moments at least: to copy a weight and its moments takes
 * about as long as to train twenty tokens on it, and copies may cost a fiftieth of the time.
 */
const LEAST_TOKENS = 1000;

export class KeptMoments {
  readonly #budget: number;
  #run: Run | null = null;
  /** From which on moments are kept: a run that came from a file has no earlier steps. */
  #first = 0;
  #every = 1;
  /** By steps; a map keeps the order in which they came. */
  readonly #kept = new Map<number, Uint8Array<ArrayBuffer>>();
  #bytes = 0;
  #changes: LiveChange[] = [];

  constructor(budget: number) {
    this.#budget = budget;
  }

  get steps(): readonly number[] {
    return [...this.#kept.keys()];
  }

  /** Keeps where `run` is, if that is a step to be kept. */
  note(run: Run): void {
    if (run !== this.#run) this.#begin(run);
    const { step } = run;
    if (this.#kept.has(step) || !this.#isWanted(step)) return;
    const bytes = run.model.momentBytes();
    if (bytes === 0) return;
    this.#spread(run, bytes);
    if (!this.#isWanted(step) || this.#bytes + bytes > this.#budget) return;
    const moment = run.model.takeMoment();
    this.#kept.set(step, moment);
    this.#bytes += moment.length;
  }

  /** An option of the run has another value from the next step on. */
  change(run: Run, option: string, value: number): void {
    if (run !== this.#run) this.#begin(run);
    this.#changes.push({ step: run.step, option, value });
  }

  wayBack(run: Run, step: number): WayBack {
    const from = Math.max(...this.steps.filter((kept) => kept <= step));
    const moment = run === this.#run ? this.#kept.get(from) : undefined;
    if (moment === undefined || !Number.isInteger(step) || step > run.step) {
      throw failure('past', 'no moment before this step is kept', [step, run.step]);
    }
    const changes = this.#changes.filter((one) => one.step >= from && one.step < step);
    return { step, from, moment: moment.slice(), changes };
  }

  #begin(run: Run): void {
    this.#run = run;
    this.#first = run.step;
    this.#kept.clear();
    this.#bytes = 0;
    this.#changes = [];
    this.#every = Math.max(1, Math.ceil(LEAST_TOKENS / run.tokensPerStep));
  }

  /** The first one, of early steps those that are powers of two, then one of `every`. */
  #isWanted(step: number): boolean {
    const isEarly = step < this.#every && Number.isInteger(Math.log2(step));
    return step === this.#first || step % this.#every === 0 || isEarly;
  }

  /** Makes room for moments of `bytes` up to the last step of the run, and for one more now. */
  #spread(run: Run, bytes: number): void {
    const wanted = (every: number): number => run.steps / every + Math.log2(every) + 2;
    const isTooMany = (): boolean =>
      wanted(this.#every) * bytes > this.#budget || this.#bytes + bytes > this.#budget;
    // By doubling, so that those which stay are those that would have been kept from the beginning.
    while (isTooMany() && this.#every <= run.steps) {
      const [now, next] = [this.#every, Math.ceil(run.steps / (this.#budget / bytes - 2))];
      // At the beginning of a run nothing is there to be kept: any distance will do.
      this.#every = this.#kept.size <= 1 && next > now ? next : 2 * now;
      for (const [step, moment] of this.#kept) {
        if (this.#isWanted(step)) continue;
        this.#kept.delete(step);
        this.#bytes -= moment.length;
      }
    }
  }
}
