/**
 * Snapshots of the training run within a budget of bytes: dense in the first steps, where most
 * happens, then evenly spaced. Stored outside the module's memory; a file, if available, stores
 * more of them at smaller distances.
 */
import { failure } from './errors.ts';
import type { SnapshotFile } from './snapshot-file.ts';
import type { KeptMoment, LiveChange, WayBack } from './interface/past.ts';
import { readChanges } from './receipt.ts';
import type { Run } from './run.ts';

/**
 * Tokens trained between two snapshots, at least: copying a weight and its moments takes as long as
 * training about twenty tokens on it, and copies may take 2 % of the time.
 */
const LEAST_TOKENS = 1000;
/** Bytes per loss; a snapshot has one loss per step, up to MOST_LOSSES: see c/train/trainer.h. */
const LOSS_BYTES = 4;
const MOST_LOSSES = 2 ** 18;
/** Bytes reserved for more than a hundred later changes of options. */
const CHANGES_BYTES = 4096;
/** Factor between the distances of snapshots that are tried. */
const FINER = 1.02;
/** If fewer snapshots fit, those of early steps give way to evenly spaced ones. */
const ENOUGH = 10;

export class KeptSnapshots {
  #budget: number;
  #file: SnapshotFile | null = null;
  /** Steps between snapshots in the file. */
  #fileDistance = 1;
  #run: Run | null = null;
  /** First step with a snapshot; later than 0 if the run came from a file. */
  #firstStep = 0;
  #distance = 1;
  /** Whether the budget has room for snapshots of early powers of two beside the even ones. */
  #hasEarly = true;
  /** Snapshots by step, in order of arrival. */
  readonly #snapshots = new Map<number, Uint8Array<ArrayBuffer>>();
  #bytes = 0;
  #changes: LiveChange[] = [];

  constructor(budget: number) {
    this.#budget = budget;
  }

  /** Stores further snapshots in `file` from now on. */
  addFile(file: SnapshotFile): void {
    this.#file = file;
    if (this.#run !== null) this.#useFile(this.#run, file);
  }

  get steps(): readonly number[] {
    return [...this.#snapshots.keys()];
  }

  /** Stores a snapshot of `run` if its step is to be kept. */
  note(run: Run): void {
    if (run !== this.#run) this.#begin(run);
    try {
      this.#noteStep(run);
    } catch {
      // Out of memory: training needs it more, so snapshots end here.
      this.#clear();
      this.#budget = 0;
    }
  }

  #noteStep(run: Run): void {
    const { step } = run;
    const file = step % this.#fileDistance === 0 ? this.#file : null;
    const isOne = file !== null || this.#isWanted(step);
    // Runs after every step, and most steps keep nothing.
    if (!isOne || this.#budget === 0 || this.#snapshots.has(step)) return;
    const bytes = run.model.snapshotBytes();
    if (bytes === 0) return;
    if (this.#isWanted(step)) this.#widen(run, bytes);
    if (!this.#hasEarly && this.#isEven(step)) this.#makeRoom(bytes);
    if (this.#isWanted(step) && this.#bytes + bytes <= this.#budget) {
      this.#store(step, run.model.writeSnapshot());
    } else if (file !== null) this.#writeToFile(run, file, run.model.writeSnapshot());
  }

  /** Stores a snapshot in the file; if the file is full, deletes every second snapshot. */
  #writeToFile(run: Run, file: SnapshotFile, snapshot: Uint8Array): void {
    const { step } = run;
    // The planned steps have become more, and with them the losses in a snapshot.
    if (snapshot.length > file.slot) this.#useFile(run, file);
    if (file.put(step, snapshot)) return;
    this.#fileDistance *= 2;
    for (const one of file.steps) if (one % this.#fileDistance !== 0) file.drop(one);
    if (step % this.#fileDistance === 0) file.put(step, snapshot);
  }

  /** Returns a copy, which can be transferred; null if no snapshot of `step` can be read. */
  #snapshotOf(step: number): Uint8Array<ArrayBuffer> | null {
    return this.#snapshots.get(step)?.slice() ?? this.#file?.get(step) ?? null;
  }

  /**
   * Restores snapshots of earlier steps of `run`; returns the first step kept. Ignores snapshots of
   * another run or engine version.
   */
  restore(run: Run, snapshots: readonly KeptMoment[]): number {
    if (run !== this.#run) this.#begin(run);
    const own = [...this.#snapshots];
    const [, ownBytes] = own[0] ?? [];
    const earlier = snapshots.filter(
      ({ step, bytes }) =>
        step < this.#firstStep && ownBytes !== undefined && areOfOneRun(bytes, ownBytes),
    );
    this.#clear();
    for (const { step, bytes } of earlier) this.#store(step, bytes);
    for (const [step, bytes] of own) this.#store(step, bytes);
    const steps = this.steps;
    this.#firstStep = steps[0] ?? this.#firstStep;
    // New snapshots are at least as far apart as the restored ones.
    const gaps = earlier.slice(1).map(({ step }, at) => step - (earlier[at]?.step ?? 0));
    this.#distance = Math.max(this.#distance, ...gaps);
    this.#changes = readChanges({ json: run.model.receiptJson() }).map(({ step, option, to }) => ({
      step,
      option,
      value: to,
    }));
    return this.#firstStep;
  }

  /** Notes a change of an option after the current step. */
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
      // Falls back to an earlier snapshot if one cannot be read from the file.
      for (const one of before) {
        const snapshot = this.#snapshotOf(one);
        if (snapshot !== null) return way(one, snapshot);
      }
    }
    throw failure('past', 'no moment before this step is kept', [step, run.step]);
  }

  #begin(run: Run): void {
    this.#run = run;
    this.#firstStep = run.step;
    this.#clear();
    this.#changes = [];
    this.#distance = leastDistance(run);
    this.#hasEarly = true;
    if (this.#file !== null) this.#useFile(run, this.#file);
  }

  #store(step: number, snapshot: Uint8Array<ArrayBuffer>): void {
    if (this.#bytes + snapshot.length > this.#budget) return;
    this.#snapshots.set(step, snapshot);
    this.#bytes += snapshot.length;
  }

  #useFile(run: Run, file: SnapshotFile): void {
    const last = lastBytes(run, run.model.snapshotBytes());
    file.clear(last);
    this.#fileDistance = Math.max(leastDistance(run), Math.ceil((run.steps * last) / file.limit));
  }

  #clear(): void {
    this.#snapshots.clear();
    this.#bytes = 0;
  }

  #isEven(step: number): boolean {
    return step === this.#firstStep || step % this.#distance === 0;
  }

  /** Deletes snapshots of early steps, the latest first, until `bytes` more fit the budget. */
  #makeRoom(bytes: number): void {
    for (const [step, snapshot] of [...this.#snapshots].reverse()) {
      if (this.#bytes + bytes <= this.#budget) return;
      if (!this.#isEven(step)) this.#drop(step, snapshot);
    }
  }

  #drop(step: number, snapshot: Uint8Array): void {
    this.#snapshots.delete(step);
    this.#bytes -= snapshot.length;
  }

  /** Kept in memory: the first step, early powers of two, and multiples of `#distance`. */
  #isWanted(step: number): boolean {
    const isEarly = step < this.#distance && Number.isInteger(Math.log2(step));
    return this.#isEven(step) || isEarly;
  }

  /** Widens the distance until the snapshots of the whole run fit the budget. */
  #widen(run: Run, bytes: number): void {
    const last = lastBytes(run, bytes);
    this.#hasEarly &&= this.#budget >= ENOUGH * bytes;
    const isTooMany = (): boolean => {
      const early = this.#hasEarly ? Math.ceil(Math.log2(this.#distance)) : 0;
      const wanted = Math.floor(run.steps / this.#distance) + 1 + early;
      const isFull = this.#hasEarly && this.#bytes + bytes > this.#budget;
      return wanted * last > this.#budget || isFull;
    };
    while (isTooMany() && this.#distance <= run.steps) {
      // While only the first snapshot is stored, any distance is possible. Later the distance
      // doubles, so that every second stored snapshot also fits the wider distance.
      this.#distance = Math.ceil(this.#distance * (this.#snapshots.size <= 1 ? FINER : 2));
      for (const [step, snapshot] of this.#snapshots) {
        if (!this.#isWanted(step)) this.#drop(step, snapshot);
      }
    }
  }
}

/** Whether two snapshots have the same form and run: see c/train/snapshot.c. */
function areOfOneRun(one: Uint8Array, other: Uint8Array): boolean {
  const header = (snapshot: Uint8Array): string =>
    [...snapshot.slice(0, 8), ...snapshot.slice(16, 24)].join();
  return header(one) === header(other);
}

/** Minimum number of steps between snapshots. */
function leastDistance({ tokensPerStep }: Run): number {
  return Math.max(1, Math.ceil(LEAST_TOKENS / tokensPerStep));
}

/** Size of a snapshot at the last step, from its size now: more losses, perhaps more changes. */
function lastBytes(run: Run, bytes: number): number {
  return (
    bytes + CHANGES_BYTES + LOSS_BYTES * Math.min(MOST_LOSSES, Math.max(0, run.steps - run.step))
  );
}
