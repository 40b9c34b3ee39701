/**
 * Snapshots of the run that trains, at as many of its steps as fit into a budget of bytes:
 * close together at the beginning, where most happens, then at even distances. They lie outside the
 * memory of the module; more of them, at smaller distances, in a file where there is one.
 */
import { failure } from './errors.ts';
import type { SnapshotFile } from './snapshot-file.ts';
import type { KeptMoment, LiveChange, WayBack } from './interface/past.ts';
import { readChanges } from './receipt.ts';
import type { Run } from './run.ts';

/**
 * Tokens that are trained between two snapshots at least: to copy a weight and its moments takes
 * about as long as to train twenty tokens on it, and copies may cost a fiftieth of the time.
 */
const LEAST_TOKENS = 1000;
/** Of each step in a snapshot, and steps at most: see trainer.h. */
const LOSS_BYTES = 4;
const MOST_LOSSES = 2 ** 18;
/** For changes that are still to come in the run: more than a hundred. */
const CHANGES_BYTES = 4096;
/** From one distance of snapshots to the next that is tried. */
const FINER = 1.02;

export class KeptSnapshots {
  #budget: number;
  #file: SnapshotFile | null = null;
  /** The distance of snapshots in the file. */
  #fine = 1;
  #run: Run | null = null;
  /** From which on snapshots are kept: a run that came from a file has no earlier steps. */
  #first = 0;
  #every = 1;
  /** By steps; a map keeps the order in which they came. */
  readonly #kept = new Map<number, Uint8Array<ArrayBuffer>>();
  #bytes = 0;
  #changes: LiveChange[] = [];

  constructor(budget: number) {
    this.#budget = budget;
  }

  /** From now on keeps more of them there. */
  addFile(file: SnapshotFile): void {
    this.#file = file;
    if (this.#run !== null) this.#useFile(this.#run, file);
  }

  get steps(): readonly number[] {
    return [...this.#kept.keys()];
  }

  /** Keeps where `run` is, if that is a step to be kept. */
  note(run: Run): void {
    if (run !== this.#run) this.#begin(run);
    try {
      this.#keep(run);
    } catch {
      // Memory is short: training needs it more.
      this.#forget();
      this.#budget = 0;
    }
  }

  #keep(run: Run): void {
    const { step } = run;
    const file = step % this.#fine === 0 ? this.#file : null;
    const isOne = file !== null || this.#isWanted(step);
    // Of most steps nothing is kept: this runs after each of them.
    if (!isOne || this.#budget === 0 || this.#kept.has(step)) return;
    const bytes = run.model.snapshotBytes();
    if (bytes === 0) return;
    if (this.#isWanted(step)) this.#spread(run, bytes);
    if (this.#isWanted(step) && this.#bytes + bytes <= this.#budget) {
      this.#put(step, run.model.takeSnapshot());
    } else if (file !== null) this.#shelve(run, file, run.model.takeSnapshot());
  }

  /** Into the file, in which there is room for it with every second of the others. */
  #shelve(run: Run, file: SnapshotFile, snapshot: Uint8Array): void {
    const { step } = run;
    // The run goes on for longer than it was to.
    if (snapshot.length > file.slot) this.#useFile(run, file);
    if (file.put(step, snapshot)) return;
    this.#fine *= 2;
    for (const one of file.steps) if (one % this.#fine !== 0) file.drop(one);
    if (step % this.#fine === 0) file.put(step, snapshot);
  }

  /** A copy, for who may take it over. */
  #snapshotOf(step: number): Uint8Array<ArrayBuffer> | null {
    return this.#kept.get(step)?.slice() ?? this.#file?.get(step) ?? null;
  }

  /**
   * Takes snapshots of earlier steps of `run` back; answers the first step that is kept. Those of
   * another version of the engine are of no use.
   */
  give(run: Run, snapshots: readonly KeptMoment[]): number {
    if (run !== this.#run) this.#begin(run);
    const own = [...this.#kept];
    const [, ours] = own[0] ?? [];
    const earlier = snapshots.filter(
      ({ step, bytes }) => step < this.#first && ours !== undefined && areOfOneRun(bytes, ours),
    );
    this.#forget();
    for (const { step, bytes } of earlier) this.#put(step, bytes);
    for (const [step, bytes] of own) this.#put(step, bytes);
    const steps = this.steps;
    this.#first = steps[0] ?? this.#first;
    // On with the distances that they have.
    const gaps = earlier.slice(1).map(({ step }, at) => step - (earlier[at]?.step ?? 0));
    this.#every = Math.max(this.#every, ...gaps);
    this.#changes = readChanges({ json: run.model.receiptJson() }).map(({ step, option, to }) => ({
      step,
      option,
      value: to,
    }));
    return this.#first;
  }

  /** An option of the run has another value from the next step on. */
  change(run: Run, option: string, value: number): void {
    if (run !== this.#run) this.#begin(run);
    this.#changes.push({ step: run.step, option, value });
  }

  wayBack(run: Run, step: number, have = -1): WayBack {
    if (step > run.step) throw failure('past', 'the run has not come so far', [step, run.step]);
    const all = run === this.#run ? [...this.steps, ...(this.#file?.steps ?? [])] : [];
    const before = all.filter((one) => one <= step).sort((a, b) => b - a);
    const way = (from: number, snapshot: WayBack['moment']): WayBack => {
      const changes = this.#changes.filter((one) => one.step >= from && one.step < step);
      return { step, from, moment: snapshot, changes };
    };
    if (Number.isInteger(step)) {
      if (have <= step && have >= (before[0] ?? Infinity)) return way(have, null);
      // What cannot be read from the file has another one before it.
      for (const one of before) {
        const snapshot = this.#snapshotOf(one);
        if (snapshot !== null) return way(one, snapshot);
      }
    }
    throw failure('past', 'no moment before this step is kept', [step, run.step]);
  }

  #begin(run: Run): void {
    this.#run = run;
    this.#first = run.step;
    this.#forget();
    this.#changes = [];
    this.#every = leastDistance(run);
    if (this.#file !== null) this.#useFile(run, this.#file);
  }

  #put(step: number, snapshot: Uint8Array<ArrayBuffer>): void {
    if (this.#bytes + snapshot.length > this.#budget) return;
    this.#kept.set(step, snapshot);
    this.#bytes += snapshot.length;
  }

  #useFile(run: Run, file: SnapshotFile): void {
    const last = lastBytes(run, run.model.snapshotBytes());
    file.clear(last);
    this.#fine = Math.max(leastDistance(run), Math.ceil((run.steps * last) / file.limit));
  }

  #forget(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }

  /** The first one, of early steps those that are powers of two, then one of `every`. */
  #isWanted(step: number): boolean {
    const isEarly = step < this.#every && Number.isInteger(Math.log2(step));
    return step === this.#first || step % this.#every === 0 || isEarly;
  }

  /** Makes room for snapshots of `bytes` up to the last step of the run, and for one more now. */
  #spread(run: Run, bytes: number): void {
    const last = lastBytes(run, bytes);
    const isTooMany = (): boolean => {
      const wanted = run.steps / this.#every + Math.log2(this.#every) + 2;
      return wanted * last > this.#budget || this.#bytes + bytes > this.#budget;
    };
    while (isTooMany() && this.#every <= run.steps) {
      // At the beginning of a run nothing is there to be kept: any distance will do. Later by
      // doubling, so that those which stay are those that would have been kept from the beginning.
      this.#every = Math.ceil(this.#every * (this.#kept.size <= 1 ? FINER : 2));
      for (const [step, snapshot] of this.#kept) {
        if (this.#isWanted(step)) continue;
        this.#kept.delete(step);
        this.#bytes -= snapshot.length;
      }
    }
  }
}

/** Whether two snapshots have the same form and are of the same run: see c/train/snapshot.c. */
function areOfOneRun(one: Uint8Array, other: Uint8Array): boolean {
  const words = (snapshot: Uint8Array): string =>
    [...snapshot.slice(0, 8), ...snapshot.slice(16, 24)].join();
  return words(one) === words(other);
}

/** Steps between two snapshots at least. */
function leastDistance({ tokensPerStep }: Run): number {
  return Math.max(1, Math.ceil(LEAST_TOKENS / tokensPerStep));
}

/**
 * Bytes of a snapshot at the last step, of one that takes `bytes` now: it has more losses in it,
 * and perhaps more changes.
 */
function lastBytes(run: Run, bytes: number): number {
  return (
    bytes + CHANGES_BYTES + LOSS_BYTES * Math.min(MOST_LOSSES, Math.max(0, run.steps - run.step))
  );
}
